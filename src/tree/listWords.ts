import * as vscode from 'vscode';
import type { ListingFilter } from '../catalog/listingOptions';
import type { ServerCatalog } from '../catalog/serverCatalog';
import { inertLine } from '../ui/plainText';

/** Entries of a list that could not be understood. */
export function unusableWords(failures: readonly string[]): string {
  const [first = ''] = failures;
  return failures.length === 1
    ? vscode.l10n.t('An entry of the list is unusable: {0}', first)
    : vscode.l10n.t('{0} entries of the list are unusable, first: {1}', failures.length, first);
}

/** Why a list has nothing to show. */
export function emptyWords({ connection, resources, templates }: ServerCatalog): string {
  if (resources.items.length > 0) {
    return vscode.l10n.t('The filter hides all its resources ({0}).', resources.items.length);
  }
  if (templates.items.length > 0) {
    return vscode.l10n.t('The filter hides all its templates ({0}).', templates.items.length);
  }
  const { state } = connection;
  return state.kind === 'connected' && !state.info.resources
    ? vscode.l10n.t('This server offers no resources.')
    : vscode.l10n.t('No resources. The server offers none now.');
}

/** What a filter asks for: `"mars", text/markdown, changed`. */
export function filterWords({ text, mimeType, audience, changed, live }: ListingFilter): string {
  return [
    text !== undefined && `"${inertLine(text.trim(), 30)}"`,
    mimeType !== undefined && inertLine(mimeType, 60),
    audience === 'assistant' && vscode.l10n.t('meant for the assistant'),
    audience === 'user' && vscode.l10n.t('meant for the user'),
    changed && vscode.l10n.t('changed'),
    live && vscode.l10n.t('live'),
  ]
    .filter(Boolean)
    .join(', ');
}
