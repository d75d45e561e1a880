import * as vscode from 'vscode';
import { Coalescer } from '../base/coalescer';
import type { Catalog } from '../catalog/catalog';
import type { ResourceRef } from '../connection/connectionPool';
import type { ContentSearch, SearchHit } from '../content/contentSearch';
import { contextKeys, viewIds } from '../ids';
import { inertLine } from '../ui/plainText';
import { ResourceDrag } from './resourceDrag';
import {
  failureItem,
  failuresItem,
  type FailuresNode,
  hitItem,
  type HitNode,
  matchItem,
  type SearchNode,
  searchWords,
} from './searchItems';

/** How often the view follows a search that is under way. Milliseconds. */
const FOLLOW_MS = 100;

interface SearchResultsParts {
  readonly catalog: Catalog;
  documentOf(this: void, ref: ResourceRef): vscode.Uri;
  onError(this: void, error: unknown): void;
}

/** The view "Search Results": what the last search found. It is there only when there was a search. */
export class SearchResults implements vscode.TreeDataProvider<SearchNode>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<SearchNode | undefined>();
  private readonly view: vscode.TreeView<SearchNode>;
  private readonly following: Coalescer;
  private readonly hitNodes = new WeakMap<SearchHit, HitNode>();
  /** What the rows show: they are made anew only for something else, so that no key or click of a person falls between. */
  private shown: readonly unknown[] = [];
  private current:
    { readonly search: ContentSearch; readonly leftOut: number; readonly failures: FailuresNode } | undefined;

  readonly onDidChangeTreeData = this.changeEmitter.event;

  constructor(private readonly parts: SearchResultsParts) {
    this.view = vscode.window.createTreeView(viewIds.searchResults, {
      treeDataProvider: this,
      showCollapseAll: true,
      dragAndDropController: new ResourceDrag<SearchNode>((node) => this.documentOf(node)),
    });
    this.following = new Coalescer(() => this.follow(), {
      delay: FOLLOW_MS,
      maxWait: FOLLOW_MS * 3,
      onError: parts.onError,
    });
  }

  /** Shows a search from its beginning on, in place of the one before; `leftOut`: resources that the filter hides. */
  async show(search: ContentSearch, leftOut: number): Promise<void> {
    this.current?.search.dispose();
    this.current = { search, leftOut, failures: { kind: 'failures', search } };
    const { text, matchCase, wholeWord } = search.query;
    const options = [
      matchCase ? vscode.l10n.t('match case') : undefined,
      wholeWord ? vscode.l10n.t('whole word') : undefined,
    ];
    this.view.description = [inertLine(text, 60), ...options].filter(Boolean).join(' · ');
    search.onDidChange(() => this.following.trigger());
    await this.follow();
    await vscode.commands.executeCommand(`${viewIds.searchResults}.focus`);
  }

  /** Shows progress in the view until the work is done. */
  async during(work: Promise<void>): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: viewIds.searchResults } }, () => work);
    await this.following.flush();
  }

  /** Forgets the search; one that is under way is given up. */
  async clear(): Promise<void> {
    this.current?.search.dispose();
    this.current = undefined;
    await this.follow();
  }

  getTreeItem(node: SearchNode): vscode.TreeItem {
    const { catalog } = this.parts;
    switch (node.kind) {
      case 'hit':
        return hitItem(node, catalog.entryOf(node.hit.ref), this.documentOfHit(node.hit));
      case 'match':
        return matchItem(node);
      case 'failures':
        return failuresItem(node);
      case 'failure': {
        const { serverId, uri } = node.failure;
        return failureItem(node, uri === undefined ? undefined : catalog.entryOf({ serverId, uri }));
      }
    }
  }

  getChildren(node?: SearchNode): SearchNode[] {
    switch (node?.kind) {
      case undefined:
        return this.roots();
      case 'hit':
        return node.hit.matches.map((match) => ({ kind: 'match', parent: node, match }));
      case 'failures':
        return node.search.failures.map((failure) => ({ kind: 'failure', parent: node, failure }));
      default:
        return [];
    }
  }

  getParent(node: SearchNode): SearchNode | undefined {
    return node.kind === 'match' || node.kind === 'failure' ? node.parent : undefined;
  }

  dispose(): void {
    this.current?.search.dispose();
    this.following.dispose();
    this.view.dispose();
    this.changeEmitter.dispose();
  }

  /** The document that a row stands for: a match, for that of its hit. */
  private documentOf(node: SearchNode): vscode.Uri | undefined {
    const hit = node.kind === 'match' ? node.parent : node;
    return hit.kind === 'hit' ? this.documentOfHit(hit.hit) : undefined;
  }

  private documentOfHit({ ref, child }: SearchHit): vscode.Uri {
    const document = this.parts.documentOf(ref);
    return child === undefined ? document : vscode.Uri.joinPath(document, child);
  }

  private roots(): SearchNode[] {
    if (!this.current) {
      return [];
    }
    const { failures, search } = this.current;
    const nodes: SearchNode[] = search.hits.map((hit) => this.hitNode(search, hit));
    return search.failures.length > 0 ? [...nodes, failures] : nodes;
  }

  private hitNode(search: ContentSearch, hit: SearchHit): HitNode {
    const node = this.hitNodes.get(hit) ?? { kind: 'hit', search, hit };
    this.hitNodes.set(hit, node);
    return node;
  }

  private async follow(): Promise<void> {
    const { current } = this;
    this.view.message = current && searchWords(current.search, current.leftOut);
    const shown = current ? [current.search, current.search.matches, current.search.failures.length] : [];
    if (shown.length !== this.shown.length || shown.some((value, index) => value !== this.shown[index])) {
      this.shown = shown;
      this.changeEmitter.fire(undefined);
    }
    await Promise.all([
      vscode.commands.executeCommand('setContext', contextKeys.searched, current !== undefined),
      vscode.commands.executeCommand('setContext', contextKeys.searching, current?.search.state === 'running'),
    ]);
  }
}
