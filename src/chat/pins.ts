import { messageOf } from '../base/errors';
import { Emitter, type Event } from '../base/events';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Memento } from '../base/memento';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import { RequestError } from '../connection/requestFailure';
import type { Snapshot } from '../content/contentEntry';
import type { ContentStore } from '../content/contentStore';
import type { PinnedResource } from '../content/pinnedResource';
import type { ResourceContent } from '../content/resourceContent';

/** What is kept of a pin. */
interface StoredPin {
  readonly serverId: string;
  readonly uri: string;
  /** What it was called when it was pinned: lists are not asked for the sake of a name. */
  readonly label: string;
}

interface PinSurroundings {
  readonly storage: Memento;
  readonly pool: ConnectionPool;
  readonly content: ContentStore;
  /** What has changed since it was attached. */
  readonly attached: { isOutdated(ref: ResourceRef): boolean; readonly onDidChange: Event<ResourceRef> };
  /** About how many tokens a model makes of it; `undefined` for what is no text. */
  tokensOf(this: void, content: ResourceContent): number | undefined;
}

const KEY = 'pins';

/**
 * The pinned resources of a workspace, in the order in which they were pinned. Each is held, so that it is subscribed and
 * read anew when it changes, but no server is ever started for it.
 */
export class Pins implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<ResourceRef>());
  private readonly holds = new Map<string, Disposable>();
  /** The size of a snapshot, worked out once. */
  private readonly sizes = new WeakMap<Snapshot, { readonly tokens: number | undefined }>();
  private stored: readonly StoredPin[] = [];

  /** Fires with a resource that was pinned or unpinned, or whose pin looks otherwise now. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly around: PinSurroundings) {
    const { storage, pool, content, attached } = around;
    const kept = storage.get(KEY);
    for (const pin of Array.isArray(kept) ? kept.filter(isStoredPin) : []) {
      if (!this.has(pin)) {
        this.hold(pin);
        this.stored = [...this.stored, pin];
      }
    }
    const changed = (ref: ResourceRef): void => {
      if (this.has(ref)) {
        this.changeEmitter.fire(ref);
      }
    };
    this.store.add(content.onDidRead(changed));
    this.store.add(attached.onDidChange(changed));
    this.store.add(content.onDidChangeFailure(({ ref }) => changed(ref)));
    this.store.add(pool.onDidChangeState(({ id }) => this.followServers((pin) => pin.serverId === id)));
    this.store.add(pool.onDidChangeServers(() => this.followServers(() => true)));
  }

  get all(): readonly PinnedResource[] {
    return this.stored.map((pin) => this.lookOf(pin));
  }

  has(ref: ResourceRef): boolean {
    return this.holds.has(keyOf(ref));
  }

  /** Pins a resource, after those that are pinned already. */
  async pin(ref: ResourceRef, label: string): Promise<void> {
    if (!this.has(ref)) {
      const pin = { serverId: ref.serverId, uri: ref.uri, label };
      this.hold(pin);
      await this.save([...this.stored, pin], ref);
      this.readWhereConnected(pin);
    }
  }

  async unpin(ref: ResourceRef): Promise<void> {
    const key = keyOf(ref);
    if (this.has(ref)) {
      this.holds.get(key)?.dispose();
      this.holds.delete(key);
      await this.save(
        this.stored.filter((pin) => keyOf(pin) !== key),
        ref,
      );
    }
  }

  dispose(): void {
    this.store.dispose();
    this.holds.forEach((hold) => hold.dispose());
    this.holds.clear();
  }

  private hold(pin: StoredPin): void {
    this.holds.set(keyOf(pin), this.around.content.hold({ serverId: pin.serverId, uri: pin.uri }));
  }

  private async save(stored: readonly StoredPin[], changed: ResourceRef): Promise<void> {
    this.stored = stored;
    this.changeEmitter.fire(changed);
    await this.around.storage.update(KEY, stored);
  }

  private followServers(concerns: (pin: StoredPin) => boolean): void {
    for (const pin of this.stored.filter(concerns)) {
      this.readWhereConnected(pin);
      this.changeEmitter.fire(pin);
    }
  }

  /** What was read before is read again by the store. */
  private readWhereConnected(pin: StoredPin): void {
    const { content, pool } = this.around;
    if (pool.get(pin.serverId)?.state.kind === 'connected') {
      content.prepare(pin);
    }
  }

  private lookOf(pin: StoredPin): PinnedResource {
    const { attached, content, pool } = this.around;
    const ref = { serverId: pin.serverId, uri: pin.uri };
    const connection = pool.get(pin.serverId);
    const snapshot = content.peek(ref);
    const failure = content.failureOf(ref);
    const look = {
      ref,
      label: pin.label,
      tokens: snapshot && this.tokensOf(snapshot),
      changed: attached.isOutdated(ref),
    };
    if (!connection) {
      return { ...look, state: 'lost' };
    }
    if (connection.state.kind !== 'connected') {
      return { ...look, state: 'waiting' };
    }
    if (failure) {
      const gone = failure instanceof RequestError && failure.kind === 'notFound';
      return gone ? { ...look, state: 'gone' } : { ...look, state: 'failed', failure: messageOf(failure) };
    }
    return { ...look, state: snapshot ? 'ready' : 'unread' };
  }

  private tokensOf(snapshot: Snapshot): number | undefined {
    const known = this.sizes.get(snapshot) ?? { tokens: this.around.tokensOf(snapshot.content) };
    this.sizes.set(snapshot, known);
    return known.tokens;
  }
}

/** What is stored may be of another version, or damaged. */
function isStoredPin(value: unknown): value is StoredPin {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { serverId, uri, label } = value as Record<string, unknown>;
  return [serverId, uri, label].every((field) => typeof field === 'string');
}
