import { LRUCache } from 'lru-cache';
import { Emitter } from '../base/events';
import { type Disposable, DisposableStore, toDisposable } from '../base/lifecycle';
import type { Catalog } from '../catalog/catalog';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { Initiative } from '../connection/serverConnection';
import { ancestorsOf } from './ancestors';
import { contentSize, type ResourceContent, resourceContent } from './resourceContent';
import { ContentEntry, type Snapshot } from './contentEntry';
import type { StoreTimes } from './storeTimes';
import { Turns } from './turns';

/** What a reader wants: one opening is one read, and the calls that belong to it share the answer. */
export type Purpose =
  /** A command opens the resource: the calls that follow belong to it. */
  | 'open'
  /** The editor asks for size and time. */
  | 'stat'
  /** The editor takes the bytes. */
  | 'bytes'
  /** A person asked for what the server says now. */
  | 'refresh';

export interface ReadOptions {
  readonly purpose: Purpose;
  readonly initiative: Initiative;
  /** Hears in words how far the server is, or that a person is being asked. */
  readonly onProgress?: (words: string) => void;
  readonly signal?: AbortSignal;
}

/** A failed background read of a held resource, or its end. */
export interface ContentFailure {
  readonly ref: ResourceRef;
  readonly error: Error | undefined;
}

export interface ContentStoreOptions {
  readonly times?: Partial<StoreTimes>;
  /** How much is kept of resources that nobody holds. */
  readonly restingBytes?: number;
  /** Whether somebody looks at a resource now. Without it all are looked at. */
  readonly isInView?: (ref: ResourceRef) => boolean;
}

const DEFAULT_TIMES: StoreTimes = {
  openingMs: 3000,
  settleMs: 150,
  settleHiddenMs: 20_000,
  betweenReadsMs: 110,
  betweenManyReadsMs: 150,
  betweenHiddenReadsMs: 1000,
  discardForMs: 400,
  retryPausesMs: [500, 1000, 2000, 4000, 8000],
};
const RESTING_BYTES = 64 * 1024 * 1024;
/** More resources than this that change faster than they are read are many. */
const CROWD = 10;

/**
 * The one owner of what resources say (the SDK's cache is bypassed). A snapshot counts as fresh while an acknowledged
 * subscription is silent, or within the `ttlMs` that the server gave (specification: server/utilities/caching).
 */
