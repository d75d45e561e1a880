import * as vscode from 'vscode';
import type { ServerConnection } from '../connection/serverConnection';

/** Entries of a list that could not be understood. */
export function unusableWords(failures: readonly string[]): string {
  const [first = ''] = failures;
  return failures.length === 1
    ? vscode.l10n.t('An entry of the list is unusable: {0}', first)
    : vscode.l10n.t('{0} entries of the list are unusable, first: {1}', failures.length, first);
}

/** Why a list has nothing to show. */
export function emptyWords({ state }: ServerConnection): string {
  return state.kind === 'connected' && !state.info.resources
    ? vscode.l10n.t('This server offers no resources.')
    : vscode.l10n.t('No resources. The server offers none now.');
}
