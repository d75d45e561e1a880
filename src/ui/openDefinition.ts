import * as vscode from 'vscode';
import type { ServerDefinition } from '../config/serverDefinition';
import { settingIds } from '../ids';

/** Opens the place where a server is configured: its file at its name, or the setting. */
export async function openDefinition({ name, source }: ServerDefinition): Promise<void> {
  if (source.file === undefined) {
    const scope = source.ofWorkspace ? 'openWorkspaceSettings' : 'openSettings';
    await vscode.commands.executeCommand(`workbench.action.${scope}`, settingIds.servers);
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(source.file));
  const offset = document.getText().indexOf(JSON.stringify(name));
  const position = document.positionAt(Math.max(0, offset));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
}
