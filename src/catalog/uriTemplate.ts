/** What one operator of RFC 6570 does (appendix A). */
export interface TemplateOperator {
  /** Stands before the first value; nothing does where no value is given. */
  readonly first: string;
  readonly separator: string;
  /** Values are written as `name=value`. */
  readonly named: boolean;
  /** Stands for `=` where a named value is empty. */
  readonly ifEmpty: string;
  /** Slashes and other reserved characters of a value stay as they are. */
  readonly reserved: boolean;
  /** Without values the expression vanishes with its separators, and what is left is still a sound URI. */
  readonly optional: boolean;
}

/** A variable as one expression uses it: `v`, `v*`, `v:3`. */
export interface TemplateUse {
  readonly name: string;
  readonly explode: boolean;
  /** Only so many characters of the value are taken. */
  readonly prefix: number | undefined;
}

/** What stands between braces. */
export interface TemplateExpression {
  readonly operator: TemplateOperator;
  readonly uses: readonly TemplateUse[];
}

/** A variable of a template, whatever the number of its uses. */
export interface TemplateVariable {
  readonly name: string;
  /** It may be left out: each of its expressions vanishes without a value. */
  readonly optional: boolean;
  /** A slash in the value stays a slash, everywhere. */
  readonly keepsSlashes: boolean;
  /** It takes several values (`*`), and nothing cuts them to a length. */
  readonly takesList: boolean;
  /** No use takes more characters of the value than this; undefined without a limit. */
  readonly maxLength: number | undefined;
}

/** A template that was understood. */
export interface UriTemplate {
  readonly text: string;
  /** Literals, encoded already, and expressions. */
  readonly parts: readonly (string | TemplateExpression)[];
  /** In order of appearance, each once. */
  readonly variables: readonly TemplateVariable[];
}

/** A template, or why it is none: `reason` in plain words, `at` as an index into the text. */
export type ParsedTemplate =
  | { readonly ok: true; readonly template: UriTemplate }
  | { readonly ok: false; readonly reason: string; readonly at: number };

const query = { separator: '&', named: true, ifEmpty: '=', reserved: false, optional: true };
const plain = { first: '', separator: ',', named: false, ifEmpty: '', reserved: false, optional: false };

const operators: Readonly<Record<string, TemplateOperator>> = {
  '+': { ...plain, reserved: true },
  '#': { ...plain, first: '#', reserved: true, optional: true },
  '.': { ...plain, first: '.', separator: '.', optional: true },
  '/': { ...plain, first: '/', separator: '/', optional: true },
  ';': { ...plain, first: ';', separator: ';', named: true, optional: true },
  '?': { ...query, first: '?' },
  '&': { ...query, first: '&' },
};

/** Longer pieces of a bad template are cut in the reason. */
const SHOWN = 40;
/** A person fills in each variable, and a part of a template takes kilobytes: more than this is no use to anybody. */
const MOST_CHARACTERS = 65_536;
const MOST_USES = 1000;

/** What is wrong, and where in the piece that was looked at. */
class Fault {
  constructor(
    readonly words: string,
    readonly offset: number,
  ) {}
}

/** Understands a URI template (RFC 6570, section 2). Never throws; takes time in proportion to the text's length. */
export function parseTemplate(text: string): ParsedTemplate {
  if (text.length > MOST_CHARACTERS) {
    return bad(text, MOST_CHARACTERS, `a template of more than ${MOST_CHARACTERS} characters is not taken apart`);
  }
  const parts: (string | TemplateExpression)[] = [];
  let uses = 0;
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open < 0 ? undefined : open);
    const stray = literal.indexOf('}');
    if (stray >= 0) {
      return bad(text, at + stray, 'the "}" closes nothing');
    }
    if (literal !== '') {
      parts.push(encodeReserved(literal));
    }
    if (open < 0) {
      break;
    }
    const close = text.indexOf('}', open);
    if (close < 0) {
      return bad(text, open, `the "{" of ${excerpt(text.slice(open, open + SHOWN * 4))} is never closed`);
    }
    const body = text.slice(open + 1, close);
    const expression = parseExpression(body);
    if (expression instanceof Fault) {
      return bad(text, open + 1 + expression.offset, `in ${excerpt(`{${body}}`)} ${expression.words}`);
    }
    uses += expression.uses.length;
    if (uses > MOST_USES) {
      return bad(text, open, `a template with more than ${MOST_USES} variables is not taken apart`);
    }
    parts.push(expression);
    at = close + 1;
  }
  return { ok: true, template: { text, parts, variables: variablesOf(parts) } };
}

