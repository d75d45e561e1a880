import * as vscode from 'vscode';
import { labelOf } from '../catalog/labelOf';
import { keyOf } from '../connection/connectionPool';
import type { ResourceEntry } from '../connection/wire';
import type { PinnedResource } from '../content/pinnedResource';
import { commandIds } from '../ids';
import { plainLine } from '../ui/plainText';
import { tokenWords } from '../ui/tokenWords';
import { itemId, itemResource } from './itemBounds';
import { iconOf } from './icons';
import type { PinNode } from './pinsTree';
import { pinTooltip } from './tooltips';

interface PinLook {
  readonly node: PinNode;
  readonly pin: PinnedResource;
  readonly entry: ResourceEntry;
  readonly document: vscode.Uri;
}

const icons: Record<PinnedResource['state'], vscode.ThemeIcon | undefined> = {
  ready: undefined,
  unread: undefined,
  waiting: new vscode.ThemeIcon('circle-outline'),
  lost: new vscode.ThemeIcon('circle-slash'),
  gone: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
};

const changedIcon = new vscode.ThemeIcon('diff-modified', new vscode.ThemeColor('list.warningForeground'));

/** A row of the view "Pinned". */
export function pinItem({ node, pin, entry, document }: PinLook): vscode.TreeItem {
  const label = plainLine(labelOf(entry));
  const server = plainLine(pin.ref.serverId, 60);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.id = itemId(`pin ${keyOf(pin.ref)}`);
  item.resourceUri = itemResource(pin.ref.uri, () => document);
  const calm = pin.changed ? changedIcon : (iconOf(entry.icons) ?? vscode.ThemeIcon.File);
  item.iconPath = icons[pin.state] ?? calm;
  const words = stateWords(pin);
  const size = pin.tokens === undefined ? undefined : tokenWords(pin.tokens);
  // What there is to do something about comes first: the end of a row is cut.
  item.description = [words, server, size].filter(Boolean).join(' · ');
  item.contextValue = node.kind === 'lostPin' ? 'lost' : 'pin';
  item.tooltip = pinTooltip(entry, { ...pin, serverId: pin.ref.serverId, state: words });
  if (node.kind === 'resource') {
    item.command = { command: commandIds.open, title: vscode.l10n.t('Open'), arguments: [node] };
  }
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, pinned, {1}', label, item.description),
  };
  return item;
}

/** What there is to say of a pin beside its size; nothing where all is well. */
function stateWords({ state, failure, changed }: PinnedResource): string | undefined {
  switch (state) {
    case 'waiting':
      return vscode.l10n.t('waits for its server');
    case 'lost':
      return vscode.l10n.t('its server is not configured');
    case 'gone':
      return vscode.l10n.t('not found');
    case 'failed':
      return plainLine(failure ?? '', 80);
    case 'ready':
    case 'unread':
      return changed ? vscode.l10n.t('changed') : undefined;
  }
}
