import type { Catalog } from '../catalog/catalog';
import { FuzzyEntry, type FuzzySource, rankInSlices } from '../catalog/fuzzyMatch';
import { labelOf } from '../catalog/labelOf';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';

/** A resource that fits some words. */
export interface FoundResource extends FuzzySource {
  readonly ref: ResourceRef;
}

/** How many are offered where several fit. */
const SEVERAL = 10;

/** Finds resources by what a person types: a URI, a name, or a server and one of them. Only connected servers are looked through. */
export class ResourceFinder {
  constructor(
    private readonly pool: ConnectionPool,
    private readonly catalog: Catalog,
  ) {}

  /** All that is listed, server by server; lists that nobody has asked for yet are asked for. */
  async listed(servers: readonly ServerConnection[] = this.connected()): Promise<readonly FoundResource[]> {
    const lists = await Promise.all(
      servers.map(async (connection) => {
        // A list that fails says so in the tree.
        const entries =
          (await this.catalog
            .of(connection)
            ?.resources.load()
            .catch(() => undefined)) ?? [];
        return entries.map((entry) => ({
          ref: { serverId: connection.id, uri: entry.uri },
          title: labelOf(entry),
          name: entry.name,
          uri: entry.uri,
          description: entry.description,
        }));
      }),
    );
    return lists.flat();
  }

  /** The listed resources that fit, best first; all of them for no words. */
  async matching(words: string, limit: number, signal: AbortSignal): Promise<readonly FoundResource[]> {
    const listed = await this.listed();
    return words === '' ? listed : this.rank(words, listed, limit, signal);
  }

  /** The one resource that is meant, or several that may be; none where nothing fits. */
  async find(words: string, signal: AbortSignal): Promise<readonly FoundResource[]> {
    const server = this.pool.all
      .filter(({ id }) => words.startsWith(`${id} `))
      .sort((a, b) => b.id.length - a.id.length)
      .at(0);
    const wanted = server ? words.slice(server.id.length).trim() : words;
    const listed = await this.listed(server ? this.connected().filter(({ id }) => id === server.id) : undefined);
    const same = (text: string): boolean => text.toLowerCase() === wanted.toLowerCase();
    const exact = [
      listed.filter(({ uri }) => uri === wanted),
      listed.filter(({ title, name }) => same(title) || same(name)),
    ].find((found) => found.length > 0);
    if (exact) {
      return exact;
    }
    // A server may read what it does not list: the URI goes to it as it was typed.
    const [only, ...others] = server ? [server] : this.connected();
    if (only && others.length === 0 && /^[a-z][a-z0-9+.-]*:\S+$/iu.test(wanted)) {
      return [{ ref: { serverId: only.id, uri: wanted }, title: labelOf({ uri: wanted }), name: '', uri: wanted }];
    }
    return this.rank(wanted, listed, SEVERAL, signal);
  }

  private connected(): readonly ServerConnection[] {
    return this.pool.all.filter(({ state }) => state.kind === 'connected');
  }

  private async rank(
    query: string,
    listed: readonly FoundResource[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly FoundResource[]> {
    const entries = listed.map((each) => new FuzzyEntry(each));
    return (await rankInSlices({ query, entries, limit }, signal)).map(({ source }) => source);
  }
}
