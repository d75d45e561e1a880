import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import { typeOfFileName } from '../base/mediaType';
import { fenced, shownValue } from './dataFrame';
import { type Picture, pictureTypes } from './pictures';
import type { Source } from './source';

/** Lines of a document, whoever owns it. */
export async function rangeSource({ uri, range }: vscode.Location): Promise<Source> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { first, last } = linesOf(range);
  const name = `${vscode.workspace.asRelativePath(uri)}:${first}-${last}`;
  return { name, document: uri, pieces: [framedFile(name, document.getText(range))] };
}

/** The lines of which a range holds something, from 1. */
export function linesOf({ start, end }: vscode.Range): { readonly first: number; readonly last: number } {
  const endsBefore = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: endsBefore ? end.line : end.line + 1 };
}

/** A file of the workspace: what is attached beside resources is used as well. */
export async function fileSource(uri: vscode.Uri, takesPictures: boolean): Promise<Source> {
  const name = vscode.workspace.asRelativePath(uri);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) {
    // Not saved yet, perhaps.
    return { name, document: uri, pieces: [framedFile(name, open.getText())] };
  }
  const { type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) {
    throw new HumanError(vscode.l10n.t('it is a folder'));
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  const mimeType = typeOfFileName(uri.path) ?? '';
  if (pictureTypes.has(mimeType)) {
    return { name, document: uri, pieces: picturesFor([{ mimeType, bytes }], takesPictures) };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HumanError(vscode.l10n.t('it is not text'));
  }
  return { name, document: uri, pieces: [framedFile(name, text)] };
}

function framedFile(name: string, text: string): string {
  return `File ${shownValue(name)}:\n\n${fenced(text)}\n`;
}

/** Throws a HumanError where the model takes none. */
export function picturesFor(pictures: readonly Picture[], takesPictures: boolean): readonly Picture[] {
  if (!takesPictures) {
    throw new HumanError(vscode.l10n.t('this model takes no pictures'));
  }
  return pictures;
}
