import { hasInOrder, scattered, startsWord, type TextRange } from './scatteredLetters';

/** The texts of one entry in small letters. */
export interface LoweredTexts {
  readonly title: string;
  readonly name: string;
  readonly uri: string;
  readonly description: string;
  /** The same with their capitals, where there are some. */
  readonly written?: { readonly title: string; readonly name: string; readonly uri: string };
}

/** A query, taken apart. */
export interface FuzzyQuery {
  /** Each has to be found. */
  readonly words: readonly string[];
  /** The whole query where it has several words: it need not be found, but counts. */
  readonly phrase: string | undefined;
}

/** How well a word matches a text, the better the greater. */
const Kind = { none: 0, subsequence: 1, substring: 2, wordStart: 3, prefix: 4, exact: 5 } as const;

/** The kind outweighs the field; what is found in a title or name outweighs the same in a URI, and that a description. */
const KIND_WEIGHT = 4;
const NAME_WEIGHT = 2;
const URI_WEIGHT = 1;

/** What belongs to something of that name: less than what any text of its own gives. */
const OWNER_SCORE = 1;

/** Texts are searched so far: what a server says may be of any length. */
const SEARCHED = 2_000;

/** A text in small letters, each in its place; of long texts the beginning. */
export function lowered(text: string): string {
  const beginning = text.slice(0, SEARCHED);
  const lower = beginning.toLowerCase();
  // A few letters grow ("İ"), and highlights would be off.
  return lower.length === beginning.length
    ? lower
    : Array.from(beginning, (sign) => (sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign)).join('');
}

/** Takes a query apart. */
export function fuzzyQuery(text: string): FuzzyQuery {
  const words = lowered(text.trim())
    .split(/\s+/u)
    .filter((word) => word !== '');
  return { words, phrase: words.length > 1 ? words.join(' ') : undefined };
}

/** The words of a query that are, or begin, words of an owner's name. */
export function ownerWords({ words }: FuzzyQuery, owner: string): ReadonlySet<string> {
  const name = lowered(owner);
  return new Set(words.filter((word) => kindOf(word, name) >= Kind.wordStart));
}

/**
 * How well a query matches, the better the greater; undefined where one of its words is nowhere. `owned`: those that the name of
 * the owner has.
 */
export function scoreOf(
  { words, phrase }: FuzzyQuery,
  texts: LoweredTexts,
  owned?: ReadonlySet<string>,
): number | undefined {
  let total = phrase === undefined ? 0 : nameScore(phrase, texts);
  for (const word of words) {
    const score = containedScore(word, texts) || scatteredScore(word, texts) || (owned?.has(word) ? OWNER_SCORE : 0);
    if (score === 0) {
      return undefined;
    }
    total += score;
  }
  return total;
}

/** The parts of the title that a query matches, sorted and apart from each other. */
export function highlightsOf({ words }: FuzzyQuery, texts: LoweredTexts): readonly TextRange[] {
  const ranges = words.flatMap((word): TextRange[] => {
    const start = bestPlace(word, texts.title);
    if (start >= 0) {
      return [[start, start + word.length]];
    }
    // Scattered letters are pointed out only if they are why the entry was found.
    return containedScore(word, texts) > 0 ? [] : [...(scattered(word, texts.title, texts.written?.title) ?? [])];
  });
  return joined(ranges);
}

/** Overlapping and touching ranges made one. */
function joined(ranges: readonly TextRange[]): readonly TextRange[] {
  const apart: [start: number, end: number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last && start <= last[1]) {
      last[1] = Math.max(last[1], end);
    } else {
      apart.push([start, end]);
    }
  }
  return apart;
}

/** The score of a word that one of the texts contains, or 0. */
function containedScore(word: string, texts: LoweredTexts): number {
  const uri = kindOf(word, texts.uri);
  return Math.max(
    nameScore(word, texts),
    // All URIs of a server begin alike, and descriptions are prose: their beginning is but the start of a word.
    weighed(uri === Kind.prefix ? Kind.wordStart : uri, URI_WEIGHT),
    weighed(Math.min(kindOf(word, texts.description), Kind.wordStart), 0),
  );
}

function nameScore(text: string, { title, name }: LoweredTexts): number {
  return weighed(Math.max(kindOf(text, title), name === title ? 0 : kindOf(text, name)), NAME_WEIGHT);
}

function weighed(kind: number, fieldWeight: number): number {
  return kind === Kind.none ? 0 : kind * KIND_WEIGHT + fieldWeight;
}

/** The score of a word that one of the texts abbreviates, or 0. Not in descriptions, nor over several parts of a URI. */
function scatteredScore(word: string, { title, name, uri, written }: LoweredTexts): number {
  const score = (ranges: readonly TextRange[] | undefined, weight: number) =>
    // The closer together, the better; always less than the next weight.
    ranges ? weighed(Kind.subsequence, weight) + word.length / (ranges.at(-1)![1] - ranges[0]![0] + 1) : 0;
  return (
    Math.max(
      score(scattered(word, title, written?.title), NAME_WEIGHT),
      name === title ? 0 : score(scattered(word, name, written?.name), NAME_WEIGHT),
    ) || score(scatteredInPart(word, uri, written?.uri), URI_WEIGHT)
  );
}

/** The same within one part of a URI. */
function scatteredInPart(word: string, uri: string, written?: string): readonly TextRange[] | undefined {
  // To take all URIs apart would be long.
  if (!hasInOrder(word, uri)) {
    return undefined;
  }
  const parts = written?.split('/');
  return uri
    .split('/')
    .map((part, index) => scattered(word, part, parts?.[index]))
    .find(Boolean);
}

function kindOf(word: string, text: string): number {
  const at = bestPlace(word, text);
  if (at < 0) {
    return Kind.none;
  }
  if (at === 0) {
    return text.length === word.length ? Kind.exact : Kind.prefix;
  }
  return startsWord(text, at) ? Kind.wordStart : Kind.substring;
}

/** Where a text contains a word: the first place that starts a word, else the first; -1 for none. */
function bestPlace(word: string, text: string): number {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) {
    if (startsWord(text, at)) {
      return at;
    }
  }
  return first;
}
