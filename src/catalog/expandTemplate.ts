import { HumanError } from '../base/errors';
import {
  encodeReserved,
  encodeUnreserved,
  type TemplateExpression,
  type TemplateOperator,
  type TemplateUse,
  type UriTemplate,
} from './uriTemplate';

/** A text, several texts, or named texts. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

/** The values given so far, by the names of their variables. An empty list counts as not given, an empty text as given. */
export type TemplateValues = Readonly<Record<string, TemplateValue | undefined>>;

/**
 * The URI of a template with these values (RFC 6570, section 3). Variables without a value are left out. Throws a
 * HumanError where a list stands for a variable of which only the first characters are to be taken.
 */
export function expandTemplate(template: UriTemplate, values: TemplateValues): string {
  return joinParts(template, values, () => undefined);
}

/**
 * The URI so far: like `expandTemplate`, but a variable without a value is shown as `{name}` where its expression cannot
 * be left out.
 */
export function previewOf(template: UriTemplate, values: TemplateValues): string {
  return joinParts(template, values, ({ name }, { optional }) => (optional ? undefined : `{${name}}`));
}

/** What stands for a use without a value; undefined for nothing at all. */
type Missing = (use: TemplateUse, operator: TemplateOperator) => string | undefined;

function joinParts(template: UriTemplate, values: TemplateValues, missing: Missing): string {
  return template.parts.map((part) => (typeof part === 'string' ? part : expandOne(part, values, missing))).join('');
}

function expandOne({ operator, uses }: TemplateExpression, values: TemplateValues, missing: Missing): string {
  const pieces = uses
    .map((use) => {
      const value = Object.hasOwn(values, use.name) ? values[use.name] : undefined;
      return value === undefined || isEmpty(value) ? missing(use, operator) : expandUse(use, value, operator);
    })
    .filter((piece) => piece !== undefined);
  return pieces.length > 0 ? operator.first + pieces.join(operator.separator) : '';
}

function isEmpty(value: TemplateValue): boolean {
  return typeof value !== 'string' && Object.keys(value).length === 0;
}

function expandUse(use: TemplateUse, value: TemplateValue, operator: TemplateOperator): string {
  const encode = operator.reserved ? encodeReserved : encodeUnreserved;
  const named = (name: string, encoded: string) => name + (encoded === '' ? operator.ifEmpty : `=${encoded}`);
  if (typeof value === 'string') {
    const encoded = encode(use.prefix === undefined ? value : firstOf(value, use.prefix, operator));
    return operator.named ? named(use.name, encoded) : encoded;
  }
  if (use.prefix !== undefined) {
    throw new HumanError(`"${use.name}" takes the first characters of one text, not of a list.`);
  }
  if (!use.explode) {
    const all = (isList(value) ? value : Object.entries(value).flat()).map(encode).join(',');
    return operator.named ? `${use.name}=${all}` : all;
  }
  const items = isList(value)
    ? value.map((item) => (operator.named ? named(use.name, encode(item)) : encode(item)))
    : Object.entries(value).map(([key, item]) =>
        // Section 3.2.1: named keys are encoded as literals are.
        operator.named ? named(encodeReserved(key), encode(item)) : `${encode(key)}=${encode(item)}`,
      );
  return items.join(operator.separator);
}

// `Array.isArray` does not narrow readonly arrays.
function isList(value: Exclude<TemplateValue, string>): value is readonly string[] {
  return Array.isArray(value);
}

/** The first characters of a text. Where percent-encoded characters stay as they are, each is one (section 3.2.1). */
function firstOf(text: string, count: number, { reserved }: TemplateOperator): string {
  const characters = reserved
    ? (text.match(/%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|%[\da-f]{2}|./gisu) ?? [])
    : Array.from(text);
  return characters.slice(0, count).join('');
}
