import * as vscode from 'vscode';
import { isOffered } from '../config/foundTools';
import type { ServerDefinitions } from '../config/serverDefinitions';
import type { Event } from '../base/events';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import { contextKeys } from '../ids';

interface Followed {
  readonly pool: ConnectionPool;
  readonly definitions: ServerDefinitions;
  readonly pins: { has(ref: ResourceRef): boolean; readonly onDidChange: Event<unknown> };
  activeResource(this: void): ResourceRef | undefined;
}

/** Keeps the context keys that menus and welcome views depend on in step with what they stand for. */
export function followContextKeys({ pool, definitions, pins, activeResource }: Followed): vscode.Disposable {
  const told = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (told.get(key) !== value) {
      told.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  };
  const servers = (): void => set(contextKeys.hasServers, pool.all.length > 0);
  const tools = (): void => set(contextKeys.toolsFound, definitions.found.some(isOffered));
  const active = (): void => {
    const ref = activeResource();
    set(contextKeys.documentActive, ref !== undefined);
    set(contextKeys.activePinned, ref !== undefined && pins.has(ref));
  };
  void definitions.ready.then(() => set(contextKeys.ready, true));
  servers();
  active();
  return vscode.Disposable.from(
    { dispose: () => told.clear() },
    pool.onDidChangeServers(servers),
    definitions.onDidChangeFound(tools),
    vscode.Disposable.from(pins.onDidChange(active)),
    vscode.window.tabGroups.onDidChangeTabs(active),
    vscode.window.tabGroups.onDidChangeTabGroups(active),
    vscode.window.onDidChangeActiveTextEditor(active),
  );
}
