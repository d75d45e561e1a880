import * as vscode from 'vscode';
import { labelOf } from '../catalog/labelOf';
import type { ListState } from '../catalog/pagedList';
import { quoted } from '../config/launchEntry';
import { keyOf } from '../connection/connectionPool';
import type { ConnectionState } from '../connection/serverConnection';
import { commandIds } from '../ids';
import { formatBytes } from '../ui/byteFormat';
import { plainLine } from '../ui/plainText';
import { itemId, itemResource } from './itemBounds';
import { iconOf } from './icons';
import {
  type FolderNode,
  type MessageNode,
  type MoreNode,
  type OfferNode,
  type PartNode,
  type ResourceNode,
  type ServerNode,
  type TemplateGroupNode,
} from './nodes';
import { needOf, needs } from './needs';
import { chunk } from './resourceLists';
import { offerTooltip, retryWords, stateWords } from './tooltips';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** Not the theme's folder: many icon themes have none. */
const partsIcon = new vscode.ThemeIcon('files');
const folderIcon = new vscode.ThemeIcon('folder');
const failedIcon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));

/** Icon, and the words of `contextValue` that menus match by `viewItem =~`, per state of a server. */
const serverStates: Record<ConnectionState['kind'], { icon: vscode.ThemeIcon; context: string }> = {
  notConnected: { icon: new vscode.ThemeIcon('circle-outline'), context: 'startable' },
  connecting: { icon: new vscode.ThemeIcon('loading~spin'), context: 'stoppable' },
  connected: {
    icon: new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed')),
    context: 'stoppable listable',
  },
  failed: {
    icon: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
    context: 'startable failed',
  },
  stopped: { icon: new vscode.ThemeIcon('circle-slash'), context: 'startable' },
};

/** Lost, and on its way back by itself. */
const retryIcon = new vscode.ThemeIcon('sync', new vscode.ThemeColor('list.warningForeground'));

const moods: Record<MessageNode['mood'], vscode.ThemeIcon | undefined> = {
  loading: new vscode.ThemeIcon('loading~spin'),
  failed: failedIcon,
  signIn: needs.signIn.icon,
  input: needs.input.icon,
  consent: needs.consent.icon,
  empty: undefined,
  stopped: new vscode.ThemeIcon('circle-slash'),
};

/** How many of a server's resources, or templates, a filter lets through. */
export interface FilteredCount {
  readonly shown: number;
  readonly total: number;
}

export function serverItem(
  { connection }: ServerNode,
  list: { readonly state: ListState; readonly found: number } | undefined,
  filtered?: FilteredCount,
): vscode.TreeItem {
  const { definition, state } = connection;
  const label = plainLine(definition.id);
  const item = new vscode.TreeItem(label, Collapsed);
  item.id = `server ${definition.id}`;
  const isListing = list?.state === 'loading';
  // The label says whose reason it is.
  const ofItself = `Server ${quoted(definition.name)}: `;
  const said = state.kind === 'failed' ? state.error.message : '';
  const reason = plainLine(said.startsWith(ofItself) ? said.slice(ofItself.length) : said);
  const own = state.kind === 'connected' ? iconOf(state.info.icons) : undefined;
  const retry = state.kind === 'failed' ? retryWords(state.retryAt) : undefined;
  const plain = retry === undefined ? serverStates[state.kind].icon : retryIcon;
  item.iconPath = isListing ? serverStates.connecting.icon : (own ?? plain);
  item.description =
    state.kind === 'failed'
      ? [retry, plainLine(reason, 80)].filter(Boolean).join(' · ')
      : state.kind !== 'connected'
        ? stateWords(state)
        : filtered &&
          vscode.l10n.t('{0} of {1} shown', filtered.shown.toLocaleString(), filtered.total.toLocaleString());
  if (isListing && state.kind === 'connected' && list.found > 0) {
    item.description = vscode.l10n.t('{0} so far…', list.found.toLocaleString());
  }
  const need = state.kind === 'failed' ? needOf(state.error) : connection.signInNeeded && 'signIn';
  if (state.kind === 'failed' && need) {
    item.iconPath = needs[need].icon;
    item.description = needs[need].words();
  }
  const defined = definition.source.kind === 'sample' ? ' sample' : ' defined';
  const context = state.kind === 'failed' && need ? 'failed' : serverStates[state.kind].context;
  const signedIn = state.kind === 'connected' && connection.canSignOut ? ' signOut' : '';
  const listing = isListing && state.kind === 'connected' ? ' listing' : '';
  item.contextValue = `server ${context}${listing}${need ? ` ${need}` : signedIn}${defined}`;
  if (!definition.launch) {
    // Nothing to start: the entry itself has to be mended.
    item.contextValue = `server broken${defined}`;
  }
  const spoken =
    state.kind === 'failed'
      ? // What a person has to give is said by the message's first words.
        [need ? undefined : stateWords(state), retry, reason].filter(Boolean).join(': ')
      : [stateWords(state), filtered && String(item.description)].filter(Boolean).join(', ');
  item.accessibilityInformation = { label: vscode.l10n.t('MCP server {0}, {1}', label, spoken) };
  return item;
}

