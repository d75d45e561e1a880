import { LRUCache } from 'lru-cache';
import { Emitter } from '../base/events';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Catalog } from '../catalog/catalog';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import { ancestorsOf } from './ancestors';
import type { ContentStore } from './contentStore';
import { contentSize, type ResourceContent, sameContent } from './resourceContent';

/** What is kept of earlier versions. Bytes. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** What a person saw of a resource: now, and before the last change. */
interface Seen {
  readonly latest: ResourceContent;
  readonly before?: ResourceContent;
}

interface ChangesSurroundings {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  isVisible(this: void, ref: ResourceRef): boolean;
}

/** Which resources have changed since a person last saw them, and what they said then. */
export class Changes implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changeEmitter = this.disposables.add(new Emitter<ResourceRef>());
  private readonly content: ContentStore;
  private readonly isVisible: (ref: ResourceRef) => boolean;
  private readonly marked = new Map<string, ResourceRef>();
  private readonly seen = new LRUCache<string, Seen>({
    max: 1000,
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ latest, before }) =>
      Math.min(KEPT_BYTES, Math.max(1, contentSize(latest) + (before ? contentSize(before) : 0))),
  });

  /** Fires with a resource that is marked now, or no longer is. */
  readonly onDidChange = this.changeEmitter.event;

  constructor({ pool, catalog, content, isVisible }: ChangesSurroundings) {
    this.content = content;
    this.isVisible = isVisible;
    this.disposables.add(content.onDidRead((ref) => this.remember(ref)));
    this.disposables.add(content.onDidChangeContent((ref) => this.changed(ref)));
    this.disposables.add(
      pool.onDidUpdateResource(({ serverId, uri }) => {
        for (const ref of [uri, ...ancestorsOf(uri)].map((each) => ({ serverId, uri: each }))) {
          // What nobody holds is not read again: that it has changed is all that is known.
          if (!content.isHeld(ref) && (this.seen.has(keyOf(ref)) || catalog.entryOf(ref))) {
            this.mark(ref);
          }
        }
      }),
    );
  }

  /** Resources with a mark. */
  get marks(): readonly ResourceRef[] {
    return [...this.marked.values()];
  }

  isMarked(ref: ResourceRef): boolean {
    return this.marked.has(keyOf(ref));
  }

  /** Whether anything is known of what the resource said before. */
  isKnown(ref: ResourceRef): boolean {
    return this.seen.has(keyOf(ref));
  }

  /** What the resource said before the last change that a person saw or has not seen yet. */
  before(ref: ResourceRef): ResourceContent | undefined {
    const seen = this.seen.get(keyOf(ref));
    return this.isMarked(ref) ? seen?.latest : seen?.before;
  }

  /** A person sees the resource: the mark goes, what was seen last is kept to compare with. */
  see(ref: ResourceRef): void {
    const key = keyOf(ref);
    const current = this.content.peek(ref)?.content;
    const seen = this.seen.get(key);
    if (current && !(seen && sameContent(current, seen.latest))) {
      this.seen.set(key, { latest: current, before: seen?.latest });
    }
    if (this.marked.delete(key)) {
      this.changeEmitter.fire(ref);
    }
  }

  dispose(): void {
    this.disposables.dispose();
    this.marked.clear();
    this.seen.clear();
  }

  /** The first version that was read is the first to compare with, whether or not it is visible already. */
  private remember(ref: ResourceRef): void {
    const current = this.content.peek(ref)?.content;
    if (current && !this.seen.has(keyOf(ref))) {
      this.seen.set(keyOf(ref), { latest: current });
    }
  }

  private changed(ref: ResourceRef): void {
    if (this.isVisible(ref)) {
      this.see(ref);
    } else {
      this.mark(ref);
    }
  }

  private mark(ref: ResourceRef): void {
    if (!this.isMarked(ref)) {
      this.marked.set(keyOf(ref), ref);
      this.changeEmitter.fire(ref);
    }
  }
}
