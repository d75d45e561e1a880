import { Coalescer } from '../base/coalescer';
import { Emitter } from '../base/events';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Memento } from '../base/memento';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import { ancestorsOf } from './ancestors';
import type { Snapshot } from './contentEntry';
import { contentHash } from './contentHash';
import type { ContentStore } from './contentStore';
import type { ResourceContent } from './resourceContent';

interface Surroundings {
  readonly storage: Memento;
  readonly pool: ConnectionPool;
  readonly content: ContentStore;
  onError(this: void, error: unknown): void;
}

/** Interest in a resource, with the connection that it belongs to. */
interface Watch {
  readonly ref: ResourceRef;
  readonly connection: ServerConnection;
  readonly interest: Disposable;
}

const KEY = 'attachedVersions';
/** Resources that are remembered. */
const MOST = 50;
/** From an update to the read that shows whether it changed anything; many make one. Milliseconds. */
const LOOK_MS = 150;

/**
 * What resources said when they were attached to a chat in this workspace, and which say something else now. What was
 * attached in this window is subscribed until it has changed, and looked at when its server says that it may have.
 */
export class AttachedVersions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<ResourceRef>());
  private readonly watches = new Map<string, Watch>();
  /** The hash of what was attached, by resource, the last at the end. */
  private readonly hashes: Map<string, string>;
  private readonly outdated = new Set<string>();
  private readonly updated = new Map<string, ResourceRef>();

  /** Fires with a resource that has changed since it was attached, and when it was attached again. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly around: Surroundings) {
    const { storage, pool, content, onError } = around;
    const kept = storage.get(KEY);
    this.hashes = new Map(Array.isArray(kept) ? kept.filter(isStored) : []);
    const looking = new Coalescer((signal) => this.look(signal), { delay: LOOK_MS, maxWait: LOOK_MS * 2, onError });
    this.store.add(looking);
    this.store.add(pool.onDidChangeServers(() => this.followServers()));
    this.store.add(
      pool.onDidChangeState((connection) => {
        if (connection.state.kind === 'connected') {
          // What it has told to nobody while it was away is not known.
          this.watchedOf(connection.id).forEach((ref) => this.updated.set(keyOf(ref), ref));
          looking.trigger();
        }
      }),
    );
    this.store.add(content.onDidRead((ref) => this.compare(ref, content.peek(ref)?.content)));
    this.store.add(
      pool.onDidUpdateResource(({ serverId, uri }) => {
        for (const ref of [uri, ...ancestorsOf(uri)].map((each) => ({ serverId, uri: each }))) {
          if (this.watches.has(keyOf(ref))) {
            this.updated.set(keyOf(ref), ref);
            looking.trigger();
          }
        }
      }),
    );
  }

  isOutdated(ref: ResourceRef): boolean {
    return this.outdated.has(keyOf(ref));
  }

  /** Resources are attached as these snapshots say. */
  async note(attached: readonly { readonly ref: ResourceRef; readonly snapshot: Snapshot }[]): Promise<void> {
    for (const { ref, snapshot } of attached) {
      const key = keyOf(ref);
      this.hashes.delete(key);
      this.hashes.set(key, contentHash(snapshot.content));
      this.watch(ref);
      if (this.outdated.delete(key)) {
        this.changeEmitter.fire(ref);
      }
    }
    for (const key of [...this.hashes.keys()].slice(0, -MOST)) {
      this.hashes.delete(key);
      this.unwatch(key);
      this.outdated.delete(key);
    }
    await this.around.storage.update(KEY, [...this.hashes]);
  }

  dispose(): void {
    [...this.watches.keys()].forEach((key) => this.unwatch(key));
    this.store.dispose();
  }

  private async look(signal: AbortSignal): Promise<void> {
    const refs = [...this.updated.values()];
    this.updated.clear();
    // One that never answers holds up none of the others.
    await Promise.all(
      refs.map(async (ref) => {
        // What cannot be read just now says nothing; its failure is told where it is read for somebody.
        this.compare(ref, await this.around.content.look(ref, signal).catch(() => undefined));
      }),
    );
  }

  private compare(ref: ResourceRef, content: ResourceContent | undefined): void {
    const key = keyOf(ref);
    const attached = this.hashes.get(key);
    if (!content || attached === undefined || this.outdated.has(key) === (contentHash(content) !== attached)) {
      return;
    }
    if (this.outdated.delete(key)) {
      // It says again what was attached, and may change once more.
      this.watch(ref);
    } else {
      this.outdated.add(key);
      // It is known now: what follows is of no interest any more.
      this.unwatch(key);
    }
    this.changeEmitter.fire(ref);
  }

  private watch(ref: ResourceRef): void {
    const key = keyOf(ref);
    const connection = this.around.pool.get(ref.serverId);
    if (connection?.state.kind === 'connected' && this.watches.get(key)?.connection !== connection) {
      this.unwatch(key);
      this.watches.set(key, { ref, connection, interest: connection.subscriptions.acquire(ref.uri) });
    }
  }

  private unwatch(key: string): void {
    this.watches.get(key)?.interest.dispose();
    this.watches.delete(key);
  }

  private watchedOf(serverId: string): ResourceRef[] {
    return [...this.watches.values()].map(({ ref }) => ref).filter((ref) => ref.serverId === serverId);
  }

  /** A server that was redefined is another connection: the former one tells nothing any more. */
  private followServers(): void {
    for (const [key, { ref, connection }] of this.watches) {
      if (this.around.pool.get(ref.serverId) !== connection) {
        this.unwatch(key);
      }
    }
  }
}

function isStored(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
