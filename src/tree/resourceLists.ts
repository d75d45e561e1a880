import type { ServerCatalog } from '../catalog/serverCatalog';
import { Slices } from '../base/slices';
import { labelOf } from '../catalog/labelOf';
import { Listing, type Shown } from '../catalog/listing';
import { pathLevel, type PathLevel } from '../catalog/pathGroups';
import type { ResourceEntry } from '../connection/wire';
import type { ListingChoice } from './listingChoice';
import type { FolderNode, MoreNode, ResourceNode, ServerNode } from './nodes';

/** Rows that a node gets at once: the workbench keeps every row it was given. */
export const chunk = 500;

type ListParent = ServerNode | FolderNode;
export type ListedNode = FolderNode | ResourceNode | MoreNode;

/** What of a server's list becomes nodes: filtered and sorted, in folders or not, and never more than was asked for. */
export class ResourceLists {
  private readonly listings = new WeakMap<ServerCatalog, Listing>();
  /** How many rows of a node are shown, where it is more than one chunk. */
  private readonly limits = new Map<string, number>();
  private readonly levels = new WeakMap<readonly ResourceEntry[], Map<string, Promise<PathLevel>>>();
  private readonly folders = new Map<string, FolderNode>();

  constructor(private readonly choice: ListingChoice) {}

  /** What is shown of a server's list, in order. */
  shown(catalog: ServerCatalog): Promise<Shown> {
    const listing = this.listingOf(catalog);
    const { options, version } = this.choice;
    const facts = this.choice.factsOf(catalog.connection.id);
    return listing.of(catalog.resources.items, { options, facts, version });
  }

  async childrenOf(parent: ListParent, catalog: ServerCatalog): Promise<ListedNode[]> {
    const shown = await this.shown(catalog);
    const { groups, entries } = await this.levelOf(parent, shown);
    const limit = this.limits.get(idOf(parent)) ?? chunk;
    const ambiguous = await this.ambiguousOf(catalog);
    const nodes: ListedNode[] = groups.slice(0, limit).map((group) => this.folder(parent, group));
    for (const entry of entries.slice(0, limit - nodes.length)) {
      nodes.push(resourceNode(parent, entry, ambiguous));
    }
    const total = groups.length + entries.length;
    return total > nodes.length ? [...nodes, { kind: 'more', parent, shown: nodes.length, total }] : nodes;
  }

  /** Shows the next chunk; returns the node to be asked for its children again. */
  showMore({ parent, shown }: MoreNode): ListParent {
    this.limits.set(idOf(parent), shown + chunk);
    return parent;
  }

  /**
   * The node of a listed resource, among what is shown of its parent; `undefined` where it is filtered out. `onMore` hears
   * of a node that has to show more rows for it.
   */
  async find(
    { server, catalog, entry }: { server: ServerNode; catalog: ServerCatalog; entry: ResourceEntry },
    onMore: (parent: ListParent) => void,
  ): Promise<ResourceNode | undefined> {
    const shown = await this.shown(catalog);
    let parent: ListParent = server;
    for (;;) {
      const { groups, entries } = await this.levelOf(parent, shown);
      const folder = groups.findIndex((group) => group.entries.includes(entry));
      const place = entries.indexOf(entry);
      if (folder < 0 && place < 0) {
        return undefined;
      }
      if (this.showUpTo(parent, folder < 0 ? groups.length + place : folder)) {
        onMore(parent);
      }
      if (folder < 0) {
        return resourceNode(parent, entry, await this.ambiguousOf(catalog));
      }
      parent = this.folder(parent, groups[folder]!);
    }
  }

  private listingOf(catalog: ServerCatalog): Listing {
    const listing = this.listings.get(catalog) ?? new Listing();
    this.listings.set(catalog, listing);
    return listing;
  }

  private ambiguousOf(catalog: ServerCatalog): Promise<ReadonlySet<string>> {
    return this.listingOf(catalog).ambiguousIn(catalog.resources.items);
  }

  /** Whether more has to be shown for it than is. */
  private showUpTo(parent: ListParent, index: number): boolean {
    const limit = Math.ceil((index + 1) / chunk) * chunk;
    const isMore = limit > (this.limits.get(idOf(parent)) ?? chunk);
    if (isMore) {
      this.limits.set(idOf(parent), limit);
    }
    return isMore;
  }

  private levelOf(parent: ListParent, { entries }: Shown): Promise<PathLevel> | PathLevel {
    if (this.choice.options.grouping === 'flat') {
      return { groups: [], entries };
    }
    const [within, prefix] = parent.kind === 'folder' ? [parent.group.entries, parent.group.prefix] : [entries, ''];
    const known = this.levels.get(within) ?? new Map<string, Promise<PathLevel>>();
    this.levels.set(within, known);
    // A list that is still growing is another one with each page.
    const key = `${within.length} ${prefix}`;
    const level = known.get(key) ?? pathLevel(within, prefix, new Slices());
    known.set(key, level);
    return level;
  }

  /** One object per folder, with what is in it now. */
  private folder(parent: ListParent, group: FolderNode['group']): FolderNode {
    const server = parent.kind === 'folder' ? parent.server : parent;
    const node: FolderNode = { kind: 'folder', server, parent, group };
    const id = idOf(node);
    const known = this.folders.get(id);
    if (known?.parent === parent && known.server === server) {
      return Object.assign(known, { group });
    }
    this.folders.set(id, node);
    return node;
  }
}

function resourceNode(parent: ListParent, entry: ResourceEntry, ambiguous: ReadonlySet<string>): ResourceNode {
  const server = parent.kind === 'folder' ? parent.server : parent;
  return { kind: 'resource', server, parent, entry, ambiguous: ambiguous.has(labelOf(entry)) };
}

/** A node's place in the limits. */
function idOf(node: ListParent): string {
  return node.kind === 'server' ? node.connection.id : JSON.stringify([node.server.connection.id, node.group.prefix]);
}
