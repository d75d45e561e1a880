import { Slices } from '../base/slices';
import { parseMediaType } from '../base/mediaType';
import type { ResourceEntry } from '../connection/wire';
import { labelOf } from './labelOf';
import { isFiltering, type ListingFilter, type ListingOptions, type SortKey } from './listingOptions';
import { excludesNothing } from './uriGlobs';

/** What a filter asks beyond the entry itself. */
export interface ListingFacts {
  isChanged(uri: string): boolean;
  isLive(uri: string): boolean;
  /** The person's settings leave it out. */
  isExcluded(uri: string): boolean;
}

/** What is shown of a server's list. */
export interface Shown {
  readonly entries: readonly ResourceEntry[];
  /** How many the server lists. */
  readonly total: number;
}

interface Progress {
  readonly items: readonly ResourceEntry[];
  readonly key: string;
  /** How many of the items were looked at. */
  looked: number;
  readonly kept: ResourceEntry[];
  sorted?: { readonly by: SortKey; readonly entries: readonly ResourceEntry[] };
}

/**
 * One server's list as it is shown: filtered, sorted, with equal labels known. Worked out in slices; a list that grows
 * page by page costs only what is new, and one that is shown as it is costs nothing.
 */
export class Listing {
  private readonly labels = new Map<string, number>();
  private readonly ambiguous = new Set<string>();
  private labelled: { items: readonly ResourceEntry[]; looked: number } = { items: [], looked: 0 };
  private progress: Progress | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /**
   * What is shown of `items` by `options`. `version` changes when the facts do. One question at a time: the next waits.
   */
  of(
    items: readonly ResourceEntry[],
    how: { options: ListingOptions; facts: ListingFacts; version: number },
    signal?: AbortSignal,
  ): Promise<Shown> {
    const answer = this.last.then(() => this.work(items, how, new Slices(signal)));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  /** Labels that several of the listed resources bear. */
  ambiguousIn(items: readonly ResourceEntry[]): Promise<ReadonlySet<string>> {
    const answer = this.last.then(async () => {
      await this.countLabels(items, new Slices());
      return this.ambiguous;
    });
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async work(
    items: readonly ResourceEntry[],
    { options, facts, version }: { options: ListingOptions; facts: ListingFacts; version: number },
    slices: Slices,
  ): Promise<Shown> {
    const { filter, sort } = options;
    if (!isFiltering(filter) && sort === 'listed' && facts.isExcluded === excludesNothing) {
      this.progress = undefined;
      return { entries: items, total: items.length };
    }
    const key = JSON.stringify([filter, version]);
    if (this.progress?.items !== items || this.progress.key !== key) {
      this.progress = { items, key, looked: 0, kept: [] };
    }
    const { progress } = this;
    const passes = filterBy(filter, facts);
    for (; progress.looked < items.length; progress.looked += 1) {
      const entry = items[progress.looked]!;
      if (passes(entry)) {
        progress.kept.push(entry);
        progress.sorted = undefined;
      }
      const pause = slices.step();
      if (pause) {
        await pause;
      }
    }
    return { entries: await sortedBy(sort, progress, slices), total: items.length };
  }

  private async countLabels(items: readonly ResourceEntry[], slices: Slices): Promise<void> {
    const { labelled, labels, ambiguous } = this;
    if (labelled.items !== items) {
      labels.clear();
      ambiguous.clear();
      labelled.items = items;
      labelled.looked = 0;
    }
    for (; labelled.looked < items.length; labelled.looked += 1) {
      const label = labelOf(items[labelled.looked]!);
      const count = (labels.get(label) ?? 0) + 1;
      labels.set(label, count);
      if (count > 1) {
        ambiguous.add(label);
      }
      const pause = slices.step();
      if (pause) {
        await pause;
      }
    }
  }
}

async function sortedBy(by: SortKey, progress: Progress, slices: Slices): Promise<readonly ResourceEntry[]> {
  if (by === 'listed') {
    return progress.kept;
  }
  if (progress.sorted?.by !== by) {
    progress.sorted = { by, entries: await slices.sorted(progress.kept, comparers[by]) };
  }
  return progress.sorted.entries;
}

/** Whether a filter lets an entry through. */
export function filterBy(filter: ListingFilter, facts: ListingFacts): (entry: ResourceEntry) => boolean {
  const words = wordsOf(filter.text ?? '');
  return (entry) =>
    !facts.isExcluded(entry.uri) &&
    (filter.mimeType === undefined || parseMediaType(entry.mimeType ?? '')?.essence === filter.mimeType) &&
    (filter.audience === undefined || (entry.annotations?.audience?.includes(filter.audience) ?? true)) &&
    (!filter.changed || facts.isChanged(entry.uri)) &&
    (!filter.live || facts.isLive(entry.uri)) &&
    (words.length === 0 || holdsAll(entry, words));
}

/** The words of a filter, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/u).filter(Boolean);
}

/** Whether each word occurs somewhere in what is known of an entry. */
export function holdsAll(
  { title, name, uri, description }: Pick<ResourceEntry, 'title' | 'name' | 'uri' | 'description'>,
  words: readonly string[],
): boolean {
  const texts = [title, name, uri, description].map((text) => text?.toLowerCase() ?? '');
  return words.every((word) => texts.some((text) => text.includes(word)));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
type Compare = (a: ResourceEntry, b: ResourceEntry) => number;

/** What is unknown comes last, in the server's order. */
const falling =
  (valueOf: (entry: ResourceEntry) => number | undefined): Compare =>
  (a, b) =>
    (valueOf(b) ?? -Infinity) - (valueOf(a) ?? -Infinity) || 0;

const comparers: Record<Exclude<SortKey, 'listed'>, Compare> = {
  name: (a, b) => collator.compare(labelOf(a), labelOf(b)),
  priority: falling(({ annotations }) => annotations?.priority),
  lastModified: falling(({ annotations }) => {
    const time = Date.parse(annotations?.lastModified ?? '');
    return Number.isNaN(time) ? undefined : time;
  }),
  size: falling(({ size }) => size),
};
