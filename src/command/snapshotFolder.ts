import * as vscode from 'vscode';
import type { Memento } from '../base/memento';
import { chooseFolder, placeOf } from './saveResources';

const KEY = 'mcpResources.snapshotFolder';
/** In the root of a workspace folder. */
const OWN_NAME = 'mcp-snapshots';

/**
 * The folder that a person chooses for a snapshot: that of the last one, one of its own in the workspace, or another. A
 * dialog of the desktop takes only folders that are there, so that what is proposed stands in a list before it. `makeFolder`
 * makes it.
 */
export async function chooseSnapshotFolder(title: string, memory: Memento): Promise<vscode.Uri | undefined> {
  const folders = await proposed(memory);
  if (folders.length === 0) {
    return chooseFolder(title);
  }
  const iconPath = new vscode.ThemeIcon('folder');
  const other = { label: vscode.l10n.t('Another Folder…'), folder: undefined };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { folder: vscode.Uri | undefined }>(
    [...folders.map((folder) => ({ label: placeOf(folder), folder, iconPath })), other],
    { title, placeHolder: vscode.l10n.t('Folder for the snapshot') },
  );
  return picked && (picked.folder ?? chooseFolder(title));
}

/** Makes a folder unless it is there, and proposes it the next time. */
export async function makeFolder(folder: vscode.Uri, memory: Memento): Promise<void> {
  await vscode.workspace.fs.createDirectory(folder);
  await memory.update(KEY, folder.toString());
}

/** The last one first. */
async function proposed(memory: Memento): Promise<readonly vscode.Uri[]> {
  const last = memory.get(KEY);
  const own = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, OWN_NAME).toString());
  const all = [...new Set([...(typeof last === 'string' ? [last] : []), ...own])].map((each) => vscode.Uri.parse(each));
  const usable = await Promise.all(all.map(isUsable));
  return all.filter((_, index) => usable[index]);
}

/** A workspace may come with a link in place of the folder: where it leads to is nothing to propose. */
async function isUsable(folder: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(folder)).type === vscode.FileType.Directory;
  } catch (error) {
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
  }
}
