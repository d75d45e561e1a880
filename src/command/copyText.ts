import * as vscode from 'vscode';

const STATUS_MS = 3000;

/** Copies a text for a person, and says so where it disturbs nobody. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(copy) ${vscode.l10n.t('Copied')}`, STATUS_MS);
}
