import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { TemplateInstance, TemplateInstances } from '../catalog/templateInstances';
import type { Catalog } from '../catalog/catalog';
import type { Shown } from '../catalog/listing';
import type { ServerCatalog } from '../catalog/serverCatalog';
import { isOffered } from '../config/foundTools';
import type { ServerDefinitions } from '../config/serverDefinitions';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import { RequestError } from '../connection/requestFailure';
import type { ServerConnection } from '../connection/serverConnection';
import type { Changes } from '../content/changes';
import type { ContentStore } from '../content/contentStore';
import { directoryType } from '../content/resourceContent';
import type { ExpandedNodes } from './expandedNodes';
import { firstPage } from './firstPage';
import type { LastSelected } from './lastSelected';
import type { ListingChoice } from './listingChoice';
import type { FolderNode, MessageNode, MoreNode, ResourceNode, ServerNode, TemplateGroupNode, TreeNode } from './nodes';
import { PacedRefresh } from './pacedRefresh';
import { itemResource } from './itemBounds';
import { chunk, ResourceLists } from './resourceLists';
import { emptyWords, unusableWords } from './listWords';
import { needOf } from './needs';
import { resourceTooltip, serverTooltip } from './tooltips';
import {
  type FilteredCount,
  folderItem,
  messageItem,
  moreItem,
  offerItem,
  opened,
  partItem,
  resourceItem,
  type ResourceLook,
  serverItem,
  templateGroupItem,
} from './treeItem';
import { TemplateLists } from './templateLists';
import { filledItem, filledNode, templateItem, tooltipOfTemplate } from './templateNodes';

/** From one refresh to the next while a long list is being loaded. Milliseconds. */
const GROWING_MS = 2000;

/** Of a server whose filter keeps more resources than this, the folders stay as they are. */
const MOST_OPEN = 200;

/** What the tree shows, and how. */
export interface TreeParts {
  readonly pool: ConnectionPool;
  readonly definitions: ServerDefinitions;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  readonly changes: Changes;
  readonly choice: ListingChoice;
  readonly expanded: ExpandedNodes;
  readonly selected: LastSelected;
  readonly instances: TemplateInstances;
  readonly pins: { has(ref: ResourceRef): boolean; readonly onDidChange: Changes['onDidChange'] };
  readonly attached: { isOutdated(ref: ResourceRef): boolean; readonly onDidChange: Changes['onDidChange'] };
  documentOf(this: void, ref: ResourceRef): vscode.Uri;
  onError(this: void, error: unknown): void;
}

