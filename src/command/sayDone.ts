import * as vscode from 'vscode';

const STATUS_MS = 10_000;

/** Says what was done where it disturbs nobody, behind the icon of a codicon's name. */
export function sayDone(icon: string, words: string): void {
  vscode.window.setStatusBarMessage(`$(${icon}) ${words}`, STATUS_MS);
}

/** The same of files that were saved; `numbered`: those with a number in their names, as those were taken. */
export function saySaved({ count, numbered }: { count: number; numbered: number }, folder: string): void {
  const words = [
    count === 1 ? vscode.l10n.t('1 file saved to {0}', folder) : vscode.l10n.t('{0} files saved to {1}', count, folder),
    numbered === 0
      ? undefined
      : numbered === 1
        ? vscode.l10n.t('1 got a number: its name was taken')
        : vscode.l10n.t('{0} got numbers: their names were taken', numbered),
  ];
  sayDone('save', words.filter(Boolean).join(' · '));
}
