import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Machine, userFileAt, userFileOf } from './config/places';
import type { ServerDefinitionsOptions } from './config/serverDefinitions';
import { ToolChoice } from './config/toolChoice';
import { onDidChangeUserConfigPath, userConfigPath } from './ui/settings';

/** Where this window's servers are configured, and what a person chose of it. */
export function serverPlaces(
  context: vscode.ExtensionContext,
): Omit<ServerDefinitionsOptions, 'log' | 'samples'> & { dispose(): void } {
  const machine: Machine = { platform: process.platform, userHome: homedir(), env: process.env };
  const tools = new ToolChoice(context.globalState);
  return {
    machine,
    tools,
    remote: vscode.env.remoteName,
    userFile: () => userFileAt(userConfigPath(), machine) ?? userFileOf(context.globalStorageUri.fsPath, machine),
    onDidChangeUserFile: onDidChangeUserConfigPath,
    dispose: () => tools.dispose(),
  };
}
