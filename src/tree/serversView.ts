import * as vscode from 'vscode';
import type { Catalog } from '../catalog/catalog';
import type { TemplateInstance, TemplateInstances } from '../catalog/templateInstances';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import type { ServerConnection } from '../connection/serverConnection';
import { HumanError } from '../base/errors';
import { viewIds } from '../ids';
import type { TreeNode } from './nodes';
import { ServersTree } from './serversTree';

/** The view "MCP Resources": the tree in its place, with selection and reveal. */
export class ServersView implements vscode.Disposable {
  private readonly tree: ServersTree;
  private readonly view: vscode.TreeView<TreeNode>;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly catalog: Catalog,
    content: ContentStore,
    documentOf: (ref: ResourceRef) => vscode.Uri,
    instances: TemplateInstances,
  ) {
    this.tree = new ServersTree(pool, catalog, content, documentOf, instances);
    this.view = vscode.window.createTreeView(viewIds.servers, {
      treeDataProvider: this.tree,
      canSelectMany: true,
      showCollapseAll: true,
    });
  }

  get selection(): readonly TreeNode[] {
    return this.view.selection;
  }

  /** How many resources have changed unseen, as a badge on the view. */
  count(changed: number): void {
    this.view.badge =
      changed === 0 ? undefined : { value: changed, tooltip: vscode.l10n.t('{0} resources have changed', changed) };
  }

  /** Shows a server and what is in it. */
  async revealServer(connection: ServerConnection): Promise<void> {
    await this.view.reveal(this.tree.serverNode(connection), { expand: true, select: true, focus: false });
  }

  /** Selects what was just made from a template, where the tree is on the screen: its template may never have had children. */
  async showFilled(instance: TemplateInstance): Promise<void> {
    const node = this.view.visible ? this.tree.filledNodeOf(instance) : undefined;
    if (node) {
      await this.view.reveal(node, { select: true, focus: false });
    }
  }

  /** Selects the node of a resource; rejects with a HumanError where its server does not list it. */
  async revealResource(ref: ResourceRef): Promise<void> {
    const connection = this.pool.require(ref.serverId);
    const catalog = this.catalog.of(connection);
    await Promise.all([catalog?.resources.load(), catalog?.templates.load()]);
    const node = this.tree.resourceNode(ref);
    if (!node) {
      throw new HumanError(vscode.l10n.t('The server "{0}" does not list {1}.', ref.serverId, ref.uri));
    }
    await this.view.reveal(node, { select: true, focus: true });
  }

  dispose(): void {
    this.view.dispose();
    this.tree.dispose();
  }
}
