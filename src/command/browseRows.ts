import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { Catalog } from '../catalog/catalog';
import type { FuzzyMatch } from '../catalog/fuzzyMatch';
import { fuzzyQuery, lowered, scoreOf } from '../catalog/fuzzyScore';
import { labelOf } from '../catalog/labelOf';
import type { IndexedEntry } from '../catalog/resourceIndex';
import type { ServerCatalog } from '../catalog/serverCatalog';
import { keyOf } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import { needOf, needs } from '../tree/needs';
import { stateWords } from '../tree/tooltips';
import { inertLine } from '../ui/plainText';

/** More rows than this are not shown: whoever looks for something types. */
export const MOST_ROWS = 200;

/** A row of the picker. Its key is its identity while rows come and go. */
export interface BrowseRow extends vscode.QuickPickItem {
  readonly key: string;
  /** What the row stands for; absent for separators and notes. */
  readonly target?:
    | { readonly kind: 'entry'; readonly source: IndexedEntry }
    | { readonly kind: 'connect'; readonly connection: ServerConnection }
    | { readonly kind: 'relist'; readonly catalog: ServerCatalog };
}

/** What rows and title are made of. */
export interface BrowseState {
  readonly query: string;
  readonly matches: readonly FuzzyMatch<IndexedEntry>[];
  /** All resources that are listed, whether or not they match. */
  readonly size: number;
  /** Those that can be connected at all. */
  readonly servers: readonly ServerConnection[];
  readonly catalog: Catalog;
  /** What is selected in the mode that selects several; `undefined` in the other mode. */
  readonly chosen: ReadonlyMap<string, IndexedEntry> | undefined;
}

/** Named as the actions that they stand for. */
export const rowButtons = {
  attach: { iconPath: new vscode.ThemeIcon('attach'), tooltip: vscode.l10n.t('Attach to Chat') },
  side: { iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: vscode.l10n.t('Open to the Side') },
  copy: { iconPath: new vscode.ThemeIcon('copy'), tooltip: vscode.l10n.t('Copy URI') },
} satisfies Record<string, vscode.QuickInputButton>;

/** The rows: what was found, best first, then the servers that list nothing now, with what can be done about it. */
export function browseRows(state: BrowseState): BrowseRow[] {
  const { query, matches, chosen } = state;
  const typed = query.trim() !== '';
  if (chosen) {
    return severalRows(matches, chosen, typed);
  }
  const servers = state.servers.filter(isFound(query));
  return [
    ...(typed ? matches.map((match) => matchRow(match, typed)) : firstRows(matches)),
    ...(matches.length === 0 ? noteRows(state) : []),
    ...group(vscode.l10n.t('not listed'), servers.flatMap(failedListRows(state.catalog))),
    ...group(vscode.l10n.t('other servers'), servers.filter(isAwaited(state.catalog)).map(serverRow)),
  ];
}

