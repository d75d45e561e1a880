import { Emitter } from '../base/events';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { Snapshot } from './contentEntry';
import { contentHash } from './contentHash';
import type { ContentStore } from './contentStore';

/** Where it is kept what was attached. `vscode.Memento` fits it. */
export interface VersionStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'attachedVersions';
/** Resources that are remembered. */
const MOST = 50;

/**
 * What resources said when they were attached to a chat in this workspace, and which say something else now. Until it has
 * changed, what was attached in this window is held where its server tells of changes.
 */
export class AttachedVersions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<ResourceRef>());
  private readonly holds = new Map<string, Disposable>();
  /** The hash of what was attached, by resource, the last at the end. */
  private readonly hashes: Map<string, string>;
  private readonly outdated = new Set<string>();

  /** Fires with a resource that has changed since it was attached, and when it was attached again. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly storage: VersionStorage,
    private readonly pool: ConnectionPool,
    private readonly content: ContentStore,
  ) {
    const kept = storage.get(KEY);
    this.hashes = new Map(Array.isArray(kept) ? kept.filter(isStored) : []);
    this.store.add(content.onDidRead((ref) => this.compare(ref)));
  }

  isOutdated(ref: ResourceRef): boolean {
    return this.outdated.has(keyOf(ref));
  }

  /** Resources are attached as they were read last. */
  async note(attached: readonly { readonly ref: ResourceRef; readonly snapshot: Snapshot }[]): Promise<void> {
    for (const { ref, snapshot } of attached) {
      const key = keyOf(ref);
      this.hashes.delete(key);
      this.hashes.set(key, contentHash(snapshot.content));
      if (!this.holds.has(key) && this.tellsOfChanges(ref)) {
        this.holds.set(key, this.content.hold(ref));
      }
      if (this.outdated.delete(key)) {
        this.changeEmitter.fire(ref);
      }
    }
    for (const key of [...this.hashes.keys()].slice(0, -MOST)) {
      this.hashes.delete(key);
      this.release(key);
    }
    await this.storage.update(KEY, [...this.hashes]);
  }

  dispose(): void {
    this.holds.forEach((hold) => hold.dispose());
    this.holds.clear();
    this.store.dispose();
  }

  private compare(ref: ResourceRef): void {
    const key = keyOf(ref);
    const attached = this.hashes.get(key);
    const snapshot = attached === undefined ? undefined : this.content.peek(ref);
    if (!snapshot || this.outdated.has(key) === (contentHash(snapshot.content) !== attached)) {
      return;
    }
    if (this.outdated.delete(key)) {
      this.changeEmitter.fire(ref);
      return;
    }
    this.outdated.add(key);
    this.changeEmitter.fire(ref);
    // It is known now: what follows is of no interest any more.
    this.release(key);
  }

  private release(key: string): void {
    this.holds.get(key)?.dispose();
    this.holds.delete(key);
  }

  private tellsOfChanges({ serverId }: ResourceRef): boolean {
    const state = this.pool.get(serverId)?.state;
    return state?.kind === 'connected' && state.info.subscribe;
  }
}

function isStored(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
