import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A fault in JSON text, in plain words. */
export interface JsonFault {
  /** UTF-16 offset. */
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** JSON with comments, read as far as it can be read. Offsets count from behind a byte order mark, as in an editor. */
export interface JsonDocument {
  /** Absent when the text is empty or holds no value at all. */
  readonly root?: Node;
  /** In the order of the text. */
  readonly faults: readonly JsonFault[];
  /** The 1-based line of an offset. */
  readonly lineOf: (offset: number) => number;
}

/** One property of an object node; of repeated names the last counts, as in `JSON.parse`. */
export interface JsonProperty {
  readonly name: string;
  readonly offset: number;
  /** Absent when the text has no value there (a fault says so). */
  readonly value?: Node;
  /** The name stands in the object before, too. */
  readonly repeated?: boolean;
}

const messages: Record<string, string> = {
  InvalidSymbol: 'there is something that is neither a quoted string, a number, true, false nor null',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is text after the end of the JSON',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  UnexpectedEndOfNumber: 'a number is cut off',
  InvalidUnicode: 'a \\u escape is malformed',
  InvalidEscapeCharacter: 'an escape after a backslash is unknown',
  InvalidCharacter: 'a string contains a control character',
};

/** Reads JSON with comments, trailing commas and a byte order mark. Never throws. */
export function readJson(text: string): JsonDocument {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const lineOf = lineIndex(body);
  const errors: ParseError[] = [];
  try {
    const root = parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const faults = errors.map(({ error, offset }) => {
      const code = printParseErrorCode(error);
      return { offset, line: lineOf(offset), message: messages[code] ?? code };
    });
    return { root, faults, lineOf };
  } catch {
    // The parser is recursive: tens of thousands of nested brackets exhaust the stack.
    const faults = [{ offset: 0, line: 1, message: 'the JSON is nested too deeply' }];
    return { faults, lineOf };
  }
}

/** The properties of an object node in the order of the text, each name once. */
export function propertiesOf(node: Node): JsonProperty[] {
  const found = new Map<string, JsonProperty>();
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (key) {
      const name = String(key.value);
      found.set(name, { name, offset: key.offset, value, ...(found.has(name) ? { repeated: true } : {}) });
    }
  }
  return [...found.values()];
}

/**
 * The plain value of a node down to a number of levels; what is nested deeper is left empty, so that no depth exhausts
 * the stack. Unlike jsonc-parser's own, `__proto__` becomes an ordinary property.
 */
export function valueOf(node: Node, levels = 3): unknown {
  switch (node.type) {
    case 'object': {
      const properties = levels > 0 ? propertiesOf(node) : [];
      return Object.fromEntries(properties.map(({ name, value }) => [name, value && valueOf(value, levels - 1)]));
    }
    case 'array':
      return levels > 0 ? (node.children ?? []).map((item) => valueOf(item, levels - 1)) : [];
    default:
      return node.value;
  }
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function lineIndex(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [...text.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length);
    return countUpTo(starts, offset) + 1;
  };
}
