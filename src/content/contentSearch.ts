import { messageOf } from '../base/errors';
import { Emitter } from '../base/events';
import type { Disposable } from '../base/lifecycle';
import { isTextType } from '../base/mediaType';
import { TimeSlices } from '../base/timeSlices';
import { keyOf, type ResourceRef } from '../connection/connectionPool';
import type { ContentDocument, ResourceContent } from './resourceContent';
import { findMatches, type SearchQuery, type TextMatch, textOfBytes } from './textSearch';

/** A resource to be searched. */
export interface SearchTarget {
  readonly ref: ResourceRef;
  /** Bytes, as the server says. */
  readonly size?: number;
  /** As the server lists it. */
  readonly mimeType?: string;
}

/** Occurrences in one document of a resource. */
export interface SearchHit {
  readonly ref: ResourceRef;
  /** The part that it is, by its name below the resource. */
  readonly child?: string;
  readonly matches: readonly TextMatch[];
  /** The resource's place among all that are searched. */
  readonly place: number;
}

/** What could not be searched, and why: a resource, or where `uri` is missing a whole server. */
export interface SearchFailure {
  readonly serverId: string;
  readonly uri?: string;
  readonly reason: string;
}

/** Where a search stands: under way, at its end, or ended before it by a person or one of its limits. */
export type SearchState = 'running' | 'done' | 'cancelled' | keyof SearchLimits;

/** How much a search may do before it ends, with what it found until then. */
export interface SearchLimits {
  /** Bytes of text in all. */
  readonly bytes: number;
  readonly matches: number;
  readonly milliseconds: number;
}

export const searchLimits: SearchLimits = { bytes: 50 * 1024 * 1024, matches: 2000, milliseconds: 60_000 };
/** A text beyond this is not searched. Bytes. */
export const largestSearched = 5 * 1024 * 1024;
/** Reads at a time, per server. */
const LANES = 4;

interface SearchOptions {
  readonly targets: readonly SearchTarget[];
  readonly query: SearchQuery;
  /** `ContentStore.look`. */
  readonly read: (ref: ResourceRef, signal: AbortSignal) => Promise<ResourceContent>;
  readonly limits?: SearchLimits;
  /** What is known not to be searched from the outset. */
  readonly failures?: readonly SearchFailure[];
}

/** One search in the texts of resources. What it has found can be looked at while it is under way, and after it. */
export class ContentSearch implements Disposable {
  readonly total: number;
  readonly query: SearchQuery;
  /** Resources that were looked at, whether or not that went well. */
  searched = 0;
  /** Resources without text. */
  binaries = 0;
  matches = 0;
  private readonly found: SearchHit[] = [];
  private readonly failed: SearchFailure[];
  private current: SearchState = 'running';
  private bytes = 0;
  private readonly stopping = new AbortController();
  private readonly slices = new TimeSlices(this.stopping.signal);
  /** One text at a time: two that take turns would take twice as long between two pauses. */
  private turn: Promise<void> = Promise.resolve();
  private readonly known: ReadonlySet<string>;
  private readonly limits: SearchLimits;
  private readonly changeEmitter = new Emitter<void>();

  /** Fires when there is more to see, and at the end. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: SearchOptions) {
    this.total = options.targets.length;
    this.query = options.query;
    this.failed = [...(options.failures ?? [])];
    this.limits = options.limits ?? searchLimits;
    this.known = new Set(options.targets.map(({ ref }) => keyOf(ref)));
  }

  get state(): SearchState {
    return this.current;
  }

  /** In the order of the resources. */
  get hits(): readonly SearchHit[] {
    return this.found;
  }

  get failures(): readonly SearchFailure[] {
    return this.failed;
  }

  /** Resources in which something was found. */
  get resourcesWithMatches(): number {
    return new Set(this.found.map(({ place }) => place)).size;
  }

