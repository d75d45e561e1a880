import * as vscode from 'vscode';
import { Coalescer } from '../base/coalescer';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { within } from '../base/within';
import type { Catalog } from '../catalog/catalog';
import type { FuzzyMatch } from '../catalog/fuzzyMatch';
import type { IndexedEntry, ResourceIndex } from '../catalog/resourceIndex';
import type { ConnectionPool } from '../connection/connectionPool';
import {
  type BrowseRow,
  browseRows,
  type BrowseState,
  browseTitle,
  isLoading,
  keyOfEntry,
  keyOfServer,
  MOST_ROWS,
  rowButtons,
} from './browseRows';
import { contextKeys } from '../ids';
import { canConnect } from './chooseServer';

/** So long the picker waits for its first rows. Milliseconds: nobody types that fast after its key. */
const OPEN_MS = 20;

/** VS Code has drawn its rows long before, or is in trouble of its own. Milliseconds. */
const LONGEST_DRAW_MS = 1000;

/** What a person can ask for in the picker. */
export type BrowseAction = 'open' | 'side' | 'attach' | 'copy';

export interface BrowseParts {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly index: ResourceIndex;
  readonly onAction: (action: BrowseAction, entries: readonly IndexedEntry[]) => void;
  readonly onError: (error: unknown) => void;
  readonly onHide: () => void;
}

/** The picker while it is open: rows follow what is typed and what the servers list, the active row stays. */
export class BrowsePicker implements Disposable {
  private readonly store = new DisposableStore();
  private readonly picker = this.store.add(vscode.window.createQuickPick<BrowseRow>());
  private readonly refresher: Coalescer;
  /** The picker opens with its first rows, which VS Code then draws once, or without them when they take longer. */
  private opening: NodeJS.Timeout | undefined;
  /** The search for what is typed now. */
  private typing = new AbortController();
  /** The server that was chosen to be connected: its row, or what it lists, is active once what was typed for it is gone. */
  private connected: string | undefined;
  private shown: { readonly query: string; readonly look: string; readonly some: boolean } | undefined;
  /** What is selected, while several can be; VS Code forgets it with every change of the rows. */
  private chosen: ReadonlyMap<string, IndexedEntry> | undefined;
  /** Changes of rows or selection that VS Code has yet to make: what it says of the selection until then is not a person's. */
  private settling = 0;
  /** Resolves when VS Code has made the last of them. */
  private drawn: Promise<void> = Promise.resolve();

  constructor(private readonly parts: BrowseParts) {
    const { pool, catalog, index, onError, onHide } = parts;
    const { picker } = this;
    this.refresher = this.store.add(
      new Coalescer((signal) => this.refresh(signal), { delay: 50, maxWait: 250, onError }),
    );
    // The rows come ranked. Not in the stable API, yet VS Code takes it; without it, it would sort them by its own lights.
    Object.assign(picker, { sortByLabel: false });
    this.explain();
    for (const subscription of [
      picker.onDidHide(onHide),
      picker.onDidChangeValue(() => this.searchNow()),
      picker.onDidChangeSelection((rows) => this.choose(rows)),
      picker.onDidAccept(() => this.accept()),
      picker.onDidTriggerButton(() => this.toggleSeveral()),
      picker.onDidTriggerItemButton(({ button, item }) => this.act(actionOf(button), entriesOf([item]))),
      pool.onDidChangeServers(() => this.follow()),
      pool.onDidChangeState(() => this.follow()),
      catalog.onDidChange(() => this.follow()),
    ]) {
      this.store.add(subscription);
    }
    this.loadLists('failed');
    this.opening = setTimeout(() => this.open(), OPEN_MS);
    if (index.size === 0 && isLoading(pool.all, catalog)) {
      // A first page is often there in no time: rows that say so would only be in its way.
      this.refresher.trigger();
    } else {
      this.searchNow();
    }
  }

  /** Several rows can be selected, or one. */
  toggleSeveral(): void {
    this.chosen = this.chosen ? undefined : new Map();
    this.explain();
    this.searchNow();
  }

