import * as vscode from 'vscode';
import { settingIds, settingSection } from '../ids';

const DEFAULT_START_TIMEOUT_S = 60;
const DEFAULT_READ_TIMEOUT_S = 60;
const DEFAULT_CACHE_MB = 64;

function value(name: string): unknown {
  return vscode.workspace.getConfiguration(settingSection).get(name);
}

/** Ids of the servers that connect by themselves; `*` stands for all. */
export function autoConnectIds(): readonly string[] {
  const ids = value('autoConnect');
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
}

export function onDidChangeAutoConnect(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settingIds.autoConnect)) {
      listener();
    }
  });
}

/** Milliseconds that a server has for its start. */
export function startTimeoutMs(serverId: string): number {
  return timeoutMs('startTimeout', serverId, DEFAULT_START_TIMEOUT_S);
}

/** Milliseconds that a server has for an answer. */
export function readTimeoutMs(serverId: string): number {
  return timeoutMs('readTimeout', serverId, DEFAULT_READ_TIMEOUT_S);
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

/** Milliseconds between two polls of a server's visible resources; `undefined` where none is set. */
export function pollIntervalMs(serverId: string): number | undefined {
  const intervals = (value('pollInterval') ?? {}) as Record<string, unknown>;
  const seconds = Object.hasOwn(intervals, serverId) ? intervals[serverId] : intervals['*'];
  return typeof seconds === 'number' && seconds >= 1 ? seconds * 1000 : undefined;
}

function timeoutMs(name: string, serverId: string, defaultSeconds: number): number {
  const timeouts = (value(name) ?? {}) as Record<string, unknown>;
  const own = Object.hasOwn(timeouts, serverId) ? timeouts[serverId] : timeouts['*'];
  return (typeof own === 'number' && own >= 1 ? own : defaultSeconds) * 1000;
}
