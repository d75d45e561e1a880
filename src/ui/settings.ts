import * as vscode from 'vscode';
import { settingIds, settingSection } from '../ids';

const DEFAULT_START_TIMEOUT_S = 60;
const DEFAULT_READ_TIMEOUT_S = 60;
const DEFAULT_CACHE_MB = 64;
/** Two days. A timer runs at once where its time is too long for it, and some limits are ten times what is set. */
const LONGEST_S = 2 * 24 * 60 * 60;

function value(name: string): unknown {
  return vscode.workspace.getConfiguration(settingSection).get(name);
}

function names(setting: string): readonly string[] {
  const ids = value(setting);
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
}

/** A setting of whatever extension as text, and whether the workspace says so; no value where it is no text, number or truth value. */
export function setting(name: string, folder: string | undefined): { value: string | undefined; ofWorkspace: boolean } {
  const configuration = vscode.workspace.getConfiguration(undefined, folder ? vscode.Uri.file(folder) : undefined);
  const found: unknown = configuration.get(name);
  const { workspaceValue, workspaceFolderValue } = configuration.inspect(name) ?? {};
  return {
    value: ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : undefined,
    ofWorkspace: workspaceValue !== undefined || workspaceFolderValue !== undefined,
  };
}

/** Ids of the servers that connect by themselves; `*` stands for all. */
export function autoConnectIds(): readonly string[] {
  return names('autoConnect');
}

/** The workspace's folders, where a person shares them with a server; else `undefined`. */
export function sharedRoots(serverId: string): readonly { readonly uri: string; readonly name: string }[] | undefined {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return names('shareWorkspaceFolders').includes(serverId)
    ? folders.map(({ uri, name }) => ({ uri: uri.toString(), name }))
    : undefined;
}

export function onDidChangeAutoConnect(listener: () => void): vscode.Disposable {
  return onDidChange(settingIds.autoConnect, listener);
}

/** What a person wants to see of a server. */
export interface ServerFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly hidden: boolean;
}

export function serverFilter(serverId: string): ServerFilter {
  const { include, exclude, hidden } = Object(entryOf('serverFilters', serverId)) as Record<string, unknown>;
  const globs = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.filter((glob): glob is string => typeof glob === 'string') : [];
  return { include: globs(include), exclude: globs(exclude), hidden: hidden === true };
}

/** Hides a server from the view or shows it again, in the workspace's settings where there is a workspace. */
export async function hideServer(serverId: string, hidden: boolean): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(settingSection);
  const { workspaceValue, globalValue } = configuration.inspect<Record<string, object>>('serverFilters') ?? {};
  const target = vscode.workspace.workspaceFolders
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  const all = (target === vscode.ConfigurationTarget.Workspace ? workspaceValue : globalValue) ?? {};
  await configuration.update('serverFilters', { ...all, [serverId]: { ...all[serverId], hidden } }, target);
}

export function onDidChangeServerFilters(listener: () => void): vscode.Disposable {
  return onDidChange(settingIds.serverFilters, listener);
}

/** Milliseconds that a server has for its start. */
export function startTimeoutMs(serverId: string): number {
  return timeoutMs('startTimeout', serverId, DEFAULT_START_TIMEOUT_S);
}

/** Milliseconds that a server has for an answer. */
export function readTimeoutMs(serverId: string): number {
  return timeoutMs('readTimeout', serverId, DEFAULT_READ_TIMEOUT_S);
}

/** Whether a server is asked for its resources although it declares none. */
export function listsAnyway(serverId: string): boolean {
  const ids = value('listAnyway');
  return Array.isArray(ids) && ids.includes(serverId);
}

/** Bytes that may be kept of resources that nothing shows. */
export function cacheBytes(): number {
  const megabytes = value('cacheSize');
  return (typeof megabytes === 'number' && megabytes >= 1 ? megabytes : DEFAULT_CACHE_MB) * 1_000_000;
}

/** Address of a document that describes us as a client to authorization servers; `undefined` where none is set. */
export function clientMetadataUrl(): string | undefined {
  const url = value('clientMetadataUrl');
  return typeof url === 'string' && url !== '' ? url : undefined;
}

/** The place of the user's file, as it was set. */
export function userConfigPath(): unknown {
  return value('userConfigPath');
}

export function onDidChangeUserConfigPath(listener: () => void): vscode.Disposable {
  return onDidChange(settingIds.userConfigPath, listener);
}

/** Milliseconds between two polls of a server's visible resources; `undefined` where none is set. */
export function pollIntervalMs(serverId: string): number | undefined {
  const seconds = entryOf('pollInterval', serverId);
  return typeof seconds === 'number' && seconds >= 1 ? Math.min(seconds, LONGEST_S) * 1000 : undefined;
}

function timeoutMs(name: string, serverId: string, defaultSeconds: number): number {
  const own = entryOf(name, serverId);
  return Math.min(typeof own === 'number' && own >= 1 ? own : defaultSeconds, LONGEST_S) * 1000;
}

/** A server's own entry of a setting with one per server, else the entry of all. */
function entryOf(name: string, serverId: string): unknown {
  const entries = (value(name) ?? {}) as Record<string, unknown>;
  return Object.hasOwn(entries, serverId) ? entries[serverId] : entries['*'];
}

function onDidChange(settingId: string, listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settingId)) {
      listener();
    }
  });
}
