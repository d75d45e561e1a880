import * as vscode from 'vscode';
import { CancelledError, HumanError, messageOf } from '../base/errors';
import { withoutStop } from '../base/sentence';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import { ConsentNeeded } from '../connection/consentNeeded';
import { NotConfigured } from '../connection/notConfigured';
import { RequestError } from '../connection/requestFailure';
import type { Snapshot } from '../content/contentEntry';
import type { ContentStore } from '../content/contentStore';
import { beginningName, largestText } from '../content/derivedDocuments';
import { allPartsName, type ContentDocument } from '../content/resourceContent';
import type { ResourceDocuments } from '../filesystem/resourceDocuments';
import { commandIds } from '../ids';
import { formatBytes } from '../ui/byteFormat';
import { inertLine } from '../ui/plainText';
import { ActionableError, retryAction } from './commandRegistry';
import { hasHexEditor, hasViewerFor } from './viewers';
import { type ShownProgress, withProgress } from './withProgress';

export interface OpenServices {
  readonly pool: ConnectionPool;
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
}

/** How a document is shown; a function decides it by what the document says. */
type HowShown =
  vscode.TextDocumentShowOptions | ((document: ContentDocument) => Promise<vscode.TextDocumentShowOptions>);

/**
 * Opens a resource's document. An editor that fails to open never shows why: so the read comes first, and on failure no
 * tab opens, but an error with Retry is thrown.
 */
export async function openResource(ref: ResourceRef, services: OpenServices, options?: HowShown): Promise<void> {
  const snapshot = await readForOpening(ref, services, () => openResource(ref, services, options));
  await openSnapshot(ref, snapshot, services, options);
}

/** Opens the document of a resource that was read just now. */
export async function openSnapshot(
  ref: ResourceRef,
  snapshot: Snapshot,
  { documents }: OpenServices,
  options?: HowShown,
): Promise<void> {
  if (snapshot.content.shape === 'file') {
    await openDocument(documents.uriOf(ref), snapshot.content, options);
    return;
  }
  if (snapshot.content.parts.length === 0) {
    throw new ActionableError(vscode.l10n.t('{0} is an empty directory now.', inertLine(ref.uri)), { mild: true });
  }
  const shown = await optionsFor(snapshot.content, options);
  await vscode.commands.executeCommand('vscode.open', documents.childUriOf(ref, allPartsName), shown);
}

/** Opens one part of a resource: by its own URI where the server reads it, else as it came with the resource. */
export async function openPart(
  ref: ResourceRef,
  name: string,
  services: OpenServices,
  options?: HowShown,
): Promise<void> {
  const { content, documents } = services;
  const document = content.peek(ref)?.content.children.get(name);
  if (!document) {
    throw new HumanError(
      vscode.l10n.t('{0} has no part "{1}" any more. Refresh it.', inertLine(ref.uri), inertLine(name)),
    );
  }
  if (document.part?.failure !== undefined) {
    throw new HumanError(vscode.l10n.t('This part cannot be shown: {0}.', withoutStop(document.part.failure)));
  }
  const own = document.part && { serverId: ref.serverId, uri: document.part.uri };
  if (own && own.uri !== ref.uri && (await canBeRead(own, content))) {
    await openResource(own, services, options);
    return;
  }
  await openDocument(documents.childUriOf(ref, name), document, options);
}

/** Reads a resource because a person wants to see it, with progress when it takes long. */
export function readForOpening(ref: ResourceRef, services: OpenServices, retry: () => unknown): Promise<Snapshot> {
  return withProgress(readingOf(ref, services), (signal, onProgress) =>
    services.content.read(ref, { purpose: 'open', initiative: 'person', onProgress, signal }),
  ).catch((error: unknown) => {
    throw readFailure(ref, error, retry);
  });
}

/** The progress of reading a resource. */
export function readingOf({ uri }: ResourceRef, { pool }: OpenServices): ShownProgress {
  return { title: vscode.l10n.t('Reading {0}', inertLine(uri, 80)), place: 'notification', pool };
}

/** The failed read of a resource as a message that names it, its server and the reason, with what may help. */
export function readFailure({ serverId, uri }: ResourceRef, error: unknown, retry: () => unknown): Error {
  if (!(error instanceof HumanError)) {
    return error as Error;
  }
  if (error instanceof ConsentNeeded) {
    // The person was asked just now, and the server's node says what came of it.
    return new CancelledError();
  }
  if (error instanceof NotConfigured) {
    // Neither another try nor a log helps.
    const add = {
      title: vscode.l10n.t('Add Server…'),
      run: () => vscode.commands.executeCommand(commandIds.addServer),
    };
    return new ActionableError(error.message, { mild: true, actions: [add], cause: error });
  }
  return new ActionableError(
    vscode.l10n.t(
      '{0} of server "{1}" could not be read: {2}',
      inertLine(uri, 120),
      inertLine(serverId, 60),
      messageOf(error),
    ),
    { serverId, actions: [retryAction(error, retry)], cause: error },
  );
}

async function canBeRead(ref: ResourceRef, content: ContentStore): Promise<boolean> {
  try {
    await content.read(ref, { purpose: 'open', initiative: 'person' });
    return true;
  } catch (error) {
    // Any refusal is an answer: the part is shown as it came. Only bugs are not expected here.
    if (error instanceof RequestError) {
      return false;
    }
    throw error;
  }
}

async function optionsFor(
  document: ContentDocument,
  how: HowShown | undefined,
): Promise<vscode.TextDocumentShowOptions | undefined> {
  return typeof how === 'function' ? how(document) : how;
}

async function openDocument(uri: vscode.Uri, document: ContentDocument, how?: HowShown): Promise<void> {
  const options = await optionsFor(document, how);
  const size = document.bytes.byteLength;
  const saveAs = {
    title: vscode.l10n.t('Save As…'),
    run: () => vscode.commands.executeCommand(commandIds.saveAs, uri),
  };
  if (document.isText && size > largestText) {
    const beginning = vscode.Uri.joinPath(uri, beginningName);
    throw new ActionableError(
      vscode.l10n.t('{0} of text are more than VS Code can show with all its features.', formatBytes(size)),
      {
        mild: true,
        actions: [
          saveAs,
          {
            title: vscode.l10n.t('Open the First 10 MB'),
            run: () => vscode.commands.executeCommand('vscode.open', beginning, options),
          },
        ],
      },
    );
  }
  if (!document.isText && !hasViewerFor(uri)) {
    const hex = {
      title: vscode.l10n.t('Open in Hex Editor'),
      run: () => vscode.commands.executeCommand('vscode.openWith', uri, 'hexEditor.hexedit', options),
    };
    const type = document.mimeType ?? 'application/octet-stream';
    throw new ActionableError(
      vscode.l10n.t('No viewer for {0} ({1}) is installed.', inertLine(type), formatBytes(size)),
      { mild: true, actions: [saveAs, ...(hasHexEditor() ? [hex] : [])] },
    );
  }
  await vscode.commands.executeCommand('vscode.open', uri, options);
}
