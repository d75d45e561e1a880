import * as vscode from 'vscode';
import { CancelledError, HumanError, messageOf } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import type { ResourceDocuments } from '../filesystem/resourceDocuments';
import { plainLine } from '../ui/plainText';
import { ActionableError } from './commandRegistry';
import { withProgress } from './withProgress';

interface Services {
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
}

/**
 * Opens a resource's document. An editor that fails to open never shows why: so the read comes first, and on failure no
 * tab opens, but an error with Retry is thrown.
 */
export async function openResource(
  ref: ResourceRef,
  services: Services,
  options?: vscode.TextDocumentShowOptions,
): Promise<void> {
  try {
    await withProgress(vscode.l10n.t('Reading {0}', plainLine(ref.uri, 80)), 'notification', (signal) =>
      services.content.read(ref, { purpose: 'open', initiative: 'person', signal }),
    );
  } catch (error) {
    if (error instanceof CancelledError) {
      return;
    }
    throw readFailure(ref, error, () => openResource(ref, services, options));
  }
  await vscode.commands.executeCommand('vscode.open', services.documents.uriOf(ref), options);
}

/** The failed read of a resource as a message that names it, its server and the reason, with Retry. */
export function readFailure({ serverId, uri }: ResourceRef, error: unknown, retry: () => unknown): Error {
  if (!(error instanceof HumanError)) {
    return error as Error;
  }
  return new ActionableError(
    vscode.l10n.t('{0} of server "{1}" could not be read: {2}', uri, serverId, messageOf(error)),
    {
      serverId,
      actions: [{ title: vscode.l10n.t('Retry'), run: retry }],
      cause: error,
    },
  );
}