/** What the tree knows of a resource beyond its entry. */
export interface ResourceLook {
  /** None where its URI is very long. */
  readonly document: vscode.Uri | undefined;
  /** It has documents below it, or may have some that are read when it is expanded. */
  readonly expandable: boolean;
  /** The server listed it and then did not find it. */
  readonly gone: boolean;
  /** Why the last read failed, unless it is gone. */
  readonly failure?: string;
  /** It is open, and its server does not tell when it changes. */
  readonly notLive: boolean;
  /** It has changed since a person last saw it. */
  readonly changed: boolean;
  readonly pinned: boolean;
  /** It has changed since it was attached to a chat. */
  readonly attachedBefore: boolean;
  /** When it was read last; milliseconds since the epoch. */
  readonly readAt?: number;
}

export function resourceItem(node: ResourceNode, look: ResourceLook): vscode.TreeItem {
  const { entry, server } = node;
  const serverId = server.connection.id;
  const label = plainLine(labelOf(entry));
  const item = new vscode.TreeItem(look.gone ? struckThrough(label) : label, look.expandable ? Collapsed : None);
  item.id = itemId(`resource ${keyOf({ serverId, uri: entry.uri })}`);
  // The icon theme's icon for the document's name, which was chosen to fit the MIME type.
  item.resourceUri = look.document;
  item.iconPath =
    look.failure !== undefined
      ? failedIcon
      : (iconOf(entry.icons) ?? (look.expandable ? partsIcon : vscode.ThemeIcon.File));
  const size = entry.size === undefined ? undefined : formatBytes(entry.size);
  const failed = look.gone ? vscode.l10n.t('not found') : look.failure && plainLine(look.failure, 80);
  const attached = look.attachedBefore ? vscode.l10n.t('changed since attached') : undefined;
  const state = failed ?? attached ?? (look.notLive ? vscode.l10n.t('not live') : undefined);
  item.description = [state, node.ambiguous ? plainLine(entry.uri, 120) : undefined, size].filter(Boolean).join(' · ');
  item.contextValue = `${look.pinned ? 'pinned ' : ''}resource${look.gone ? ' gone' : ''}`;
  item.command = { command: commandIds.open, title: vscode.l10n.t('Open'), arguments: [node] };
  item.accessibilityInformation = {
    label: [
      label,
      look.changed && vscode.l10n.t('changed'),
      item.description,
      vscode.l10n.t('resource of server {0}', plainLine(serverId)),
    ]
      .filter(Boolean)
      .join(', '),
  };
  return item;
}

export function folderItem({ group, server }: FolderNode): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(group.label), Collapsed);
  item.id = itemId(`folder ${keyOf({ serverId: server.connection.id, uri: group.prefix })}`);
  item.iconPath = folderIcon;
  const count = group.entries.length;
  item.description = String(count);
  item.tooltip = plainLine(group.prefix, 1000);
  item.contextValue = 'folder';
  const name = plainLine(group.label);
  const label =
    count === 1
      ? vscode.l10n.t('Folder {0}, 1 resource', name)
      : vscode.l10n.t('Folder {0}, {1} resources', name, count);
  item.accessibilityInformation = { label };
  return item;
}

