import * as vscode from 'vscode';
import type { Catalog } from '../catalog/catalog';
import { defaultListing, type Grouping, type ListingFilter, type SortKey } from '../catalog/listingOptions';
import { parseMediaType } from '../base/mediaType';
import type { ConnectionPool } from '../connection/connectionPool';
import { commandIds } from '../ids';
import type { ListingChoice } from '../tree/listingChoice';
import type { MoreNode, TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';
import { inertLine } from '../ui/plainText';
import { hideServer } from '../ui/settings';
import type { CommandRegistry } from './commandRegistry';

export interface ListingServices {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly choice: ListingChoice;
  readonly view: ServersView;
}

/** Typing is followed by the tree after this pause. Milliseconds. */
const FOLLOW_MS = 150;
/** MIME types offered at most. */
const MOST_TYPES = 20;

/** Filter, arrange, hide and show what the servers list. */
export function addListingCommands(registry: CommandRegistry, services: ListingServices): void {
  const { choice, pool, view } = services;
  registry.add(commandIds.showMore, (node: MoreNode) => view.showMore(node));
  registry.add(commandIds.stopListing, (node: TreeNode) => {
    if (node.kind === 'server') {
      services.catalog.of(node.connection)?.stop();
    }
  });
  registry.add(commandIds.filter, () => chooseFilter(services));
  registry.add(commandIds.clearFilter, () => choice.choose({ filter: defaultListing.filter }));
  registry.add(commandIds.arrange, () => chooseArrangement(choice));
  registry.add(commandIds.hideServer, async (node: TreeNode) => {
    if (node.kind === 'server') {
      await hideServer(node.connection.id, true);
    }
  });
  registry.add(commandIds.showHidden, async () => {
    const hidden = pool.all.filter(({ id }) => choice.isHidden(id));
    const chosen = await vscode.window.showQuickPick(
      hidden.map(({ id }) => ({ label: inertLine(id), id, picked: true })),
      { title: vscode.l10n.t('Show Hidden Servers'), canPickMany: true },
    );
    for (const { id } of chosen ?? []) {
      await hideServer(id, false);
    }
  });
}

interface FilterItem extends vscode.QuickPickItem {
  readonly part: ListingFilter;
}

/** What is typed filters by text, what is ticked by the rest; the tree follows at once, Escape brings back what was. */
function chooseFilter({ catalog, choice, pool }: ListingServices): Promise<void> {
  const before = choice.options.filter;
  const pick = vscode.window.createQuickPick<FilterItem>();
  pick.title = vscode.l10n.t('Filter Resources');
  pick.placeholder = vscode.l10n.t('Words in title, name, URI or description');
  pick.canSelectMany = true;
  pick.value = before.text ?? '';
  pick.items = filterItems(pool.all.flatMap((connection) => catalog.of(connection)?.resources.items ?? []));
  pick.selectedItems = pick.items.filter(({ part }) =>
    Object.entries(part).every(([key, value]) => before[key as keyof ListingFilter] === value),
  );
  const chosen = (): ListingFilter => ({
    ...pick.selectedItems.reduce<ListingFilter>((filter, { part }) => ({ ...filter, ...part }), {}),
    ...(pick.value.trim() !== '' && { text: pick.value }),
  });
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let accepted = false;
    const follow = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void choice.choose({ filter: chosen() }), FOLLOW_MS);
    };
    pick.onDidChangeValue(follow);
    pick.onDidChangeSelection((items) => {
      const single = withoutRivals(items, pick.selectedItems);
      if (single.length < items.length) {
        pick.selectedItems = single;
      }
      follow();
    });
    pick.onDidAccept(() => {
      accepted = true;
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      const filter = accepted ? chosen() : before;
      pick.dispose();
      choice.choose({ filter }).then(resolve, reject);
    });
    pick.show();
  });
}

/** Of items for the same part of the filter the last one counts. */
function withoutRivals(items: readonly FilterItem[], order: readonly FilterItem[]): readonly FilterItem[] {
  const last = new Map(order.map((item) => [Object.keys(item.part)[0], item]));
  return items.filter((item) => last.get(Object.keys(item.part)[0]) === item);
}

function filterItems(entries: readonly { readonly mimeType?: string }[]): FilterItem[] {
  const asListed = new Map<string, number>();
  for (const { mimeType } of entries) {
    if (mimeType !== undefined) {
      asListed.set(mimeType, (asListed.get(mimeType) ?? 0) + 1);
    }
  }
  const types = new Map<string, number>();
  for (const [mimeType, count] of asListed) {
    const type = parseMediaType(mimeType)?.essence;
    if (type !== undefined) {
      types.set(type, (types.get(type) ?? 0) + count);
    }
  }
  const common = [...types].sort(([, a], [, b]) => b - a).slice(0, MOST_TYPES);
  // Shown whatever is typed: the words are for the tree.
  const item = (label: string, part: ListingFilter, description?: string): FilterItem => ({
    label,
    part,
    description,
    alwaysShow: true,
  });
  return [
    item(vscode.l10n.t('Changed'), { changed: true }, vscode.l10n.t('since you last saw it')),
    item(vscode.l10n.t('Live'), { live: true }, vscode.l10n.t('its server tells when it changes')),
    item(vscode.l10n.t('Meant for the assistant'), { audience: 'assistant' }),
    item(vscode.l10n.t('Meant for the user'), { audience: 'user' }),
    ...common.map(([type, count]) => item(inertLine(type, 60), { mimeType: type }, String(count))),
  ];
}

/** Sort order and folders in one list, what is chosen now marked. */
async function chooseArrangement(choice: ListingChoice): Promise<void> {
  const { sort, grouping } = choice.options;
  const sorts: Record<SortKey, string> = {
    listed: vscode.l10n.t('As the server lists them'),
    name: vscode.l10n.t('Name'),
    priority: vscode.l10n.t('Priority'),
    lastModified: vscode.l10n.t('Last modified'),
    size: vscode.l10n.t('Size'),
  };
  const groupings: Record<Grouping, string> = {
    flat: vscode.l10n.t('One list'),
    path: vscode.l10n.t('Folders by URI'),
  };
  type Item = vscode.QuickPickItem & { readonly options?: Parameters<ListingChoice['choose']>[0] };
  const rows = <K extends string>(words: Record<K, string>, now: K, options: (key: K) => Item['options']): Item[] =>
    (Object.keys(words) as K[]).map((key) => ({
      label: `$(${key === now ? 'check' : 'blank'}) ${words[key]}`,
      options: options(key),
    }));
  const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const chosen = await vscode.window.showQuickPick<Item>(
    [
      separator(vscode.l10n.t('sort by')),
      ...rows(sorts, sort, (key) => ({ sort: key })),
      separator(vscode.l10n.t('group')),
      ...rows(groupings, grouping, (key) => ({ grouping: key })),
    ],
    { title: vscode.l10n.t('Sort and Group Resources') },
  );
  if (chosen?.options) {
    await choice.choose(chosen.options);
  }
}
