import { TimeSlices } from '../base/timeSlices';
import {
  type FuzzyQuery,
  fuzzyQuery,
  highlightsOf,
  lowered,
  type LoweredTexts,
  ownerWords,
  scoreOf,
} from './fuzzyScore';
import type { TextRange } from './scatteredLetters';

/** What can be found. `recency` is the rank among what was used lately: 0 for the last, undefined for never. */
export interface FuzzySource {
  readonly title: string;
  readonly name: string;
  readonly uri: string;
  readonly description?: string;
  readonly recency?: number;
  /** The name of what it belongs to: words of it count, too, less than any of its own. */
  readonly owner?: string;
}

/** A source with its texts in small letters: made once, when first searched. */
export class FuzzyEntry<T extends FuzzySource = FuzzySource> {
  private made: LoweredTexts | undefined;

  constructor(readonly source: T) {}

  /** A text without capitals is not copied, so most of these take little memory. */
  get texts(): LoweredTexts {
    return (this.made ??= {
      title: lowered(this.source.title),
      name: lowered(this.source.name),
      uri: lowered(this.source.uri),
      description: lowered(this.source.description ?? ''),
      written: this.source,
    });
  }
}

/** A source that was found. `highlights` are the parts of its title that matched. */
export interface FuzzyMatch<T extends FuzzySource = FuzzySource> {
  readonly source: T;
  readonly score: number;
  readonly highlights: readonly TextRange[];
}

/** What to search for, in what, and how many to give at most. */
export interface FuzzySearch<T extends FuzzySource = FuzzySource> {
  readonly query: string;
  readonly entries: readonly FuzzyEntry<T>[];
  readonly limit: number;
}

/** Entries scored between two looks at the clock: of hostile ones, one takes some milliseconds. */
const STRIDE = 4;

/**
 * The best entries for a query, best first. Each word of the query must be found in the title, the name, the URI or the
 * description, or begin a word of the owner's name. Equal scores go by recency, then by the order of the entries.
 */
export function rank<T extends FuzzySource>(search: FuzzySearch<T>): readonly FuzzyMatch<T>[] {
  const steps = rankSteps(search);
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** The same, giving way to other work after every 8 ms. Rejects with a CancelledError once the signal is aborted. */
export async function rankInSlices<T extends FuzzySource>(
  search: FuzzySearch<T>,
  signal?: AbortSignal,
): Promise<readonly FuzzyMatch<T>[]> {
  const steps = rankSteps(search);
  const slices = new TimeSlices(signal);
  for (;;) {
    if (slices.due) {
      await slices.pause();
    }
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

interface Candidate<T extends FuzzySource> {
  readonly entry: FuzzyEntry<T>;
  readonly score: number;
  readonly index: number;
}

/** Yields after each stride. */
function* rankSteps<T extends FuzzySource>(search: FuzzySearch<T>): Generator<void, readonly FuzzyMatch<T>[]> {
  const query = fuzzyQuery(search.query);
  const { entries, limit } = search;
  let best: Candidate<T>[] = [];
  const owners = new Map<string, ReadonlySet<string>>();
  const ownedBy = (owner: string): ReadonlySet<string> => {
    const words = owners.get(owner) ?? ownerWords(query, owner);
    owners.set(owner, words);
    return words;
  };
  for (let from = 0; from < entries.length; from += STRIDE) {
    best.push(...candidatesOf({ query, ownedBy }, entries.slice(from, from + STRIDE), from));
    // Only the best so far are kept: to sort all that matched would be one long task.
    if (best.length > limit * 2) {
      best = best.sort(compare).slice(0, limit);
    }
    yield;
  }
  return best
    .sort(compare)
    .slice(0, limit)
    .map(({ entry, score }) => ({ source: entry.source, score, highlights: highlightsOf(query, entry.texts) }));
}

function candidatesOf<T extends FuzzySource>(
  { query, ownedBy }: { query: FuzzyQuery; ownedBy: (owner: string) => ReadonlySet<string> },
  entries: readonly FuzzyEntry<T>[],
  from: number,
): Candidate<T>[] {
  return entries.flatMap((entry, offset) => {
    const { owner } = entry.source;
    const score = scoreOf(query, entry.texts, owner === undefined ? undefined : ownedBy(owner));
    return score === undefined ? [] : [{ entry, score, index: from + offset }];
  });
}

function compare(a: Candidate<FuzzySource>, b: Candidate<FuzzySource>): number {
  return b.score - a.score || recencyOf(a) - recencyOf(b) || a.index - b.index;
}

function recencyOf({ entry }: Candidate<FuzzySource>): number {
  return entry.source.recency ?? Number.MAX_VALUE;
}
