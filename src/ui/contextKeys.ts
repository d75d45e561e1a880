import * as vscode from 'vscode';
import type { ConnectionPool } from '../connection/connectionPool';
import { contextKeys } from '../ids';

interface Followed {
  readonly pool: ConnectionPool;
  /** The configuration has been read once. */
  readonly ready: Promise<void>;
  documentIsActive(): boolean;
}

/** Keeps the context keys that menus and welcome views depend on in step with what they stand for. */
export function followContextKeys({ pool, ready, ...followed }: Followed): vscode.Disposable {
  const told = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (told.get(key) !== value) {
      told.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  };
  const servers = (): void => set(contextKeys.hasServers, pool.all.length > 0);
  const active = (): void => set(contextKeys.documentActive, followed.documentIsActive());
  void ready.then(() => set(contextKeys.ready, true));
  servers();
  active();
  return vscode.Disposable.from(
    { dispose: () => told.clear() },
    pool.onDidChangeServers(servers),
    vscode.window.tabGroups.onDidChangeTabs(active),
    vscode.window.tabGroups.onDidChangeTabGroups(active),
    vscode.window.onDidChangeActiveTextEditor(active),
  );
}