  /** Resolves at the end, whichever it is. Once only. */
  async run(signal?: AbortSignal): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const cancel = (): void => this.end('cancelled');
    signal?.addEventListener('abort', cancel, { once: true });
    const timer = setTimeout(() => this.end('milliseconds'), this.limits.milliseconds);
    try {
      if (signal?.aborted) {
        cancel();
      }
      // What a server is still answering when the search ends is not waited for.
      await Promise.race([stopped, this.work()]);
      this.end('done');
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  dispose(): void {
    this.end('cancelled');
    this.changeEmitter.dispose();
  }

  private end(state: SearchState): void {
    if (this.current === 'running') {
      this.current = state;
      this.stopping.abort();
      this.changeEmitter.fire();
    }
  }

  private async work(): Promise<void> {
    const servers = new Map<string, { target: SearchTarget; place: number }[]>();
    this.options.targets.forEach((target, place) => {
      const { serverId } = target.ref;
      servers.set(serverId, servers.get(serverId) ?? []);
      servers.get(serverId)!.push({ target, place });
    });
    const lanes = [...servers.values()].flatMap((targets) => {
      // Whichever lane is free takes the next.
      const queue = targets.values();
      return Array.from({ length: LANES }, () => this.lane(queue));
    });
    await Promise.all(lanes);
  }

  private async lane(queue: Iterable<{ target: SearchTarget; place: number }>): Promise<void> {
    for (const { target, place } of queue) {
      try {
        await this.look(target, place);
      } catch (error) {
        this.fail(target.ref, messageOf(error));
      }
      if (this.current !== 'running') {
        return;
      }
      this.searched += 1;
      this.changeEmitter.fire();
    }
  }

  private async look({ ref, size = 0, mimeType = '' }: SearchTarget, place: number): Promise<void> {
    if (/^(image|audio|video)\//i.test(mimeType) && !isTextType(mimeType)) {
      this.binaries += 1;
      return;
    }
    if (size > largestSearched) {
      this.fail(ref, tooLarge);
      return;
    }
    const content = await this.options.read(ref, this.stopping.signal);
    const searched = this.turn.then(() => this.searchContent(content, ref, place));
    this.turn = searched.catch(() => undefined);
    await searched;
  }

  private async searchContent(content: ResourceContent, ref: ResourceRef, place: number): Promise<void> {
    const documents = documentsOf(content);
    for (const [child, document] of documents) {
      const { part } = document;
      if (this.current !== 'running') {
        return;
      }
      if (part?.failure !== undefined) {
        this.fail(ref, child === undefined ? part.failure : `${child}: ${part.failure}`);
      } else if (document.isText && !this.isSearchedItself(part?.uri, ref)) {
        await this.searchDocument(document, { ref, child, place });
      }
    }
    const isBinary = ([, { isText, part }]: (typeof documents)[number]): boolean =>
      !isText && part?.failure === undefined;
    this.binaries += documents.length > 0 && documents.every(isBinary) ? 1 : 0;
  }

  /** A part that is also listed by itself is found there. */
  private isSearchedItself(uri: string | undefined, { serverId, uri: own }: ResourceRef): boolean {
    return uri !== undefined && uri !== own && this.known.has(keyOf({ serverId, uri }));
  }

  private async searchDocument(document: ContentDocument, hit: Omit<SearchHit, 'matches'>): Promise<void> {
    const { bytes } = document;
    if (bytes.byteLength > largestSearched) {
      this.fail(hit.ref, tooLarge);
      return;
    }
    if (this.bytes + bytes.byteLength > this.limits.bytes) {
      this.end('bytes');
      return;
    }
    this.bytes += bytes.byteLength;
    const left = this.limits.matches - this.matches;
    const matches = await findMatches(textOfBytes(bytes), this.query, left + 1, this.slices);
    if (this.current !== 'running') {
      return;
    }
    const kept = matches.slice(0, left);
    if (kept.length > 0) {
      this.matches += kept.length;
      const later = this.found.findIndex(({ place }) => place > hit.place);
      this.found.splice(later < 0 ? this.found.length : later, 0, { ...hit, matches: kept });
    }
    if (matches.length > left) {
      this.end('matches');
    }
  }

  private fail({ serverId, uri }: ResourceRef, reason: string): void {
    if (this.current === 'running') {
      this.failed.push({ serverId, uri, reason });
    }
  }
}

const tooLarge = `it is larger than ${largestSearched / 1024 / 1024} MB`;

/** What came from the server; what we made of it is not searched again. */
function documentsOf(content: ResourceContent): (readonly [string | undefined, ContentDocument])[] {
  const own = content.shape === 'file' ? [[undefined, content] as const] : [];
  return [...own, ...[...content.children].filter(([, { part }]) => part !== undefined)];
}