/**
 * Percent-encodes what no URI may contain, as UTF-8, and leaves reserved characters and percent-encoded ones alone
 * (section 3.1). So literals that the grammar forbids, such as spaces, still give a URI.
 */
export function encodeReserved(text: string): string {
  return wellFormed(text).replace(/%(?![\da-f]{2})|[^%\w\-.~:/?#[\]@!$&'()*+,;=]+/gi, encodeURIComponent);
}

/** Percent-encodes all but letters, digits and `-._~`, as UTF-8. */
export function encodeUnreserved(text: string): string {
  const hex = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, hex);
}

/** Half of a surrogate pair has no encoding: it becomes a replacement character. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function parseExpression(body: string): TemplateExpression | Fault {
  const sign = body.charAt(0);
  if (/[=,!@|]/.test(sign)) {
    return new Fault(`"${sign}" is no operator in use`, 0);
  }
  const operator = Object.hasOwn(operators, sign) ? operators[sign] : undefined;
  let offset = operator ? 1 : 0;
  const uses: TemplateUse[] = [];
  for (const spec of body.slice(offset).split(',')) {
    const use = parseUse(spec);
    if (use instanceof Fault) {
      return new Fault(use.words, offset + use.offset);
    }
    uses.push(use);
    offset += spec.length + 1;
  }
  return { operator: operator ?? plain, uses };
}

function parseUse(spec: string): TemplateUse | Fault {
  const name = /^[\w.%]*/.exec(spec)![0];
  const fault = /%(?![\da-f]{2})|^\.|\.(?=\.|$)/i.exec(name);
  if (fault) {
    const words = fault[0] === '%' ? 'two hexadecimal digits must follow "%"' : 'a "." must stand between two names';
    return new Fault(words, fault.index);
  }
  const rest = spec.slice(name.length);
  if (rest === '' || rest.startsWith('*') || rest.startsWith(':')) {
    return name === '' ? new Fault('the name of a variable is missing', 0) : parseModifier(name, rest);
  }
  const next = JSON.stringify(Array.from(rest.slice(0, 2))[0]);
  return new Fault(`${next} cannot be part of a variable's name`, name.length);
}

function parseModifier(name: string, rest: string): TemplateUse | Fault {
  if (rest === '' || rest === '*') {
    return { name, explode: rest === '*', prefix: undefined };
  }
  if (rest.startsWith('*')) {
    return new Fault('nothing may follow "*" but a comma', name.length + 1);
  }
  const length = rest.slice(1);
  if (/^[1-9]\d{0,3}$/.test(length)) {
    return { name, explode: false, prefix: Number(length) };
  }
  const found = length === '' ? 'nothing' : excerpt(JSON.stringify(length));
  return new Fault(`a length from 1 to 9999 must follow "${name}:", but ${found} does`, name.length + 1);
}

function variablesOf(parts: UriTemplate['parts']): readonly TemplateVariable[] {
  const found = new Map<string, { operator: TemplateOperator; use: TemplateUse }[]>();
  for (const { operator, uses } of parts.filter((part) => typeof part !== 'string')) {
    for (const use of uses) {
      const known = found.get(use.name);
      if (known) {
        known.push({ operator, use });
      } else {
        found.set(use.name, [{ operator, use }]);
      }
    }
  }
  return Array.from(found, ([name, all]) => ({
    name,
    optional: all.every(({ operator }) => operator.optional),
    keepsSlashes: all.every(({ operator }) => operator.reserved),
    takesList: all.some(({ use }) => use.explode) && all.every(({ use }) => use.prefix === undefined),
    maxLength: all.every(({ use }) => use.prefix !== undefined)
      ? all.reduce((longest, { use }) => Math.max(longest, use.prefix ?? 0), 0)
      : undefined,
  }));
}

function bad(text: string, at: number, words: string): ParsedTemplate {
  const place = Array.from(text.slice(0, at)).length + 1;
  return { ok: false, at, reason: `Character ${place}: ${words}.` };
}

function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, SHOWN * 4));
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join('')}…` : characters.join('');
}