/** The tree of servers, their resources and templates. Expanding a server connects it. */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<TreeNode | undefined>();
  private readonly subscriptions: vscode.Disposable[] = [];
  /** One node object per connection, so that a refresh finds the node that the view knows. */
  private readonly serverNodes = new WeakMap<ServerConnection, ServerNode>();
  private readonly groupNodes = new WeakMap<ServerNode, TemplateGroupNode>();
  private readonly refresher = new PacedRefresh<ServerNode>((node) => this.changeEmitter.fire(node));
  /** How resources that were read looked last. */
  private readonly looks = new Map<string, string>();
  private readonly pool: ConnectionPool;
  private readonly definitions: ServerDefinitions;
  private readonly catalog: Catalog;
  private readonly content: ContentStore;
  private readonly changes: Changes;
  private readonly choice: ListingChoice;
  private readonly expanded: ExpandedNodes;
  private readonly instances: TemplateInstances;
  private readonly lists: ResourceLists;
  private readonly templates: TemplateLists;

  readonly onDidChangeTreeData = this.changeEmitter.event;

  constructor(private readonly parts: TreeParts) {
    const { pool, definitions, catalog, content, changes, choice, expanded, instances } = parts;
    [this.pool, this.catalog, this.content, this.changes] = [pool, catalog, content, changes];
    [this.choice, this.expanded, this.instances, this.definitions] = [choice, expanded, instances, definitions];
    this.lists = new ResourceLists(choice);
    this.templates = new TemplateLists(parts);
    const all = (): void => this.changeEmitter.fire(undefined);
    this.subscriptions.push(
      ...[choice.onDidChange, pool.onDidChangeServers, definitions.onDidChangeFound].map((on) => on(all)),
      pool.onDidChangeState((connection) => this.refresher.trigger(this.serverNode(connection))),
      catalog.onDidChange((changed) => this.followList(changed)),
      instances.onDidChange((serverId) => this.refreshTemplates(serverId)),
      content.onDidRead((ref) => this.refreshResource(ref)),
      content.onDidRelease((ref) => this.refreshResource(ref)),
      ...[changes, parts.pins, parts.attached].map((each) => each.onDidChange((ref) => this.refreshResource(ref))),
      pool.onDidSettleSubscription((ref) => this.refreshResource(ref)),
      content.onDidChangeFailure(({ ref }) => this.refreshResource(ref)),
    );
  }

  async getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    return this.expanded.restore(node, await this.itemOf(node));
  }

  /** A tooltip is made when it is looked at: VS Code parses each, and a list has many. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'resource') {
      item.tooltip = resourceTooltip(node.entry, node.server.connection.id, this.lookOf(node));
    } else if (node.kind === 'server') {
      item.tooltip = serverTooltip(node.connection);
    } else if (node.kind === 'template') {
      item.tooltip = tooltipOfTemplate(node);
    }
    return item;
  }

  getChildren(node?: TreeNode): TreeNode[] | Promise<TreeNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.roots();
      case 'server':
        return this.childrenOfServer(node);
      case 'folder':
        return this.childrenOfFolder(node);
      case 'resource':
        return this.childrenOfResource(node);
      case 'templateGroup':
        return this.templates.childrenOf(node);
      case 'template':
        return this.templates.filledOf(node);
      default:
        return [];
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case 'server':
      case 'offer':
        return undefined;
      case 'folder':
      case 'more':
      case 'resource':
      case 'message':
        return node.parent;
      case 'templateGroup':
        return node.server;
      case 'part':
        return node.resource;
      case 'template':
        return node.group;
    }
  }

  serverNode(connection: ServerConnection): ServerNode {
    const node = this.serverNodes.get(connection) ?? { kind: 'server', connection };
    this.serverNodes.set(connection, node);
    return node;
  }

  /** The node of a resource among those that are shown, or made from a template; more are shown where it takes that. */
  async resourceNode({ serverId, uri }: ResourceRef): Promise<ResourceNode | undefined> {
    const connection = this.pool.get(serverId);
    const catalog = connection && this.catalog.of(connection);
    const entry = catalog?.entryOf(uri);
    if (!entry) {
      return this.shownFilledNodeOf(this.instances.find({ serverId, uri }));
    }
    // The view reveals only what it was given: it asks again first.
    const onMore = (parent: TreeNode): void => this.changeEmitter.fire(parent);
    return this.lists.find({ server: this.serverNode(connection!), catalog: catalog!, entry }, onMore);
  }

  showMore(node: MoreNode): void {
    this.changeEmitter.fire(this.lists.showMore(node));
  }

  /** What is shown of a server's list. */
  async shownOf(connection: ServerConnection): Promise<Pick<Shown, 'entries' | 'total'>> {
    const catalog = this.catalog.of(connection);
    return catalog ? this.lists.shown(catalog) : { entries: [], total: 0 };
  }

  /** How many of all listed resources and templates are shown. */
  async counts(): Promise<Record<'resources' | 'templates', FilteredCount>> {
    const catalogs = this.pool.all.flatMap((connection) => this.catalog.of(connection) ?? []);
    const resources = await Promise.all(catalogs.map((catalog) => this.countOf(catalog)));
    return { resources: sumOf(resources), templates: sumOf(catalogs.map((each) => this.templates.countOf(each))) };
  }

  /** How many of a server's listed resources are shown. */
  async countOf(catalog: ServerCatalog): Promise<FilteredCount> {
    const { entries, total } = await this.lists.shown(catalog);
    return { shown: entries.length, total };
  }

  /** The node of what was made from a template, as long as its server lists the template. */
  filledNodeOf(instance: TemplateInstance | undefined): ResourceNode | undefined {
    const connection = instance && this.pool.get(instance.serverId);
    const entry = connection && this.catalog.templateOf(instance);
    return (
      entry && filledNode({ kind: 'template', group: this.groupNode(this.serverNode(connection)), entry }, instance)
    );
  }

  /** The same where the filter keeps it. */
  shownFilledNodeOf(instance: TemplateInstance | undefined): ResourceNode | undefined {
    const node = this.filledNodeOf(instance);
    const shown = node?.filled ? this.templates.filledOf(node.filled.template) : [];
    return shown.some(({ entry }) => entry.uri === node?.entry.uri) ? node : undefined;
  }

  dispose(): void {
    this.refresher.dispose();
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.changeEmitter.dispose();
  }

  /** Without servers the welcome page has the place, and says what was found. */
  private roots(): TreeNode[] {
    const { all } = this.pool;
    const offers = all.length > 0 ? this.definitions.found.filter(isOffered) : [];
    return [
      ...all.filter(({ id }) => !this.choice.isHidden(id)).map((each) => this.serverNode(each)),
      ...offers.map((tool): TreeNode => ({ kind: 'offer', tool })),
    ];
  }

  private async itemOf(node: TreeNode): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'server': {
        const catalog = this.catalog.of(node.connection);
        const list = catalog && { state: catalog.resources.state, found: catalog.resources.items.length };
        return serverItem(node, list, catalog && (await this.filteredCount(catalog)));
      }
      case 'folder': {
        const isLong =
          this.choice.isFiltering && (await this.shownOf(node.server.connection)).entries.length > MOST_OPEN;
        return isLong ? folderItem(node) : this.openWhileFiltering(folderItem(node));
      }
      case 'more':
        return moreItem(node);
      case 'resource':
        return node.filled ? filledItem(node, node.filled, this.lookOf(node)) : resourceItem(node, this.lookOf(node));
      case 'part':
        return partItem(node, vscode.Uri.joinPath(this.parts.documentOf(refOf(node.resource)), node.name));
      case 'templateGroup':
        return this.openWhileFiltering(
          templateGroupItem(node, this.templates.countOf(this.catalog.of(node.server.connection))),
        );
      case 'template':
        return this.openWhileFiltering(templateItem(node, this.templates.filledOf(node).length > 0));
      case 'message':
        return messageItem(node);
      case 'offer':
        return offerItem(node);
    }
  }

  /** What the filter found shows. */
  private openWhileFiltering(item: vscode.TreeItem): vscode.TreeItem {
    return this.choice.isFiltering ? opened(item) : item;
  }

  /** `undefined` where nothing is left out. */
  private async filteredCount(catalog: ServerCatalog): Promise<FilteredCount | undefined> {
    const count = await this.countOf(catalog);
    return count.shown < count.total ? count : undefined;
  }

  private async childrenOfFolder(node: FolderNode): Promise<TreeNode[]> {
    const catalog = this.catalog.of(node.server.connection);
    return catalog ? this.lists.childrenOf(node, catalog) : [];
  }

  /** A directory-like resource is read when it is expanded. */
  private async childrenOfResource(node: ResourceNode): Promise<TreeNode[]> {
    const ref = refOf(node);
    try {
      const snapshot =
        this.content.peek(ref) ?? (await this.content.read(ref, { purpose: 'open', initiative: 'person' }));
      const names = [...snapshot.content.children.keys()];
      return names.length > 0
        ? names.map((name) => ({ kind: 'part', resource: node, name }))
        : [message(node, 'empty', vscode.l10n.t('Nothing is below it.'))];
    } catch (error) {
      return [message(node, 'failed', messageOf(error))];
    }
  }

  private lookOf(node: Pick<ResourceNode, 'server' | 'entry'>): ResourceLook {
    const ref = refOf(node);
    const failure = this.content.failureOf(ref);
    const gone = failure instanceof RequestError && failure.kind === 'notFound';
    return {
      document: itemResource(ref.uri, () => this.parts.documentOf(ref)),
      expandable: this.isExpandable(node),
      gone,
      failure: failure && !gone ? messageOf(failure) : undefined,
      notLive: this.content.isHeld(ref) && this.isNotLive(ref),
      changed: this.changes.isMarked(ref),
      pinned: this.parts.pins.has(ref),
      attachedBefore: this.parts.attached.isOutdated(ref),
      readAt: this.content.peek(ref)?.readAt,
    };
  }

  private isNotLive({ serverId, uri }: ResourceRef): boolean {
    const connection = this.pool.get(serverId);
    return connection?.state.kind === 'connected' && connection.subscriptions.liveness(uri) === 'notLive';
  }

  private isExpandable({ entry, server }: Pick<ResourceNode, 'server' | 'entry'>): boolean {
    const content = this.content.peek({ serverId: server.connection.id, uri: entry.uri })?.content;
    return content ? content.children.size > 0 : entry.mimeType === directoryType || entry.uri.endsWith('/');
  }

  /** What was learnt by a read shows in the node only where it changes its look. */
  private refreshResource(ref: ResourceRef): void {
    const connection = this.pool.get(ref.serverId);
    const listed = connection && this.catalog.of(connection)?.entryOf(ref.uri);
    const entry = listed ?? this.filledNodeOf(this.instances.find(ref))?.entry;
    if (!connection || !entry) {
      return;
    }
    const server = this.serverNode(connection);
    // When it was read last shows in the tooltip alone.
    const look = JSON.stringify({ ...this.lookOf({ server, entry }), readAt: undefined });
    const key = keyOf(ref);
    if (this.looks.get(key) !== look) {
      this.looks.set(key, look);
      this.refresher.trigger(server);
    }
  }

  private async childrenOfServer(node: ServerNode): Promise<TreeNode[]> {
    const { connection } = node;
    const catalog = this.catalog.of(connection);
    if (!catalog) {
      return [];
    }
    const { state } = connection;
    if (state.kind === 'failed') {
      return [
        message(node, needOf(state.error) ?? 'failed', state.error.message),
        ...(await this.listed(node, catalog)),
      ];
    }
    if (state.kind === 'stopped') {
      return [message(node, 'stopped', vscode.l10n.t('Stopped. Start the server to see its resources.'))];
    }
    for (const list of [catalog.resources, catalog.templates]) {
      if (list.state === 'idle') {
        // Failure is the list's state, and shown.
        list.load().catch(() => undefined);
      }
    }
    await firstPage(catalog);
    const entries = await this.listed(node, catalog);
    const failure = catalog.resources.error ?? catalog.templates.error;
    // What failed before, for want of a connection, is no news of the list while there is to be one.
    const settled = connection.state === state && state.kind !== 'connecting';
    if (settled && catalog.state === 'failed' && failure) {
      return [message(node, 'failed', vscode.l10n.t('The list failed: {0}', messageOf(failure))), ...entries];
    }
    if (catalog.state !== 'loaded') {
      return entries.length > 0 ? entries : [message(node, 'loading', vscode.l10n.t('Loading…'))];
    }
    return entries.length > 0 ? entries : [message(node, 'empty', emptyWords(catalog))];
  }

  /** Once its first rows are there, a list that grows changes little but a count, and to show it again costs most of all. */
  private followList({ connection, resources }: ServerCatalog): void {
    const isGrowing = resources.state === 'loading' && resources.items.length > chunk;
    this.refresher.trigger(this.serverNode(connection), isGrowing ? GROWING_MS : undefined);
  }

  private async listed(node: ServerNode, catalog: ServerCatalog): Promise<TreeNode[]> {
    const resources = await this.lists.childrenOf(node, catalog);
    const unusable = [...catalog.resources.failures, ...catalog.templates.failures];
    const notice = unusable.length > 0 ? [message(node, 'failed', unusableWords(unusable))] : [];
    const group = this.templates.countOf(catalog).shown > 0 ? [this.groupNode(node)] : [];
    return [...notice, ...resources, ...group];
  }

  private refreshTemplates(serverId: string): void {
    const connection = this.pool.get(serverId);
    if (connection) {
      const server = this.serverNode(connection);
      // While a filter is on, the group itself may come or go.
      this.changeEmitter.fire(this.choice.isFiltering ? server : this.groupNode(server));
    }
  }

  private groupNode(server: ServerNode): TemplateGroupNode {
    const node = this.groupNodes.get(server) ?? { kind: 'templateGroup', server };
    this.groupNodes.set(server, node);
    return node;
  }
}

function refOf({ server, entry }: Pick<ResourceNode, 'server' | 'entry'>): ResourceRef {
  return { serverId: server.connection.id, uri: entry.uri };
}

function sumOf(counts: readonly FilteredCount[]): FilteredCount {
  return counts.reduce((a, b) => ({ shown: a.shown + b.shown, total: a.total + b.total }), { shown: 0, total: 0 });
}

function message(parent: ServerNode | ResourceNode, mood: MessageNode['mood'], text: string): MessageNode {
  return { kind: 'message', parent, mood, text };
}
