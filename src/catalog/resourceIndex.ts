import { TimeSlices } from '../base/timeSlices';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry, TemplateEntry } from '../connection/wire';
import type { Catalog } from './catalog';
import { filledLabel } from './filledLabel';
import { FuzzyEntry, type FuzzyMatch, type FuzzySource, rankInSlices } from './fuzzyMatch';
import { labelOf } from './labelOf';
import type { ServerCatalog } from './serverCatalog';
import type { TemplateInstances } from './templateInstances';

/** A listed resource or template, or what was made of a template, as it is searched. `ref.uri` is the template's text where it is one. */
export interface IndexedEntry extends FuzzySource {
  readonly ref: ResourceRef;
  readonly found:
    | { readonly kind: 'resource'; readonly entry: ResourceEntry; readonly madeFrom?: TemplateEntry }
    | { readonly kind: 'template'; readonly entry: TemplateEntry };
  recency?: number;
}

/** What was used lately, by server: the URI (or template) and its rank, 0 for the last. Never changed, but replaced. */
export type RecencyOf = (serverId: string) => ReadonlyMap<string, number>;

/** What a person's settings leave out of a server's lists: all of it, or some URIs. The same function until they change. */
export interface Exclusion {
  isHidden(serverId: string): boolean;
  excludedBy(serverId: string): (uri: string) => boolean;
}

/** What to look for in all lists, and how many to give at most. */
export interface IndexSearch {
  readonly query: string;
  readonly limit: number;
}

/** What an index looks in. */
export interface IndexedParts {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly instances: TemplateInstances;
  readonly recencyOf: RecencyOf;
  readonly exclusion: Exclusion;
}

/** The entries made of one list so far, and the recency that they have. */
interface MadeEntries {
  readonly entries: FuzzyEntry<IndexedEntry>[];
  readonly isExcluded: (uri: string) => boolean;
  /** How many of the list's items were looked at. */
  looked: number;
  recency: ReadonlyMap<string, number>;
}

/** All that the servers list, to be searched. What is made of a list is kept for as long as the list is. */
export class ResourceIndex {
  /** By the array of a list's items: a new list is a new array; one that is being loaded grows. */
  private readonly made = new WeakMap<readonly unknown[], MadeEntries>();

  constructor(private readonly parts: IndexedParts) {}

  /** How many resources are listed so far. */
  get size(): number {
    return this.catalogs().reduce((sum, { resources }) => sum + resources.items.length, 0);
  }

  /** The best entries for a query, best first; for an empty one the lately used, then some of each server. */
  async search(search: IndexSearch, signal?: AbortSignal): Promise<readonly FuzzyMatch<IndexedEntry>[]> {
    const slices = new TimeSlices(signal);
    const servers: FuzzyEntry<IndexedEntry>[][] = [];
    for (const lists of this.catalogs()) {
      const { connection, resources, templates } = lists;
      const list = { serverId: connection.id, slices };
      const entries = await this.entriesOf(resources.items, (entry) => ({ kind: 'resource', entry }), list);
      servers.push(
        entries.concat(
          await this.entriesOf(templates.items, (entry) => ({ kind: 'template', entry }), list),
          this.madeOf(lists),
        ),
      );
    }
    return search.query.trim() === ''
      ? firstOf(servers, search.limit)
      : rankInSlices({ ...search, entries: servers.flat() }, signal);
  }

  private catalogs(): readonly ServerCatalog[] {
    const { pool, catalog, exclusion } = this.parts;
    return pool.all
      .filter((connection) => isOffered(connection) && !exclusion.isHidden(connection.id))
      .flatMap((connection) => catalog.of(connection) ?? []);
  }

  /** What a person made of a server's templates, as far as it is not listed. There is never much of it. */
  private madeOf({ connection, resources, templates }: ServerCatalog): FuzzyEntry<IndexedEntry>[] {
    const serverId = connection.id;
    const recency = this.parts.recencyOf(serverId);
    const made = new Map<string, FuzzyEntry<IndexedEntry>>();
    for (const instance of this.parts.instances.ofServer(serverId)) {
      const { uri } = instance;
      const madeFrom = templates.find(instance.uriTemplate);
      // Two templates may lead to the same resource.
      if (madeFrom && !made.has(uri) && !resources.find(uri)) {
        const { mimeType, annotations } = madeFrom;
        const name = filledLabel(instance);
        const [title, description] = [labelOf({ name, uri }), labelOf(madeFrom)];
        const found = { kind: 'resource', entry: { uri, name, mimeType, annotations }, madeFrom } as const;
        const known = { title, name, uri, description, owner: serverId, recency: recency.get(uri) };
        made.set(uri, new FuzzyEntry({ ...known, ref: { serverId, uri }, found }));
      }
    }
    return [...made.values()];
  }

  private async entriesOf<T extends ResourceEntry | TemplateEntry>(
    items: readonly T[],
    foundAs: (item: T) => IndexedEntry['found'],
    { serverId, slices }: { serverId: string; slices: TimeSlices },
  ): Promise<FuzzyEntry<IndexedEntry>[]> {
    const recency = this.parts.recencyOf(serverId);
    const isExcluded = this.parts.exclusion.excludedBy(serverId);
    const known = this.made.get(items);
    const made = known?.isExcluded === isExcluded ? known : { entries: [], isExcluded, looked: 0, recency };
    this.made.set(items, made);
    const { entries } = made;
    // The length is looked at anew each time: a search that was given up may have gone on with the same list.
    while (made.looked < items.length) {
      const item = items[made.looked]!;
      made.looked += 1;
      const uri = 'uri' in item ? item.uri : item.uriTemplate;
      const { name, description } = item;
      const found = foundAs(item);
      const ref = { serverId, uri };
      if (!isExcluded(uri)) {
        entries.push(
          new FuzzyEntry({
            ...{ title: labelOf(item), name, uri, description, owner: serverId },
            ...{ ref, found, recency: recency.get(uri) },
          }),
        );
      }
      if (slices.due) {
        await slices.pause();
      }
    }
    if (made.recency !== recency) {
      for (const { source } of entries) {
        source.recency = recency.get(source.uri);
        if (slices.due) {
          await slices.pause();
        }
      }
      made.recency = recency;
    }
    return entries;
  }
}

/** A stopped server offers nothing; one whose connection was lost may be back soon, and keeps what it listed. */
function isOffered({ state }: ServerConnection): boolean {
  return state.kind !== 'stopped';
}

/** What is shown before anything is typed: what was used lately, then of each server as much as there is room for. */
function firstOf(servers: readonly FuzzyEntry<IndexedEntry>[][], limit: number): readonly FuzzyMatch<IndexedEntry>[] {
  const recent = servers
    .flatMap((entries) => entries.filter(({ source }) => source.recency !== undefined))
    .sort((a, b) => a.source.recency! - b.source.recency!)
    .slice(0, limit);
  const others = servers.map((entries) => entries.filter(({ source }) => source.recency === undefined).slice(0, limit));
  const rooms = new Map<FuzzyEntry<IndexedEntry>[], number>();
  let room = limit - recent.length;
  // The short lists first: what they leave is for the others.
  for (const entries of others.toSorted((a, b) => a.length - b.length)) {
    rooms.set(entries, Math.min(entries.length, Math.ceil(room / (others.length - rooms.size))));
    room -= rooms.get(entries)!;
  }
  return [...recent, ...others.flatMap((entries) => entries.slice(0, rooms.get(entries)))].map(({ source }) => ({
    source,
    score: 0,
    highlights: [],
  }));
}
