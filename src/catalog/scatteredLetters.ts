/** A part of a text: `[start, end)`. */
export type TextRange = readonly [start: number, end: number];

/** Nobody abbreviates to something longer, nor by what comes later in a text. */
const LONGEST_WORD = 24;
const SEARCHED = 200;

/**
 * Where the letters of a word stand in a text as people abbreviate: either they begin at the start of a word and fill at
 * least half of the stretch to the last of them ("rprt" for "report"), or they are the beginnings of words in their order
 * ("ug" or "usgui" for "user guide"), with at most one word left out between two. Letters that merely occur one after the
 * other say nothing: in a long text most do. Both in small letters; `written` is the text with its capitals, which start words.
 */
export function scattered(word: string, text: string, written?: string): readonly TextRange[] | undefined {
  // Most texts do not have the letters at all.
  if (word.length > LONGEST_WORD || !hasInOrder(word, text)) {
    return undefined;
  }
  const signs = Array.from(word);
  const firsts = startsOf({ text, written }, signs[0]);
  return (
    dense(signs, text, firsts) ?? (firsts.length > 0 ? beginnings(signs, text, startsOf({ text, written })) : undefined)
  );
}

/** Whether no letter or digit stands before this place. Beyond ASCII, everything counts as a letter: it is fast. */
export function startsWord(text: string, at: number): boolean {
  // At the beginning it is NaN.
  return !isLetter(text.charCodeAt(at - 1));
}

/** Whether the signs of a word come one after the other in a text. */
export function hasInOrder(word: string, text: string): boolean {
  let from = 0;
  for (const sign of word) {
    const at = text.indexOf(sign, from);
    if (at < 0) {
      return false;
    }
    from = at + sign.length;
  }
  return true;
}

/** Where words start, or those with this first sign: "getUser2" has three. */
function startsOf({ text, written }: { text: string; written?: string }, first?: string): readonly number[] {
  const starts: number[] = [];
  const end = Math.min(text.length, SEARCHED);
  const next = (from: number): number => (first === undefined ? from : text.indexOf(first, from));
  for (let at = next(0); at >= 0 && at < end; at = next(at + 1)) {
    if (startsWord(text, at) ? isLetter(text.charCodeAt(at)) : isHump(at, text, written)) {
      starts.push(at);
    }
  }
  return starts;
}

/** A capital after none, or a digit after none. */
function isHump(at: number, text: string, written: string | undefined): boolean {
  const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
  const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a;
  return (
    (isDigit(text.charCodeAt(at)) && !isDigit(text.charCodeAt(at - 1))) ||
    (written !== undefined && isCapital(written.charCodeAt(at)) && !isCapital(written.charCodeAt(at - 1)))
  );
}

function isLetter(code: number): boolean {
  return code >= 0x80 || (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** All signs within twice their length from the start of a word on: each at its first place, which makes it the shortest. */
function dense(signs: readonly string[], text: string, starts: readonly number[]): readonly TextRange[] | undefined {
  const length = signs.reduce((sum, sign) => sum + sign.length, 0);
  for (const start of starts) {
    const ranges: TextRange[] = [];
    let from = start;
    for (const sign of signs) {
      const at = text.indexOf(sign, from);
      from = at + sign.length;
      if (at < 0 || from - start > 2 * length) {
        break;
      }
      ranges.push([at, from]);
    }
    if (ranges.length === signs.length) {
      return ranges;
    }
  }
  return undefined;
}

function beginnings(
  signs: readonly string[],
  text: string,
  starts: readonly number[],
): readonly TextRange[] | undefined {
  // What was tried in vain is not tried again: there may be very many ways.
  const failed = new Set<number>();
  const from = (sign: number, first: number, last: number): TextRange[] | undefined => {
    if (sign === signs.length) {
      return [];
    }
    for (let word = first; word <= last && word < starts.length; word += 1) {
      const key = word * signs.length + sign;
      const found = failed.has(key) ? undefined : pieceAt(sign, word);
      if (found) {
        return found;
      }
      failed.add(key);
    }
    return undefined;
  };
  const pieceAt = (sign: number, word: number): TextRange[] | undefined => {
    const piece: TextRange[] = [];
    let end = starts[word]!;
    for (let next = sign; next < signs.length && text.startsWith(signs[next]!, end); next += 1) {
      piece.push([end, end + signs[next]!.length]);
      end += signs[next]!.length;
    }
    // The longest beginning first; the letters after it may be another word's.
    for (; piece.length > 0; piece.pop()) {
      const after = piece.at(-1)![1];
      let following = word + 1;
      while (following < starts.length && starts[following]! < after) {
        following += 1;
      }
      const rest = from(sign + piece.length, following, following + 1);
      if (rest) {
        return [...piece, ...rest];
      }
    }
    return undefined;
  };
  return from(0, 0, starts.length - 1);
}
