import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import { BetterNames } from './betterNames';
import { DocumentLinks } from './documentLinks';
import { DocumentNotes } from './documentNotes';
import { FailedTabs } from './failedTabs';
import type { OpenDocuments } from './openDocuments';
import { ReadersPlace } from './readersPlace';
import type { ResourceDocuments } from './resourceDocuments';
import type { ResourceFileSystem } from './resourceFileSystem';

interface Parts {
  readonly documents: ResourceDocuments;
  readonly content: ContentStore;
  readonly open: OpenDocuments;
  readonly fileSystem: ResourceFileSystem;
  isListed(ref: ResourceRef): boolean;
  onError(error: unknown): void;
}

/** What documents have beside their text: notes above it, links in it, the name that fits their contents, the reader's place, and a way back. */
export function documentFeatures({ documents, content, open, fileSystem, ...parts }: Parts): vscode.Disposable {
  const selector = { scheme: documents.scheme };
  const notes = new DocumentNotes(documents, content);
  const links = new DocumentLinks(documents, (ref) => parts.isListed(ref));
  return vscode.Disposable.from(
    notes,
    vscode.languages.registerCodeLensProvider(selector, notes),
    vscode.languages.registerDocumentLinkProvider(selector, links),
    new ReadersPlace(documents),
    new FailedTabs(documents, content, (error) => parts.onError(error)),
    new BetterNames(documents, content, open, fileSystem, (error) => parts.onError(error)),
  );
}
