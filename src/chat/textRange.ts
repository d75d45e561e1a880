import { ToolError } from './toolInput';

/** Where a model wants to read on in a text: line and character in it, from 1. */
export interface TextStart {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly text: string;
  /** What is not in it, and where it goes on; absent where all of it is. */
  readonly note?: string;
}

/**
 * As much of a text as `limit` allows (UTF-16 units), from a line and a character on. It ends with a line where one ends
 * in its second half, and never within a character. Throws a ToolError where the text has no such place.
 */
export function textRange(text: string, { line, character }: TextStart, limit: number): TextRange {
  const start = offsetOf(text, line, character);
  const rest = text.length - start;
  if (start === 0 && rest <= limit) {
    return { text };
  }
  const end = rest <= limit ? text.length : endOf(text, start, limit);
  const part = text.slice(start, end);
  const newlines = newlinesIn(part);
  const shown = `Characters ${start + 1} to ${end} of ${text.length}, from line ${line} of ${newlinesIn(text) + 1}.`;
  if (end === text.length) {
    return { text: part, note: `${shown} This is the end.` };
  }
  const nextCharacter = end - text.lastIndexOf('\n', end - 1);
  const next = nextCharacter === 1 ? '' : `, "startCharacter": ${nextCharacter}`;
  return { text: part, note: `${shown} To read on: "startLine": ${line + newlines}${next}.` };
}

function offsetOf(text: string, line: number, character: number): number {
  let offset = 0;
  for (let current = 1; current < line; current += 1) {
    const newline = text.indexOf('\n', offset);
    if (newline < 0) {
      throw new ToolError(`"startLine" is ${line}, and the text has ${current} lines.`);
    }
    offset = newline + 1;
  }
  const start = offset + character - 1;
  if (start > text.length) {
    throw new ToolError(`"startCharacter" is ${character}: the text ends before it.`);
  }
  return isWithinCharacter(text, start) ? start - 1 : start;
}

function endOf(text: string, start: number, limit: number): number {
  const newline = text.lastIndexOf('\n', start + limit - 1);
  if (newline >= start + limit / 2) {
    return newline + 1;
  }
  const end = start + limit;
  // A single character is never cut: what is asked for moves on.
  return isWithinCharacter(text, end) ? (end - 1 > start ? end - 1 : end + 1) : end;
}

/** Between the halves of a surrogate pair. */
function isWithinCharacter(text: string, offset: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(offset - 1)) && /[\udc00-\udfff]/.test(text.charAt(offset));
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
