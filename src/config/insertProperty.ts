import { applyEdits, createScanner, type Edit, type Node } from 'jsonc-parser';

/** How what is inserted is laid out. */
export interface JsonLayout {
  /** One step of indentation. */
  readonly unit: string;
  readonly eol: string;
}

/**
 * The text with one more property at the end of an object of it. Nothing else is touched: jsonc-parser's own `modify`
 * formats the whole lines that it inserts at. `level` is the object's depth, for where its lines show no indentation.
 */
export function insertProperty(
  text: string,
  object: Node,
  [name, value]: readonly [name: string, value: unknown],
  { unit, eol }: JsonLayout,
  level: number,
): string {
  const last = object.children?.at(-1);
  const close = object.offset + object.length - 1;
  const tail = tailOf(text, last ? last.offset + last.length : object.offset + 1, close);
  const outer = indentOf(text, object.parent?.offset ?? object.offset) ?? unit.repeat(level);
  const indent = (last && indentOf(text, last.offset)) ?? outer + unit;
  const lines = JSON.stringify(value, null, '\t').replace(
    /\n(\t*)/g,
    (_, { length }: string) => eol + indent + unit.repeat(length),
  );
  const content = `${eol}${indent}${JSON.stringify(name)}: ${lines}${tail.hasComma ? ',' : ''}`;
  const closesOnItsLine = /[\r\n]/.test(text.slice(tail.end, close));
  const edits: Edit[] = [
    closesOnItsLine
      ? { offset: tail.end, length: 0, content }
      : { offset: close, length: 0, content: content + eol + outer },
  ];
  if (last && !tail.hasComma) {
    edits.unshift({ offset: last.offset + last.length, length: 0, content: ',' });
  }
  return applyEdits(text, edits);
}

/** The white space before what begins its line; `undefined` for what does not. */
export function indentOf(text: string, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && /[ \t]/.test(text.charAt(start - 1))) {
    start--;
  }
  return start === 0 || /[\r\n]/.test(text.charAt(start - 1)) ? text.slice(start, offset) : undefined;
}

/** What stands between the last property and the closing brace: a comma perhaps, and where the last comment ends. */
function tailOf(text: string, start: number, close: number): { readonly end: number; readonly hasComma: boolean } {
  const scanner = createScanner(text);
  scanner.setPosition(start);
  let end = start;
  let hasComma = false;
  for (scanner.scan(); scanner.getTokenOffset() < close; scanner.scan()) {
    const first = text.charAt(scanner.getTokenOffset());
    hasComma ||= first === ',';
    if (first === ',' || first === '/') {
      end = scanner.getPosition();
    }
  }
  return { end, hasComma };
}
