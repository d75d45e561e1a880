import type { TimeSlices } from '../base/timeSlices';

/** What is looked for: plain text of one line. */
export interface SearchQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** One occurrence, with as much of its line as a row shows. Line and character count from 0, as VS Code counts them. */
export interface TextMatch {
  readonly line: number;
  readonly character: number;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** Where an occurrence is. */
export type TextPlace = Pick<TextMatch, 'line' | 'character'>;

interface Found extends TextPlace {
  readonly start: number;
  readonly end: number;
  readonly lineStart: number;
}

/** So much is searched at a time: even a pattern and a text that are made to be slow take a few milliseconds for it. */
const WINDOW = 16 * 1024;
/** Occurrences between two looks at the clock. */
const STRIDE = 256;
/** How much of a line is kept around an occurrence: before it so little that it shows in a narrow view. Characters. */
const KEPT_BEFORE = 24;
const KEPT_AFTER = 160;

const CR = 0x0d;
const LF = 0x0a;
const wordCharacter = /^[\p{L}\p{M}\p{N}_]$/u;

/** The text of a document as VS Code has it: without a byte order mark. */
export function textOfBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The first `limit` occurrences in order; they do not overlap. */
export async function findMatches(
  text: string,
  query: SearchQuery,
  limit: number,
  slices: TimeSlices,
): Promise<TextMatch[]> {
  const matches: TextMatch[] = [];
  await scan(text, query, slices, (found) => {
    matches.push(matchOf(text, found));
    return matches.length < limit;
  });
  return matches;
}

/** Of all occurrences the one closest to where one was; `undefined` where there is none. */
export async function nearestMatch(
  text: string,
  query: SearchQuery,
  place: TextPlace,
  slices: TimeSlices,
): Promise<TextPlace | undefined> {
  let nearest: TextPlace | undefined;
  const isNearer = (a: TextPlace, b: TextPlace): boolean => {
    const [lines, linesOfOther] = [Math.abs(a.line - place.line), Math.abs(b.line - place.line)];
    const [signs, signsOfOther] = [Math.abs(a.character - place.character), Math.abs(b.character - place.character)];
    return lines < linesOfOther || (lines === linesOfOther && signs < signsOfOther);
  };
  await scan(text, query, slices, ({ line, character }) => {
    const found = { line, character };
    if (nearest && !isNearer(found, nearest)) {
      // From here on they only get farther away.
      return line <= place.line;
    }
    nearest = found;
    return true;
  });
  return nearest;
}

/** Goes from occurrence to occurrence in slices until `visit` has enough. */
async function scan(
  text: string,
  query: SearchQuery,
  slices: TimeSlices,
  visit: (found: Found) => boolean,
): Promise<void> {
  if (query.text === '') {
    return;
  }
  const escaped = query.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  // With `u`, letters of either case are equally long: what lies across two windows is found in the first.
  const pattern = new RegExp(escaped, query.matchCase ? 'gu' : 'giu');
  const lines = new LineCursor(text);
  let next = 0;
  let seen = 0;
  for (let from = 0; from < text.length; from += WINDOW) {
    const window = text.slice(from, from + WINDOW + query.text.length - 1);
    pattern.lastIndex = Math.max(0, next - from);
    for (let match = pattern.exec(window); match; match = pattern.exec(window)) {
      const start = from + match.index;
      const end = start + match[0].length;
      seen += 1;
      if (seen % STRIDE === 0 && slices.due) {
        await slices.pause();
      }
      if (query.wholeWord && !isWhole(text, start, end)) {
        pattern.lastIndex = match.index + signLength(text, start);
        continue;
      }
      next = end;
      lines.goTo(start);
      const { line, lineStart } = lines;
      if (!visit({ start, end, line, lineStart, character: start - lineStart })) {
        return;
      }
    }
    lines.goTo(Math.min(from + WINDOW, text.length));
    if (slices.due) {
      await slices.pause();
    }
  }
}

/** Counts lines as VS Code does: they end with CR LF, CR or LF. */
class LineCursor {
  line = 0;
  lineStart = 0;
  private at = 0;

  constructor(private readonly text: string) {}

  goTo(offset: number): void {
    const { text } = this;
    for (; this.at < offset; this.at += 1) {
      const code = text.charCodeAt(this.at);
      if (code === LF || (code === CR && text.charCodeAt(this.at + 1) !== LF)) {
        this.line += 1;
        this.lineStart = this.at + 1;
      }
    }
  }
}

function matchOf(text: string, { start, end, line, lineStart, character }: Found): TextMatch {
  const from = Math.max(lineStart, start - KEPT_BEFORE);
  const before = text.slice(from, start);
  const [after = ''] = text.slice(end, end + KEPT_AFTER).split(/[\r\n]/, 1);
  return {
    line,
    character,
    before: copyOf(from === lineStart ? before.trimStart() : `…${withoutHalves(before)}`),
    text: copyOf(text.slice(start, end)),
    after: copyOf(withoutHalves(after)),
  };
}

/** A part of a string keeps the whole string in memory; this one does not. */
function copyOf(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** Without the halves of surrogate pairs that a cut leaves at the ends. */
function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** No word goes on beyond either end. */
function isWhole(text: string, start: number, end: number): boolean {
  const goesOn = (offset: number): boolean => isWord(signBefore(text, offset)) && isWord(signAt(text, offset));
  return !goesOn(start) && !goesOn(end);
}

function isWord(sign: string): boolean {
  return wordCharacter.test(sign);
}

function signAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function signBefore(text: string, offset: number): string {
  const low = text.charCodeAt(offset - 1);
  return signAt(text, low >= 0xdc00 && low <= 0xdfff ? offset - 2 : offset - 1);
}

function signLength(text: string, offset: number): number {
  return Math.max(1, signAt(text, offset).length);
}
