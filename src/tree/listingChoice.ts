import * as vscode from 'vscode';
import type { ListingFacts } from '../catalog/listing';
import { isFiltering, type ListingOptions, listingOptionsFrom } from '../catalog/listingOptions';
import { excludedBy } from '../catalog/uriGlobs';
import type { ConnectionPool } from '../connection/connectionPool';
import type { Changes } from '../content/changes';
import { onDidChangeServerFilters, serverFilter } from '../ui/settings';

const KEY = 'mcpResources.listing';

/** What a person chose to see of the lists, and how; remembered per workspace. */
export class ListingChoice implements vscode.Disposable {
  private current: ListingOptions;
  private readonly excluded = new Map<string, (uri: string) => boolean>();
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];

  /** Fires when other resources may be shown than before. */
  readonly onDidChange = this.changeEmitter.event;
  /** Grows with each change of what the filter asks for. */
  version = 0;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly pool: ConnectionPool,
    private readonly changes: Changes,
  ) {
    this.current = listingOptionsFrom(memory.get(KEY));
    const asked = (key: 'changed' | 'live') => (): void => {
      if (this.current.filter[key]) {
        this.changed();
      }
    };
    this.subscriptions = [
      this.changeEmitter,
      vscode.Disposable.from(changes.onDidChange(asked('changed')), pool.onDidSettleSubscription(asked('live'))),
      onDidChangeServerFilters(() => {
        this.excluded.clear();
        this.changed();
      }),
    ];
  }

  get options(): ListingOptions {
    return this.current;
  }

  get isFiltering(): boolean {
    return isFiltering(this.current.filter);
  }

  /** What is not given stays as it is. */
  async choose(options: Partial<ListingOptions>): Promise<void> {
    this.current = { ...this.current, ...options };
    this.changed();
    await this.memory.update(KEY, this.current);
  }

  isHidden(serverId: string): boolean {
    return serverFilter(serverId).hidden;
  }

  /** What the settings leave out of a server's lists; the same function until they change. */
  excludedBy(serverId: string): (uri: string) => boolean {
    const known = this.excluded.get(serverId) ?? excludedBy(serverFilter(serverId));
    this.excluded.set(serverId, known);
    return known;
  }

  factsOf(serverId: string): ListingFacts {
    return {
      isExcluded: this.excludedBy(serverId),
      isChanged: (uri) => this.changes.isMarked({ serverId, uri }),
      isLive: (uri) => this.pool.get(serverId)?.subscriptions.liveness(uri) === 'live',
    };
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private changed(): void {
    this.version += 1;
    this.changeEmitter.fire();
  }
}
