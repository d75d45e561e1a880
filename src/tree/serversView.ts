import * as vscode from 'vscode';
import { Coalescer } from '../base/coalescer';
import type { ServerCatalog } from '../catalog/serverCatalog';
import type { TemplateInstance } from '../catalog/templateInstances';
import { HumanError } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import { contextKeys, viewIds } from '../ids';
import { filterWords } from './listWords';
import type { MoreNode, TreeNode } from './nodes';
import { documentOfNode, ResourceDrag } from './resourceDrag';
import { ServersTree, type TreeParts } from './serversTree';
import type { FilteredCount } from './treeItem';

/** How long lists may grow until it is said again how much of them is shown. Milliseconds. */
const COUNT_MS = 200;

/** The view "MCP Resources": the tree in its place, with selection and reveal, and words for what is left out. */
export class ServersView implements vscode.Disposable {
  private readonly tree: ServersTree;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly subscriptions: vscode.Disposable[];
  private readonly expandEmitter = new vscode.EventEmitter<ServerConnection>();

  /** Somebody opened the node of a server. */
  readonly onDidExpandServer = this.expandEmitter.event;

  constructor(private readonly parts: TreeParts) {
    const { catalog, changes, choice, expanded, instances, pool, selected } = parts;
    this.tree = new ServersTree(parts);
    this.view = vscode.window.createTreeView(viewIds.servers, {
      treeDataProvider: this.tree,
      canSelectMany: true,
      showCollapseAll: true,
      dragAndDropController: new ResourceDrag<TreeNode>((node) => documentOfNode(node, parts.documentOf)),
    });
    const counting = new Coalescer(() => this.sayWhatIsLeftOut(), {
      delay: COUNT_MS,
      maxWait: COUNT_MS * 5,
      onError: parts.onError,
    });
    const count = (): void => counting.trigger();
    const badge = (): void => this.countChanged();
    this.subscriptions = [
      this.view,
      this.tree,
      this.expandEmitter,
      this.view.onDidExpandElement(({ element }) => {
        expanded.note(element, true);
        if (element.kind === 'server') {
          void catalog.of(element.connection)?.revalidate();
          this.expandEmitter.fire(element.connection);
        }
      }),
      this.view.onDidChangeSelection(({ selection }) => selected.note(selection)),
      this.view.onDidChangeVisibility(() => this.selectAgain()),
      vscode.Disposable.from(catalog.onDidChange(() => this.selectAgain())),
      this.view.onDidCollapseElement(({ element }) => expanded.note(element, false)),
      vscode.Disposable.from(
        counting,
        choice.onDidChange(count),
        ...[changes.onDidChange(badge), pool.onDidChangeServers(badge), choice.onDidChange(badge)],
        ...[catalog, instances].map((each) => each.onDidChange(() => choice.isFiltering && count())),
        pool.onDidChangeServers(count),
      ),
    ];
    count();
  }

  get selection(): readonly TreeNode[] {
    return this.view.selection;
  }

  /** How many of a server's listed resources are shown. */
  countOf(catalog: ServerCatalog): Promise<FilteredCount> {
    return this.tree.countOf(catalog);
  }

  /** Shows a server and what is in it. */
  async revealServer(connection: ServerConnection): Promise<void> {
    await this.view.reveal(this.tree.serverNode(connection), { expand: true, select: true, focus: false });
  }

  /** Selects what was just made from a template, where the tree is on the screen: its template may never have had children. */
  async showFilled(instance: TemplateInstance): Promise<void> {
    const node = this.view.visible ? this.tree.shownFilledNodeOf(instance) : undefined;
    if (node) {
      await this.view.reveal(node, { select: true, focus: false });
    }
  }

  /** Selects the node of a resource; rejects with a HumanError where its server does not list it. */
  async revealResource(ref: ResourceRef): Promise<void> {
    const { catalog, pool } = this.parts;
    const connection = pool.require(ref.serverId);
    const lists = catalog.of(connection);
    await Promise.all([lists?.resources.load(), lists?.templates.load()]);
    const node = await this.tree.resourceNode(ref);
    if (!node) {
      throw new HumanError(
        (catalog.entryOf(ref) ?? this.tree.filledNodeOf(this.parts.instances.find(ref)))
          ? vscode.l10n.t('The filter hides {0} of the server "{1}". Clear it first.', ref.uri, ref.serverId)
          : vscode.l10n.t('The server "{0}" does not list {1}.', ref.serverId, ref.uri),
      );
    }
    await this.view.reveal(node, { select: true, focus: true });
  }

  /** What is shown of a server's list, in order. */
  shownOf(connection: ServerConnection): ReturnType<ServersTree['shownOf']> {
    return this.tree.shownOf(connection);
  }

  showMore(node: MoreNode): void {
    this.tree.showMore(node);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** How many resources of the servers in the tree have changed unseen, as a badge on the view. */
  private countChanged(): void {
    const { changes, choice, pool } = this.parts;
    const isInTree = ({ serverId }: ResourceRef): boolean =>
      pool.get(serverId) !== undefined && !choice.isHidden(serverId);
    const value = changes.marks.filter(isInTree).length;
    const tooltip =
      value === 1 ? vscode.l10n.t('1 resource has changed') : vscode.l10n.t('{0} resources have changed', value);
    this.view.badge = value === 0 ? undefined : { value, tooltip };
  }

  /** Selects what the window before had selected, once it is listed: in a view that shows, without taking the focus. */
  private selectAgain(): void {
    const { catalog, selected, onError } = this.parts;
    const { wanted } = selected;
    if (!wanted || !this.view.visible || !catalog.entryOf(wanted)) {
      return;
    }
    selected.wanted = undefined;
    this.tree
      .resourceNode(wanted)
      .then((node) => node && this.view.reveal(node, { select: true, focus: false }))
      .catch(onError);
  }

  private async sayWhatIsLeftOut(): Promise<void> {
    const { choice, pool } = this.parts;
    const hidden = pool.all.filter(({ id }) => choice.isHidden(id)).length;
    const words: string[] = [];
    if (choice.isFiltering) {
      const { resources, templates } = await this.tree.counts();
      const { shown, total } = resources;
      const by = filterWords(choice.options.filter);
      const [some, all] = [shown.toLocaleString(), total.toLocaleString()];
      words.push(
        total === 1
          ? vscode.l10n.t('Filtered by {0}: {1} of 1 resource shown.', by, some)
          : vscode.l10n.t('Filtered by {0}: {1} of {2} resources shown.', by, some, all),
      );
      if (templates.total > 0) {
        const count = [templates.shown, templates.total].map((each) => each.toLocaleString());
        words.push(vscode.l10n.t('Templates: {0} of {1}.', ...count));
      }
    }
    if (hidden > 0) {
      words.push(
        hidden === 1 ? vscode.l10n.t('1 server is hidden.') : vscode.l10n.t('{0} servers are hidden.', hidden),
      );
    }
    this.view.message = words.join(' ');
    void vscode.commands.executeCommand('setContext', contextKeys.filtering, choice.isFiltering);
    void vscode.commands.executeCommand('setContext', contextKeys.hiding, hidden > 0);
  }
}
