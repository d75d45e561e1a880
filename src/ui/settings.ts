import * as vscode from 'vscode';
import { settingSection } from '../ids';

const DEFAULT_START_TIMEOUT_S = 60;
const DEFAULT_READ_TIMEOUT_S = 60;

function value(name: string): unknown {
  return vscode.workspace.getConfiguration(settingSection).get(name);
}

/** Ids of the servers that connect by themselves; `*` stands for all. */
export function autoConnectIds(): readonly string[] {
  const ids = value('autoConnect');
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
}

/** Milliseconds that a server has for its start. */
export function startTimeoutMs(serverId: string): number {
  return timeoutMs('startTimeout', serverId, DEFAULT_START_TIMEOUT_S);
}

/** Milliseconds that a server has for an answer. */
export function readTimeoutMs(serverId: string): number {
  return timeoutMs('readTimeout', serverId, DEFAULT_READ_TIMEOUT_S);
}

function timeoutMs(name: string, serverId: string, defaultSeconds: number): number {
  const timeouts = (value(name) ?? {}) as Record<string, unknown>;
  const own = Object.hasOwn(timeouts, serverId) ? timeouts[serverId] : timeouts['*'];
  return (typeof own === 'number' && own >= 1 ? own : defaultSeconds) * 1000;
}
