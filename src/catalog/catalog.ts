import { Emitter } from '../base/events';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import { RequestError } from '../connection/requestFailure';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry, TemplateEntry } from '../connection/wire';
import { ServerCatalog } from './serverCatalog';

/** The catalogs of all servers. One exists for as long as its connection does. */
export class Catalog implements Disposable {
  private readonly store = new DisposableStore();
  private readonly catalogs = new Map<ServerConnection, ServerCatalog>();
  private readonly changeEmitter = this.store.add(new Emitter<ServerCatalog>());

  /** Fires when a server's lists, or their states, changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly pool: ConnectionPool) {
    this.store.add(pool.onDidChangeServers(() => this.followPool()));
    this.followPool();
  }

  of(connection: ServerConnection): ServerCatalog | undefined {
    return this.catalogs.get(connection);
  }

  /** The listed entry of a resource, as far as its server's list is known. */
  entryOf(ref: ResourceRef): ResourceEntry | undefined {
    const connection = this.pool.get(ref.serverId);
    return connection && this.catalogs.get(connection)?.entryOf(ref.uri);
  }

  /** The listed entry of a template, as far as its server's list is known. */
  templateOf({ serverId, uriTemplate }: { serverId: string; uriTemplate: string }): TemplateEntry | undefined {
    const connection = this.pool.get(serverId);
    return connection && this.catalogs.get(connection)?.templates.find(uriTemplate);
  }

  /** Where a read found a listed resource missing, its server's list may be old. */
  async relistAfter(ref: ResourceRef, error: Error | undefined): Promise<void> {
    const connection = this.pool.get(ref.serverId);
    if (connection && error instanceof RequestError && error.kind === 'notFound') {
      await this.catalogs.get(connection)?.relistAfterLoss(ref.uri);
    }
  }

  dispose(): void {
    for (const catalog of this.catalogs.values()) {
      catalog.dispose();
    }
    this.catalogs.clear();
    this.store.dispose();
  }

  private followPool(): void {
    const live = new Set(this.pool.all);
    for (const [connection, catalog] of this.catalogs) {
      if (!live.has(connection)) {
        this.catalogs.delete(connection);
        catalog.dispose();
      }
    }
    for (const connection of live) {
      if (!this.catalogs.has(connection)) {
        const catalog = new ServerCatalog(connection);
        catalog.onDidChange(() => this.changeEmitter.fire(catalog));
        this.catalogs.set(connection, catalog);
      }
    }
  }
}
