import { LRUCache } from 'lru-cache';
import { contentSize, type ResourceContent } from './resourceContent';

/** What is kept of versions that are compared with. Bytes. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** An earlier version under a name of its own; `dropped` where it was kept once and others have taken its room. */
export type KeptVersion = ResourceContent | 'dropped' | undefined;

/** Earlier versions of resources, each as it was when it was kept. Bounded by bytes: what was used last stays. */
export class KeptVersions {
  private readonly versions: LRUCache<string, ResourceContent>;
  /** All names that were ever given. */
  private readonly names = new Set<string>();

  constructor(maxBytes = KEPT_BYTES) {
    this.versions = new LRUCache({
      max: 1000,
      maxSize: maxBytes,
      // Larger than the bound by itself: kept alone.
      sizeCalculation: (content) => Math.min(maxBytes, Math.max(1, contentSize(content))),
    });
  }

  keep(name: string, content: ResourceContent): void {
    this.names.add(name);
    this.versions.set(name, content);
  }

  get(name: string): KeptVersion {
    return this.versions.get(name) ?? (this.names.has(name) ? 'dropped' : undefined);
  }
}