  /** Adds the active row (where none is, the first) to what is selected, or takes it out. */
  toggleActive(): void {
    const { picker } = this;
    const row = picker.activeItems[0] ?? picker.items.find(({ target }) => target);
    if (row?.target?.kind !== 'entry' || row.target.source.found.kind !== 'resource') {
      return;
    }
    const chosen = new Map(this.chosen);
    if (!chosen.delete(row.key)) {
      chosen.set(row.key, row.target.source);
    }
    if (this.chosen) {
      this.chosen = chosen;
      picker.keepScrollPosition = true;
      this.draw(picker.items, picker.activeItems);
    } else {
      this.toggleSeveral();
      this.chosen = chosen;
    }
  }

  /** Does something with the active row, or attaches all that are selected. */
  actOnActive(action: BrowseAction): void {
    const chosen = action === 'attach' && this.chosen ? [...this.chosen.values()] : [];
    this.act(action, chosen.length > 0 ? chosen : entriesOf(this.picker.activeItems));
  }

  hide(): void {
    if (this.opening) {
      this.parts.onHide();
    } else {
      this.picker.hide();
    }
  }

  dispose(): void {
    clearTimeout(this.opening);
    this.typing.abort();
    this.store.dispose();
  }

  private open(): void {
    clearTimeout(this.opening);
    this.opening = undefined;
    this.picker.show();
  }

  private explain(): void {
    const { picker, chosen } = this;
    picker.placeholder = chosen
      ? vscode.l10n.t('Search and select; Enter attaches all that are selected')
      : vscode.l10n.t('Search by title, name, URI or description');
    picker.buttons = [
      chosen
        ? { iconPath: new vscode.ThemeIcon('list-flat'), tooltip: vscode.l10n.t('Select One') }
        : { iconPath: new vscode.ThemeIcon('checklist'), tooltip: vscode.l10n.t('Select Several') },
    ];
  }

  private follow(): void {
    this.loadLists();
    this.refresher.trigger();
    if (!this.shown?.some && this.parts.index.size > 0) {
      // What comes first is shown at once; more of it now and then.
      void this.refresher.flush();
    }
  }

  /** Lists what connected servers have not been asked for yet; on opening, what failed, too. Connects nothing. */
  private loadLists(again?: 'failed'): void {
    for (const connection of this.parts.pool.all) {
      const catalog = connection.state.kind === 'connected' ? this.parts.catalog.of(connection) : undefined;
      if (again) {
        void catalog?.revalidate();
      }
      for (const list of catalog ? [catalog.resources, catalog.templates] : []) {
        if (list.state === 'idle' || list.state === again) {
          // Failure is the list's state, and shown.
          list.load().catch(() => undefined);
        }
      }
    }
  }

  /** A search under way is for what was typed before. */
  private searchNow(): void {
    this.typing.abort();
    this.typing = new AbortController();
    this.refresher.trigger();
    void this.refresher.flush();
  }

  private async refresh(closing: AbortSignal): Promise<void> {
    const query = this.picker.value;
    const signal = AbortSignal.any([closing, this.typing.signal]);
    const matches = await this.parts.index.search({ query, limit: MOST_ROWS }, signal);
    // What it says of the rows before would be taken for these, place by place: another row would become the active one.
    await within(this.drawn, LONGEST_DRAW_MS);
    if (!signal.aborted) {
      this.show(query, matches);
    }
  }

