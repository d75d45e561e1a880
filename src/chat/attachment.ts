import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import { aboutName, documentBelow, firstPartName } from '../content/attachedForms';
import type { Snapshot } from '../content/contentEntry';
import { allPartsName, type ContentDocument } from '../content/resourceContent';
import { type HiddenCharacter, hiddenCharacters } from './hiddenCharacters';
import type { ModelWindow } from './modelWindow';

/** What attaching needs of the documents. */
export interface AttachableDocuments {
  targetOf(uri: vscode.Uri): { readonly ref: ResourceRef; readonly child?: string } | undefined;
  childUriOf(ref: ResourceRef, name: string): vscode.Uri;
  uriOf(ref: ResourceRef): vscode.Uri;
}

/** A document that was read, in the form in which it goes to the chat. */
export interface Attachment {
  /** The document that was asked for. */
  readonly asked: vscode.Uri;
  readonly ref: ResourceRef;
  readonly snapshot: Snapshot;
  /** What goes to the chat: the document, or a form of it. */
  readonly uri: vscode.Uri;
  readonly document: ContentDocument;
  /** The chat takes it as a picture, and drops it unless it is a local file. */
  readonly isPicture: boolean;
  /** Of its text; 0 for a picture. */
  readonly tokens: number;
  readonly exact: boolean;
  readonly hidden: readonly HiddenCharacter[];
}

/** By their names alone, wherever they come from (measured in 1.139.1). */
const PICTURE = /\.(?:png|jpe?g|gif|bmp|webp)$/i;

/** The form in which a document goes to a chat: all parts of a directory, words about what is no text, else the document. */
export async function attachmentOf(
  { asked, ref, child, snapshot }: Pick<Attachment, 'asked' | 'ref' | 'snapshot'> & { readonly child?: string },
  documents: AttachableDocuments,
  models: ModelWindow,
): Promise<Attachment | undefined> {
  const { content } = snapshot;
  const name = child ?? (content.shape === 'directory' ? allPartsName : undefined);
  const document = name === undefined ? content : documentBelow(name, content, ref);
  if (!document) {
    return undefined;
  }
  // A read may have shown another type: the name of now counts.
  const uri = name === undefined ? documents.uriOf(ref) : documents.childUriOf(ref, name);
  const isPicture = PICTURE.test(uri.path);
  const base = { asked, ref, snapshot, isPicture };
  if (isPicture) {
    return { ...base, uri, document, tokens: 0, exact: true, hidden: [] };
  }
  return document.isText
    ? measured({ ...base, uri, document }, models)
    : measured({ ...base, ...formOf(base, documents, aboutName(posix.basename(uri.path))) }, models);
}

/** The beginning of an attachment, of some tokens. */
export async function beginningOf(
  attachment: Attachment,
  tokens: number,
  documents: AttachableDocuments,
  models: ModelWindow,
): Promise<Attachment> {
  const bytes = attachment.document.bytes.byteLength;
  const kilobytes = Math.max(1, Math.floor((bytes / 1000) * (tokens / attachment.tokens)));
  const name = firstPartName(posix.basename(attachment.uri.path), kilobytes);
  return measured({ ...attachment, ...formOf(attachment, documents, name) }, models);
}

function formOf(
  { ref, snapshot }: Pick<Attachment, 'ref' | 'snapshot'>,
  documents: AttachableDocuments,
  name: string,
): Pick<Attachment, 'uri' | 'document'> {
  return { uri: documents.childUriOf(ref, name), document: documentBelow(name, snapshot.content, ref)! };
}

async function measured(
  attachment: Omit<Attachment, 'tokens' | 'exact' | 'hidden'>,
  models: ModelWindow,
): Promise<Attachment> {
  const text = Buffer.from(attachment.document.bytes).toString('utf8');
  return { ...attachment, ...(await models.count(text)), hidden: hiddenCharacters(text) };
}