export class ContentStore implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly held = new Map<string, ContentEntry>();
  /** Snapshots that nobody holds, bounded by bytes. */
  private readonly resting: LRUCache<string, ContentEntry>;
  private readonly contentEmitter = this.disposables.add(new Emitter<ResourceRef>());
  private readonly rereadEmitter = this.disposables.add(new Emitter<ResourceRef>());
  private readonly readEmitter = this.disposables.add(new Emitter<ResourceRef>());
  private readonly releaseEmitter = this.disposables.add(new Emitter<ResourceRef>());
  private readonly failureEmitter = this.disposables.add(new Emitter<ContentFailure>());
  private readonly times: StoreTimes;
  /** Of each server its own: one that answers nothing keeps no other waiting. */
  private readonly turns = new Map<string, Turns>();
  private readonly isInView: (ref: ResourceRef) => boolean;

  /** Fires with a resource whose contents are different now. */
  readonly onDidChangeContent = this.contentEmitter.event;
  /** Fires with a held resource that may have changed, when its reading begins; who asks for it now waits for the answer. */
  readonly onDidBeginReread = this.rereadEmitter.event;
  /** Fires with a resource that was read, changed or not. */
  readonly onDidRead = this.readEmitter.event;
  /** Fires with a resource that nobody holds any more. */
  readonly onDidRelease = this.releaseEmitter.event;
  /** Fires when a resource could not be read, and when it can be read again. */
  readonly onDidChangeFailure = this.failureEmitter.event;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly catalog: Catalog,
    { times, restingBytes = RESTING_BYTES, isInView = () => true }: ContentStoreOptions = {},
  ) {
    this.isInView = isInView;
    this.times = { ...DEFAULT_TIMES, ...times };
    this.resting = new LRUCache({
      max: 5000,
      maxSize: restingBytes,
      // Larger than the bound by itself: kept alone, for the calls of its opening.
      sizeCalculation: ({ snapshot }) =>
        Math.min(restingBytes, Math.max(1, snapshot ? contentSize(snapshot.content) : 1)),
      // What is taken out to be held lives on.
      dispose: (entry, _key, reason) => reason === 'evict' && entry.dispose(),
    });
    this.disposables.add(
      pool.onDidUpdateResource(({ serverId, uri }) => {
        for (const each of [uri, ...ancestorsOf(uri)]) {
          this.entryIfKnown({ serverId, uri: each })?.invalidate();
        }
      }),
    );
    this.disposables.add(pool.onDidSettleSubscription((ref) => this.held.get(keyOf(ref))?.subscriptionSettled()));
    this.disposables.add(
      pool.onDidChangeState((connection) => {
        if (connection.state.kind === 'connected') {
          // What nobody holds, too: somebody else may have subscribed to it, which makes it look current.
          [...this.heldOf(connection.id), ...this.restingOf(connection.id)].forEach((entry) => entry.connected());
        }
      }),
    );
    this.disposables.add(pool.onDidChangeAccount(({ id }) => this.forgetFor(id)));
    this.disposables.add(
      catalog.onDidChange(({ connection }) => this.heldOf(connection.id).forEach((entry) => this.followList(entry))),
    );
    this.disposables.add(pool.onDidChangeServers(() => [...this.held.values()].forEach((entry) => entry.rebind())));
  }

  /** What a resource says, read from its server unless what is known is fresh. Rejects with a HumanError. */
  read(ref: ResourceRef, options: ReadOptions): Promise<Snapshot> {
    return this.entry(ref).read(options);
  }

  /**
   * What a resource says, for who only looks into it: what is known and fresh, and what an editor shows, is taken as it
   * is. What is asked for leaves no trace: it is not subscribed, not kept, and nobody is asked for input. Rejects with a
   * HumanError.
   */
  async look(ref: ResourceRef, signal?: AbortSignal): Promise<ResourceContent> {
    const entry = this.entryIfKnown(ref);
    if (entry && (entry.isFresh || this.isHeld(ref))) {
      return (await entry.read({ purpose: 'stat', initiative: 'background', signal })).content;
    }
    const { contents } = await this.pool.require(ref.serverId).read(ref.uri, { initiative: 'background' }, signal);
    return resourceContent(contents, { uri: ref.uri, mimeType: this.catalog.entryOf(ref)?.mimeType });
  }

  /** Reads what is held and was never read. Nobody waits for it: after its subscription, a few at a time. */
  prepare(ref: ResourceRef): void {
    this.held.get(keyOf(ref))?.prepare();
  }

  /** Many are opened together: those that were read first answer as if it had been just now, unless they have changed. */
  prolongOpening(ref: ResourceRef): void {
    this.entryIfKnown(ref)?.prolongOpening();
  }

  /** The last accepted snapshot, fresh or not. */
  peek(ref: ResourceRef): Snapshot | undefined {
    return this.entryIfKnown(ref)?.snapshot;
  }

  /** Why the last read of a resource failed; `undefined` after a success. */
  failureOf(ref: ResourceRef): Error | undefined {
    return this.entryIfKnown(ref)?.failure;
  }

  /** The server listed a resource that is held, and no longer does. */
  isUnlisted(ref: ResourceRef): boolean {
    return this.held.get(keyOf(ref))?.isUnlisted ?? false;
  }

  /** Interest in a resource until it is disposed of: it is subscribed, and read again when it changes. */
  hold(ref: ResourceRef): Disposable {
    const key = keyOf(ref);
    const entry = this.entry(ref);
    this.held.set(key, entry);
    this.resting.delete(key);
    entry.hold();
    this.followList(entry);
    return toDisposable(() => {
      if (entry.release() === 0) {
        this.held.delete(key);
        this.resting.set(key, entry);
        this.releaseEmitter.fire(ref);
      }
    });
  }

  isHeld(ref: ResourceRef): boolean {
    return this.held.has(keyOf(ref));
  }

  get heldCount(): number {
    return this.held.size;
  }

  dispose(): void {
    this.disposables.dispose();
    for (const entry of [...this.held.values(), ...this.resting.values()]) {
      entry.dispose();
    }
    this.held.clear();
    this.resting.clear();
  }

  private entry(ref: ResourceRef): ContentEntry {
    const known = this.entryIfKnown(ref);
    if (known) {
      return known;
    }
    const key = keyOf(ref);
    const turns = this.turns.get(ref.serverId) ?? new Turns();
    this.turns.set(ref.serverId, turns);
    const created: ContentEntry = new ContentEntry(ref, this.times, {
      connection: () => this.pool.require(ref.serverId),
      connectionIfAny: () => this.pool.get(ref.serverId),
      listedType: () => this.catalog.entryOf(ref)?.mimeType,
      isCrowded: () => this.isCrowded(),
      isInView: () => this.isInView(ref),
      turns,
      changed: () => this.contentEmitter.fire(ref),
      rereading: () => this.rereadEmitter.fire(ref),
      accepted: () => this.readEmitter.fire(ref),
      failed: (error) => this.failureEmitter.fire({ ref, error }),
      resized: () => {
        if (this.resting.delete(key)) {
          this.resting.set(key, created);
        }
      },
    });
    this.resting.set(key, created);
    return created;
  }

  private restingOf(serverId: string): ContentEntry[] {
    return [...this.resting.values()].filter(({ ref }) => ref.serverId === serverId);
  }

  private isCrowded(): boolean {
    let waiting = 0;
    for (const entry of this.held.values()) {
      waiting += entry.isWaiting ? 1 : 0;
    }
    return waiting > CROWD;
  }

  private entryIfKnown(ref: ResourceRef): ContentEntry | undefined {
    const key = keyOf(ref);
    return this.held.get(key) ?? this.resting.get(key);
  }

  /** Another account: nothing that is kept may be shown to it (specification: server/utilities/caching, private). */
  private forgetFor(serverId: string): void {
    for (const entry of this.resting.values()) {
      if (entry.ref.serverId === serverId) {
        entry.forget();
      }
    }
    this.heldOf(serverId).forEach((entry) => entry.invalidate());
  }

  /** Only a complete list says what is missing from it. */
  private followList(entry: ContentEntry): void {
    const connection = this.pool.get(entry.ref.serverId);
    if (connection && this.catalog.of(connection)?.resources.state === 'loaded') {
      entry.listed(this.catalog.entryOf(entry.ref) !== undefined);
    }
  }

  private heldOf(serverId: string): readonly ContentEntry[] {
    return [...this.held.values()].filter((entry) => entry.ref.serverId === serverId);
  }
}
