import type { Memento } from '../base/memento';
import { keyOf, type ResourceRef } from '../connection/connectionPool';

const KEY = 'recentResources';
const MOST = 100;
const NONE: ReadonlyMap<string, number> = new Map();

/** The resources and templates that were used last in this workspace. */
export class RecentResources {
  private keys: readonly string[];
  private ranks: ReadonlyMap<string, ReadonlyMap<string, number>>;

  constructor(private readonly memory: Memento) {
    const kept = memory.get(KEY);
    this.keys = Array.isArray(kept)
      ? kept.filter((key): key is string => refOfKey(key) !== undefined).slice(0, MOST)
      : [];
    this.ranks = ranksOf(this.keys);
  }

  /** Makes these the last that were used, the first of them the very last. For a template, `uri` is its text. */
  async use(...refs: readonly ResourceRef[]): Promise<void> {
    const keys = [...new Set([...refs.map(keyOf), ...this.keys])].slice(0, MOST);
    if (keys.every((key, index) => this.keys[index] === key)) {
      return;
    }
    this.keys = keys;
    this.ranks = ranksOf(keys);
    await this.memory.update(KEY, keys);
  }

  /** The rank of each URI of a server among all that was used lately, 0 for the last. */
  of(serverId: string): ReadonlyMap<string, number> {
    return this.ranks.get(serverId) ?? NONE;
  }
}

function ranksOf(keys: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const ranks = new Map<string, Map<string, number>>();
  keys.forEach((key, rank) => {
    const ref = refOfKey(key);
    if (ref) {
      const server = ranks.get(ref.serverId) ?? new Map<string, number>();
      ranks.set(ref.serverId, server.set(ref.uri, rank));
    }
  });
  return ranks;
}

/** The inverse of `keyOf`; what is remembered may be anything. */
function refOfKey(key: unknown): ResourceRef | undefined {
  try {
    const parts: unknown = typeof key === 'string' ? JSON.parse(key) : undefined;
    const [serverId, uri] = Array.isArray(parts) ? (parts as unknown[]) : [];
    return typeof serverId === 'string' && typeof uri === 'string' ? { serverId, uri } : undefined;
  } catch {
    return undefined;
  }
}