/** What the picker lists, and how much of it shows. */
export function browseTitle({ matches, size, servers, catalog, chosen }: BrowseState): string {
  const connected = servers.filter(({ state }) => state.kind === 'connected');
  const [only] = connected;
  const total = size.toLocaleString(vscode.env.language);
  const count = isLoading(servers, catalog) ? vscode.l10n.t('{0} so far', total) : total;
  const listed =
    only === undefined
      ? vscode.l10n.t('MCP resources: no server is connected')
      : connected.length === 1
        ? vscode.l10n.t('Resources of {0}: {1}', inertLine(only.id, 60), count)
        : vscode.l10n.t('Resources of {0} servers: {1}', connected.length, count);
  const waiting = servers.length - connected.length;
  return [
    chosen && vscode.l10n.t('Select what to attach'),
    listed,
    matches.length >= MOST_ROWS && size > MOST_ROWS && vscode.l10n.t('{0} shown, type to narrow', MOST_ROWS),
    only && !chosen && waiting > 0 && vscode.l10n.t('{0} not connected', waiting),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Whether more may appear by itself. */
export function isLoading(servers: readonly ServerConnection[], catalog: Catalog): boolean {
  return servers.some(
    (connection) =>
      connection.state.kind === 'connecting' ||
      (connection.state.kind === 'connected' && catalog.of(connection)?.state === 'loading'),
  );
}

/** The key of the row of a server that lists nothing yet. */
export function keyOfServer(serverId: string): string {
  return `server ${serverId}`;
}

/** The key of an entry's row. */
export function keyOfEntry({ ref, found }: IndexedEntry): string {
  return `${found.kind} ${keyOf(ref)}`;
}

/** Before anything is typed: what was used lately, then server by server. */
function firstRows(matches: BrowseState['matches']): readonly BrowseRow[] {
  const recent = matches.filter(({ source }) => source.recency !== undefined).map(({ source }) => entryRow(source));
  const servers = new Map<string, BrowseRow[]>();
  for (const { source } of matches.slice(recent.length)) {
    const rows = servers.get(source.ref.serverId) ?? [];
    rows.push(entryRow(source));
    servers.set(source.ref.serverId, rows);
  }
  const single = recent.length === 0 && servers.size === 1;
  return [
    ...group(vscode.l10n.t('recently used'), recent),
    ...[...servers].flatMap(([id, rows]) => (single ? rows : group(inertLine(id), rows))),
  ];
}

/** Only resources can be attached. What is selected stays, below what matches. */
function severalRows(matches: BrowseState['matches'], chosen: ReadonlyMap<string, IndexedEntry>, typed: boolean) {
  const found = matches.filter(({ source }) => source.found.kind === 'resource');
  const shown = new Set(found.map(({ source }) => keyOfEntry(source)));
  const others = [...chosen].filter(([key]) => !shown.has(key)).map(([, source]) => entryRow(source));
  return [...found.map((match) => matchRow(match, typed)), ...group(vscode.l10n.t('also selected'), others)];
}

/** Where the label does not tell why something was found, its description may. */
function matchRow({ source, highlights }: FuzzyMatch<IndexedEntry>, typed: boolean): BrowseRow {
  const { description } = source;
  const explained = typed && highlights.length === 0 && description !== undefined && originOf(source) === undefined;
  return explained ? { ...entryRow(source), detail: inertLine(description) } : entryRow(source);
}

function entryRow(source: IndexedEntry): BrowseRow {
  const { ref, found, title } = source;
  return {
    key: keyOfEntry(source),
    target: { kind: 'entry', source },
    label: inertLine(title),
    // Always with the URI: it tells equal labels apart, and may be what was searched for.
    description: [inertLine(`${ref.serverId} · ${ref.uri}`), originOf(source)].filter(Boolean).join(' · '),
    iconPath: new vscode.ThemeIcon(found.kind === 'template' ? 'symbol-parameter' : iconOf(found.entry.mimeType)),
    buttons: found.kind === 'template' ? [rowButtons.copy] : Object.values(rowButtons),
    alwaysShow: true,
  };
}

/** The template that a resource was made from. */
function originOf({ found }: IndexedEntry): string | undefined {
  return found.kind === 'resource' && found.madeFrom
    ? vscode.l10n.t('from the template {0}', inertLine(labelOf(found.madeFrom), 60))
    : undefined;
}

function iconOf(mimeType: string | undefined): string {
  return /^(image|audio|video)\//u.test(mimeType ?? '') ? 'file-media' : 'file';
}

function isNotConnected({ state }: ServerConnection): boolean {
  return state.kind !== 'connected';
}

/** Servers are found by their names, as resources are, and by the words of their rows. */
function isFound(query: string): (connection: ServerConnection) => boolean {
  const parts = fuzzyQuery(query);
  return ({ id }) =>
    scoreOf(parts, { title: lowered(id), name: '', uri: '', description: lowered(connectWords(id)) }) !== undefined;
}

function connectWords(id: string): string {
  return vscode.l10n.t('Connect {0}', inertLine(id));
}

/** Nothing of the server shows: it is not connected, or its first page has not come yet. */
function isAwaited(catalog: Catalog): (connection: ServerConnection) => boolean {
  return (connection) => {
    const list = catalog.of(connection)?.resources;
    return isNotConnected(connection) || (list?.state === 'loading' && list.items.length === 0);
  };
}

function serverRow(connection: ServerConnection): BrowseRow {
  const { id, state } = connection;
  const connecting = state.kind === 'connecting' || state.kind === 'connected';
  const need = state.kind === 'failed' ? needOf(state.error) : undefined;
  const icon = connecting ? 'loading~spin' : state.kind === 'failed' ? 'error' : 'debug-start';
  return {
    key: keyOfServer(id),
    target: connecting ? undefined : { kind: 'connect', connection },
    label: connecting ? inertLine(id) : connectWords(id),
    description:
      state.kind === 'failed'
        ? inertLine(state.error.message)
        : state.kind === 'connected'
          ? vscode.l10n.t('loading…')
          : connecting
            ? stateWords(state)
            : undefined,
    iconPath: need ? needs[need].icon : new vscode.ThemeIcon(icon),
    alwaysShow: true,
  };
}

function failedListRows(catalog: Catalog): (connection: ServerConnection) => BrowseRow[] {
  return (connection) => {
    const found = catalog.of(connection);
    const error = found && (found.resources.error ?? found.templates.error);
    if (!error || found.state !== 'failed' || isNotConnected(connection)) {
      return [];
    }
    return [
      {
        key: `list ${connection.id}`,
        target: { kind: 'relist', catalog: found },
        label: vscode.l10n.t('List {0} again', inertLine(connection.id)),
        description: vscode.l10n.t('The list failed: {0}', inertLine(messageOf(error))),
        iconPath: new vscode.ThemeIcon('error'),
        alwaysShow: true,
      },
    ];
  };
}

/** Why there is nothing. A row of its own, so that Enter does not connect the server below it. */
function noteRows({ query, servers, catalog }: BrowseState): BrowseRow[] {
  const typed = query.trim() !== '';
  const label = isLoading(servers, catalog)
    ? typed && vscode.l10n.t('No resource matches so far.')
    : typed
      ? vscode.l10n.t('No resource matches.')
      : servers.length === 0
        ? vscode.l10n.t('No server can be connected. The view says why.')
        : servers.some((connection) => !isNotConnected(connection)) &&
          vscode.l10n.t('No resources. The connected servers offer none now.');
  return label === false ? [] : [{ key: 'note', label, iconPath: new vscode.ThemeIcon('info'), alwaysShow: true }];
}

/** Rows under a separator; nothing where there are none. */
function group(label: string, rows: readonly BrowseRow[]): readonly BrowseRow[] {
  const separator = { key: `group ${label}`, label, kind: vscode.QuickPickItemKind.Separator };
  return rows.length > 0 ? [separator, ...rows] : [];
}
