import * as vscode from 'vscode';
import { settingSection } from '../ids';

const DEFAULT_START_TIMEOUT_S = 60;

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
  const timeouts = (value('startTimeout') ?? {}) as Record<string, unknown>;
  const own = Object.hasOwn(timeouts, serverId) ? timeouts[serverId] : timeouts['*'];
  const seconds = typeof own === 'number' && own >= 1 ? own : DEFAULT_START_TIMEOUT_S;
  return seconds * 1000;
}
