import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { TemplateInstance, TemplateInstances } from '../catalog/templateInstances';
import type { Catalog } from '../catalog/catalog';
import type { ServerCatalog } from '../catalog/serverCatalog';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import { RequestError } from '../connection/requestFailure';
import type { ServerConnection } from '../connection/serverConnection';
import type { ContentStore } from '../content/contentStore';
import { directoryType } from '../content/resourceContent';
import {
  labelOf,
  type MessageNode,
  type ResourceNode,
  type ServerNode,
  type TemplateGroupNode,
  type TreeNode,
} from './nodes';
import { messageItem, partItem, resourceItem, type ResourceLook, serverItem, templateGroupItem } from './treeItem';
import { filledItem, filledNode, filledNodes, templateItem } from './templateNodes';

/** The tree of servers, their resources and templates. Expanding a server connects it. */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<TreeNode | undefined>();
  private readonly subscriptions: vscode.Disposable[] = [];
  /** One node object per connection, so that a refresh finds the node that the view knows. */
  private readonly serverNodes = new WeakMap<ServerConnection, ServerNode>();
  private readonly groupNodes = new WeakMap<ServerNode, TemplateGroupNode>();
  private readonly pending = new Set<ServerNode>();
  /** How resources that were read looked last. */
  private readonly looks = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.changeEmitter.event;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly catalog: Catalog,
    private readonly content: ContentStore,
    private readonly documentOf: (ref: ResourceRef) => vscode.Uri,
    private readonly instances: TemplateInstances,
  ) {
    this.subscriptions.push(
      pool.onDidChangeServers(() => this.changeEmitter.fire(undefined)),
      pool.onDidChangeState((connection) => this.refreshSoon(this.serverNode(connection))),
      catalog.onDidChange(({ connection }) => this.refreshSoon(this.serverNode(connection))),
      instances.onDidChange((serverId) => this.refreshTemplates(serverId)),
      content.onDidRead((ref) => this.refreshResource(ref)),
      content.onDidChangeFailure(({ ref }) => this.refreshResource(ref)),
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'server':
        return serverItem(node, this.catalog.of(node.connection)?.resources.state);
      case 'resource':
        return node.filled ? filledItem(node, node.filled, this.lookOf(node)) : resourceItem(node, this.lookOf(node));
      case 'part':
        return partItem(node, vscode.Uri.joinPath(this.documentOf(refOf(node.resource)), node.name));
      case 'templateGroup':
        return templateGroupItem(node, this.catalog.of(node.server.connection)?.templates.items.length ?? 0);
      case 'template':
        return templateItem(node, this.instances);
      case 'message':
        return messageItem(node);
    }
  }

  getChildren(node?: TreeNode): TreeNode[] | Promise<TreeNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.pool.all.map((connection) => this.serverNode(connection));
      case 'server':
        return this.childrenOfServer(node);
      case 'resource':
        return this.childrenOfResource(node);
      case 'templateGroup':
        return this.childrenOfGroup(node);
      case 'template':
        return filledNodes(node, this.instances);
      default:
        return [];
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case 'server':
        return undefined;
      case 'resource':
        return node.filled?.template ?? node.server;
      case 'templateGroup':
        return node.server;
      case 'part':
        return node.resource;
      case 'template':
        return node.group;
      case 'message':
        return node.parent;
    }
  }

  serverNode(connection: ServerConnection): ServerNode {
    const node = this.serverNodes.get(connection) ?? { kind: 'server', connection };
    this.serverNodes.set(connection, node);
    return node;
  }

  /** The node of a resource, as far as its server's list is known: listed, or made from a template. */
  resourceNode(ref: ResourceRef): ResourceNode | undefined {
    const connection = this.pool.get(ref.serverId);
    const entry = connection && this.catalog.of(connection)?.entryOf(ref.uri);
    return entry
      ? { kind: 'resource', server: this.serverNode(connection), entry, ambiguous: false }
      : this.filledNodeOf(this.instances.find(ref));
  }

  /** The node of what was made from a template, as long as its server lists the template. */
  filledNodeOf(instance: TemplateInstance | undefined): ResourceNode | undefined {
    const connection = instance && this.pool.get(instance.serverId);
    const templates = connection && this.catalog.of(connection)?.templates.items;
    const entry = templates?.find(({ uriTemplate }) => uriTemplate === instance?.uriTemplate);
    const group = connection && this.groupNode(this.serverNode(connection));
    return group && entry && filledNode({ kind: 'template', group, entry }, instance);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.changeEmitter.dispose();
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

  private lookOf(node: ResourceNode): ResourceLook {
    const ref = refOf(node);
    const failure = this.content.failureOf(ref);
    const gone = failure instanceof RequestError && failure.kind === 'notFound';
    return {
      document: this.documentOf(ref),
      expandable: this.isExpandable(node),
      gone,
      failure: failure && !gone ? messageOf(failure) : undefined,
    };
  }

  private isExpandable({ entry, server }: ResourceNode): boolean {
    const content = this.content.peek({ serverId: server.connection.id, uri: entry.uri })?.content;
    return content ? content.children.size > 0 : entry.mimeType === directoryType || entry.uri.endsWith('/');
  }

  /** What was learnt by a read shows in the node only where it changes its look. */
  private refreshResource(ref: ResourceRef): void {
    const node = this.resourceNode(ref);
    if (!node) {
      return;
    }
    const look = JSON.stringify(this.lookOf(node));
    const key = keyOf(ref);
    if (this.looks.get(key) !== look) {
      this.looks.set(key, look);
      this.refreshSoon(node.server);
    }
  }

  private childrenOfServer(node: ServerNode): TreeNode[] {
    const { connection } = node;
    const catalog = this.catalog.of(connection);
    if (!catalog) {
      return [];
    }
    const { state } = connection;
    if (state.kind === 'failed') {
      return [message(node, 'failed', state.error.message), ...this.listed(node, catalog)];
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
    const entries = this.listed(node, catalog);
    const failure = catalog.resources.error ?? catalog.templates.error;
    if (catalog.state === 'failed' && failure) {
      return [message(node, 'failed', vscode.l10n.t('The list failed: {0}', messageOf(failure))), ...entries];
    }
    if (catalog.state !== 'loaded') {
      return entries.length > 0 ? entries : [message(node, 'loading', vscode.l10n.t('Loading…'))];
    }
    return entries.length > 0 ? entries : [message(node, 'empty', emptyWords(connection))];
  }

  private listed(node: ServerNode, catalog: ServerCatalog): TreeNode[] {
    const labels = new Map<string, number>();
    for (const entry of catalog.resources.items) {
      const label = labelOf(entry);
      labels.set(label, (labels.get(label) ?? 0) + 1);
    }
    const resources = catalog.resources.items.map((entry): ResourceNode => ({
      kind: 'resource',
      server: node,
      entry,
      ambiguous: (labels.get(labelOf(entry)) ?? 0) > 1,
    }));
    const unusable = [...catalog.resources.failures, ...catalog.templates.failures];
    const notice = unusable.length > 0 ? [message(node, 'failed', unusableWords(unusable))] : [];
    const group = catalog.templates.items.length > 0 ? [this.groupNode(node)] : [];
    return [...notice, ...resources, ...group];
  }

  private childrenOfGroup(group: TemplateGroupNode): TreeNode[] {
    const templates = this.catalog.of(group.server.connection)?.templates;
    return (templates?.items ?? []).map((entry) => ({ kind: 'template', group, entry }));
  }

  private refreshTemplates(serverId: string): void {
    const connection = this.pool.get(serverId);
    if (connection) {
      this.changeEmitter.fire(this.groupNode(this.serverNode(connection)));
    }
  }

  private groupNode(server: ServerNode): TemplateGroupNode {
    const node = this.groupNodes.get(server) ?? { kind: 'templateGroup', server };
    this.groupNodes.set(server, node);
    return node;
  }

  /** Pages and states come in bursts: each server's node is refreshed at most some ten times a second. */
  private refreshSoon(node: ServerNode): void {
    this.pending.add(node);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const nodes = [...this.pending];
      this.pending.clear();
      nodes.forEach((pending) => this.changeEmitter.fire(pending));
    }, 50);
  }
}

function refOf({ server, entry }: ResourceNode): ResourceRef {
  return { serverId: server.connection.id, uri: entry.uri };
}

function message(parent: ServerNode | ResourceNode, mood: MessageNode['mood'], text: string): MessageNode {
  return { kind: 'message', parent, mood, text };
}

function unusableWords(failures: readonly string[]): string {
  const [first = ''] = failures;
  return failures.length === 1
    ? vscode.l10n.t('An entry of the list is unusable: {0}', first)
    : vscode.l10n.t('{0} entries of the list are unusable, first: {1}', failures.length, first);
}

function emptyWords({ state }: ServerConnection): string {
  return state.kind === 'connected' && !state.info.resources
    ? vscode.l10n.t('This server offers no resources.')
    : vscode.l10n.t('No resources. The server offers none now.');
}