  private show(query: string, matches: readonly FuzzyMatch<IndexedEntry>[]): void {
    const { picker, chosen, shown } = this;
    const { pool, catalog, index } = this.parts;
    const servers = pool.all.filter(canConnect);
    const state: BrowseState = { query, matches, size: index.size, servers, catalog, chosen };
    picker.title = browseTitle(state);
    picker.busy = isLoading(servers, catalog);
    const rows = browseRows(state);
    const look = JSON.stringify([
      chosen !== undefined,
      rows.map(({ key, label, description, detail }) => [key, label, description, detail]),
    ]);
    this.shown = { query, look, some: state.size > 0 };
    if (shown?.look === look) {
      // The same rows for another query, too: VS Code has made the first one active where it should be.
      return;
    }
    // Where several can be selected, only a person's own keys make a row active: it stays, whatever is typed.
    const isSame = shown?.query === query;
    const before = chosen || isSame ? picker.activeItems[0]?.key : this.connected;
    this.connected = isSame ? this.connected : undefined;
    const selectable = rows.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    // Where several can be selected, the first arrow key goes to the first row: none is active before it.
    const active =
      selectable.find(({ key }) => key === before) ??
      // A server that was chosen to be connected: its first resource takes the place of its row.
      selectable.find(({ target }) => target?.kind === 'entry' && keyOfServer(target.source.ref.serverId) === before) ??
      // A row that only says something is no row to begin with.
      (chosen ? undefined : (selectable.find(({ target }) => target) ?? selectable[0]));
    picker.keepScrollPosition = active !== undefined && active.key === before;
    picker.canSelectMany = chosen !== undefined;
    this.draw(rows, active ? [active] : []);
    if (this.opening) {
      this.open();
    }
  }

  /** In this order: VS Code takes what is active and selected as places among the rows that it was given before. */
  private draw(rows: readonly BrowseRow[], active: readonly BrowseRow[]): void {
    const { picker, chosen } = this;
    picker.items = rows;
    picker.activeItems = active;
    if (chosen) {
      picker.selectedItems = rows.filter(({ key }) => chosen.has(key));
    }
    this.drawn = this.settle().catch(this.parts.onError);
  }

  /** VS Code forgets the selection with the rows, and says so; then it says what we selected. */
  private async settle(): Promise<void> {
    this.settling += 1;
    // It hands changes on after a timer of the same length, set before this one; what it answers then comes after what it says of them.
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    if (this.store.isDisposed) {
      return;
    }
    try {
      await vscode.commands.executeCommand('setContext', contextKeys.browsing, true);
    } finally {
      this.settling -= 1;
    }
    this.choose(this.picker.selectedItems);
  }

  /** What is selected stays in the order in which it was. */
  private choose(rows: readonly BrowseRow[]): void {
    if (!this.chosen || this.settling > 0) {
      return;
    }
    const selected = new Map(entriesOf(rows).map((entry) => [keyOfEntry(entry), entry]));
    const before = [...this.chosen].filter(([key]) => selected.has(key));
    this.chosen = new Map([...before, ...selected]);
  }

  private accept(): void {
    if (this.chosen) {
      this.act('attach', [...this.chosen.values()]);
      return;
    }
    const [row] = this.picker.selectedItems.length > 0 ? this.picker.selectedItems : this.picker.activeItems;
    switch (row?.target?.kind) {
      case 'entry':
        this.act('open', entriesOf([row]));
        return;
      case 'connect': {
        const { connection } = row.target;
        const { value: name, items } = this.picker;
        // The name has found the server: what is typed next is for its resources.
        const found = (): void => {
          if (this.picker.value === name && !items.some(({ target }) => target?.kind === 'entry')) {
            this.connected = keyOfServer(connection.id);
            this.picker.value = '';
          }
        };
        // A failure is the server's state, and its row tells.
        connection.connect('person').then(found, (error: unknown) => {
          if (connection.state.kind !== 'failed') {
            this.parts.onError(error);
          }
        });
        return;
      }
      case 'relist':
        void row.target.catalog.reload();
    }
  }

  private act(action: BrowseAction, entries: readonly IndexedEntry[]): void {
    if (entries.length > 0) {
      this.parts.onAction(action, entries);
    }
  }
}

function entriesOf(rows: readonly BrowseRow[]): readonly IndexedEntry[] {
  return rows.flatMap(({ target }) => (target?.kind === 'entry' ? [target.source] : []));
}

function actionOf(button: vscode.QuickInputButton): BrowseAction {
  return (['attach', 'side'] as const).find((action) => rowButtons[action] === button) ?? 'copy';
}
