import { CancelledError } from '../base/errors';
import { Emitter } from '../base/events';
import type { Disposable } from '../base/lifecycle';
import { RequestError } from '../connection/requestFailure';
import type { Page } from '../connection/wire';

/** Where a list stands. Failure and emptiness differ: `failed` has an error, `loaded` may hold nothing. */
export type ListState = 'idle' | 'loading' | 'loaded' | 'failed';

/** What a person can see of a list. */
export type ListFacts = Pick<PagedList<unknown>, 'state' | 'items' | 'failures' | 'error'>;

const INVALID_PARAMS = -32602;
/** More pages than this are not asked for: a server whose cursors never end must not fill the memory. */
const MAX_PAGES = 10_000;
const MAX_ENTRIES = 200_000;
const MAX_FAILURES = 100;
/** Characters of entries and cursors: neither must huge ones fill it. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** A server does not know a cursor that it gave. */
class InvalidCursor extends RequestError {
  constructor({ kind, message, code }: RequestError) {
    super(kind, message, code);
  }
}

/**
 * One list of a server, page by page (specification: server/utilities/pagination). The first walk shows pages as they
 * come; a later one keeps what was there until it is complete.
 */
export class PagedList<T> implements Disposable {
  private shown: readonly T[] = [];
  /** What is shown, by identity. */
  private byIdentity: ReadonlyMap<string, T> = new Map();
  private notUnderstood: readonly string[] = [];
  private currentState: ListState = 'idle';
  private currentError: Error | undefined;
  private walk: { readonly promise: Promise<readonly T[]>; readonly abort: AbortController } | undefined;
  /** A change was announced while a walk was under way: its result may be old already. */
  private outdated = false;
  /**
   * The pages of the last walk by their cursors, each with the time until which its server calls it fresh. Another map
   * after a change: what was asked for before it goes into the old one.
   */
  private pages = new Map<string | undefined, { readonly page: Page<T>; readonly freshUntil: number }>();
  private readonly changeEmitter = new Emitter<void>();

  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
    private readonly identityOf: (item: T) => string,
    /** How much of the memory an item takes beside its identity. */
    private readonly charactersOf: (item: T) => number,
  ) {}

  get state(): ListState {
    return this.currentState;
  }

  /** What is known so far, in the server's order, each identity once. */
  get items(): readonly T[] {
    return this.shown;
  }

  /** The item of an identity, as far as the list is known. */
  find(identity: string): T | undefined {
    return this.byIdentity.get(identity);
  }

  /** Entries that could not be understood, each as its place and the reason. They cost the others nothing. */
  get failures(): readonly string[] {
    return this.notUnderstood;
  }

  get error(): Error | undefined {
    return this.currentError;
  }

  /** The complete list; walks the pages unless that was done already. Rejects when a page fails. */
  load(): Promise<readonly T[]> {
    if (this.currentState === 'loaded' && !this.walk) {
      return Promise.resolve(this.shown);
    }
    return this.walk?.promise ?? this.start();
  }

  /**
   * Asks again for the pages whose time is over (specification: server/utilities/caching); those that are fresh are not
   * asked for. A server that gave no time is taken at its word until it says that its list has changed.
   */
  async revalidate(): Promise<void> {
    const expired = [...this.pages].filter(([, { freshUntil }]) => freshUntil <= Date.now());
    if (this.currentState !== 'loaded' || this.walk || expired.length === 0) {
      return;
    }
    expired.forEach(([cursor]) => this.pages.delete(cursor));
    await this.start();
  }

  /** Walks the pages anew. One walk at a time: a request during a walk leads to one more after it. */
  reload(): Promise<readonly T[]> {
    this.pages = new Map();
    if (this.walk) {
      this.outdated = true;
      return this.walk.promise;
    }
    return this.start();
  }

  /** Gives up a walk under way; what it has found stays, and the state says that it is not all. */
  stop(): void {
    if (!this.walk) {
      return;
    }
    this.walk.abort.abort();
    this.walk = undefined;
    this.outdated = false;
    this.currentError = new RequestError('server', `it was stopped; ${this.shown.length} entries are shown`);
    this.setState('failed');
  }

  /** Forgets everything; a walk under way is given up. */
  reset(): void {
    this.walk?.abort.abort();
    this.walk = undefined;
    this.outdated = false;
    this.currentError = undefined;
    this.shown = [];
    this.byIdentity = new Map();
    this.notUnderstood = [];
    this.pages = new Map();
    this.setState('idle');
  }

  dispose(): void {
    this.walk?.abort.abort();
    this.changeEmitter.dispose();
  }

  private start(): Promise<readonly T[]> {
    const abort = new AbortController();
    const promise = this.run(abort.signal);
    this.walk = { promise, abort };
    // Those who wait hear of it; everybody else sees the state.
    promise.catch(() => undefined);
    this.setState('loading');
    return promise;
  }

  private async run(signal: AbortSignal): Promise<readonly T[]> {
    try {
      do {
        this.outdated = false;
        await this.walkFromStart(signal);
        if (signal.aborted) {
          // By one who heard of the last page.
          throw new CancelledError();
        }
      } while (this.outdated);
      this.walk = undefined;
      this.currentError = undefined;
      this.setState('loaded');
      return this.shown;
    } catch (error) {
      if (signal.aborted) {
        throw new CancelledError();
      }
      // A page may have been asked for ahead.
      this.walk?.abort.abort();
      this.walk = undefined;
      this.currentError = error as Error;
      this.setState('failed');
      throw error;
    }
  }

  /** A cursor that the server no longer knows means: from the start. */
  private async walkFromStart(signal: AbortSignal): Promise<void> {
    try {
      await this.walkPages(signal);
    } catch (error) {
      if (!(error instanceof InvalidCursor) || signal.aborted) {
        throw error;
      }
      this.pages = new Map();
      await this.walkPages(signal);
    }
  }

  /** A page that is fresh, or the server's answer. */
  private async pageAt(cursor: string | undefined, signal: AbortSignal): Promise<Page<T>> {
    const { pages } = this;
    const known = pages.get(cursor);
    if (known) {
      return known.page;
    }
    const page = await this.fetchPage(cursor, signal).catch((error: unknown) => {
      const isInvalid = cursor !== undefined && error instanceof RequestError && error.code === INVALID_PARAMS;
      throw isInvalid ? new InvalidCursor(error) : error;
    });
    if (page.ttlMs !== undefined) {
      pages.set(cursor, { page, freshUntil: Date.now() + page.ttlMs });
    }
    return page;
  }

  private async walkPages(signal: AbortSignal): Promise<void> {
    const streaming = this.shown.length === 0;
    const seenCursors = new Set<string>();
    const byIdentity = new Map<string, T>();
    const found: T[] = [];
    const failures: string[] = [];
    let cursor: string | undefined;
    let characters = 0;
    const show = (): void => {
      this.shown = found;
      this.byIdentity = byIdentity;
      this.notUnderstood = failures;
      this.changeEmitter.fire();
    };
    let coming = this.pageAt(cursor, signal);
    for (let pages = 1; ; pages += 1) {
      const page = await coming;
      if (signal.aborted) {
        throw new CancelledError();
      }
      cursor = page.nextCursor;
      const isLast = cursor === undefined || seenCursors.has(cursor);
      // Its server makes it while this one is looked at, unless this one may turn out to be the last that is wanted.
      const isAhead = !isLast && pages < MAX_PAGES && found.length + page.items.length < MAX_ENTRIES;
      if (isAhead) {
        coming = this.pageAt(cursor, signal);
        coming.catch(() => undefined);
      }
      for (const item of page.items) {
        const identity = this.identityOf(item);
        if (!byIdentity.has(identity)) {
          byIdentity.set(identity, item);
          found.push(item);
          characters += identity.length + this.charactersOf(item);
        }
      }
      for (const reason of (page.failures ?? []).slice(0, MAX_FAILURES - failures.length)) {
        failures.push(pages === 1 ? reason : `page ${pages}: ${reason}`);
      }
      if (cursor === undefined || isLast) {
        show();
        return;
      }
      seenCursors.add(cursor);
      characters += cursor.length;
      const cut =
        characters > MAX_CHARACTERS
          ? 'is too large'
          : pages >= MAX_PAGES
            ? `does not end within ${MAX_PAGES} pages`
            : found.length >= MAX_ENTRIES
              ? `has more than ${MAX_ENTRIES} entries`
              : undefined;
      if (streaming || cut !== undefined) {
        show();
      }
      if (cut !== undefined) {
        throw new RequestError('server', `the list ${cut}; its first ${found.length} entries are shown`);
      }
      if (!isAhead) {
        coming = this.pageAt(cursor, signal);
      }
    }
  }

  private setState(state: ListState): void {
    this.currentState = state;
    this.changeEmitter.fire();
  }
}
