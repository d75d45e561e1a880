import * as vscode from 'vscode';

const STATUS_MS = 10_000;

/** Says what was done where it disturbs nobody, behind the icon of a codicon's name. */
export function sayDone(icon: string, words: string): void {
  vscode.window.setStatusBarMessage(`$(${icon}) ${words}`, STATUS_MS);
}

/** The same of files that were saved. */
export function saySaved(count: number, folder: string): void {
  sayDone(
    'save',
    count === 1 ? vscode.l10n.t('1 file saved to {0}', folder) : vscode.l10n.t('{0} files saved to {1}', count, folder),
  );
}