/**
 * An item that can be expanded, expanded for a while: VS Code remembers by id what is folded, and what is so without a filter
 * is so again after it.
 */
export function opened(item: vscode.TreeItem): vscode.TreeItem {
  if (item.collapsibleState === Collapsed) {
    item.id = `filtered ${item.id}`;
    item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  }
  return item;
}

export function moreItem(node: MoreNode): vscode.TreeItem {
  const { parent, shown, total } = node;
  const server = parent.kind === 'server' ? parent : parent.server;
  const more = Math.min(chunk, total - shown).toLocaleString();
  const item = new vscode.TreeItem(vscode.l10n.t('Show the next {0}…', more), None);
  item.id = itemId(
    `more ${keyOf({ serverId: server.connection.id, uri: parent.kind === 'server' ? '' : parent.group.prefix })} ${shown}`,
  );
  item.description = vscode.l10n.t('{0} of {1} shown', shown.toLocaleString(), total.toLocaleString());
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.contextValue = 'more';
  item.command = { command: commandIds.showMore, title: vscode.l10n.t('Show More'), arguments: [node] };
  return item;
}

export function partItem({ name, resource }: PartNode, document: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(name), None);
  item.id = itemId(`part ${keyOf({ serverId: resource.server.connection.id, uri: resource.entry.uri })} ${name}`);
  item.resourceUri = itemResource(resource.entry.uri, () => document);
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'part';
  item.command = {
    command: commandIds.open,
    title: vscode.l10n.t('Open'),
    arguments: [{ kind: 'part', name, resource }],
  };
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, part of {1}', plainLine(name), plainLine(labelOf(resource.entry))),
  };
  return item;
}

/** A tree item has no such style: each character is followed by a combining stroke. Screen readers get the plain label. */
function struckThrough(text: string): string {
  return Array.from(text, (character) => `${character}\u0336`).join('');
}

export function templateGroupItem({ server }: TemplateGroupNode, { shown, total }: FilteredCount): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Templates'), shown > 0 ? Collapsed : None);
  item.id = `templates ${server.connection.id}`;
  item.iconPath = new vscode.ThemeIcon('symbol-snippet');
  item.description =
    shown < total ? vscode.l10n.t('{0} of {1} shown', shown.toLocaleString(), total.toLocaleString()) : String(total);
  item.contextValue = 'templateGroup';
  return item;
}

export function messageItem({ mood, text, parent }: MessageNode): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(text), None);
  const server = parent.kind === 'server' ? parent : parent.server;
  const place = parent.kind === 'resource' ? parent.entry.uri : '';
  item.id = itemId(`message ${parent.kind} ${server.connection.id} ${place} ${mood} ${text}`);
  item.iconPath = moods[mood];
  item.tooltip = plainLine(text, 1000);
  item.contextValue = `message ${mood}`;
  if (mood === 'signIn' || mood === 'input' || mood === 'consent') {
    item.command = { command: needs[mood].command, title: needs[mood].title(), arguments: [server] };
  } else if (mood === 'failed' && !server.connection.definition.launch) {
    // Its entry cannot be used, and the words say where that is.
    item.command = {
      command: commandIds.openDefinition,
      title: vscode.l10n.t('Open Configuration'),
      arguments: [server],
    };
  }
  return item;
}

/** Calm: it waits below the servers until somebody cares. */
export function offerItem(node: OfferNode): vscode.TreeItem {
  const { place, servers, file } = node.tool;
  const words =
    servers.length === 1
      ? vscode.l10n.t('1 server found in {0}’s configuration', place.label)
      : vscode.l10n.t('{0} servers found in {1}’s configuration', servers.length, place.label);
  const item = new vscode.TreeItem(words, None);
  item.id = `offer ${place.id}`;
  item.description = vscode.env.remoteName === undefined ? undefined : vscode.l10n.t('on the remote machine');
  item.iconPath = new vscode.ThemeIcon('info');
  item.tooltip = offerTooltip(servers, file);
  item.contextValue = 'offer';
  item.command = { command: commandIds.useTools, title: vscode.l10n.t('Use'), arguments: [node] };
  return item;
}
