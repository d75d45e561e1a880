import type * as vscode from 'vscode';
import { digestOf } from '../base/digest';

// The editor passes ids and addresses of items to and fro: hundreds of huge ones hold up its whole window.
const LONGEST = 2000;

/** The id of an item; a very long one by its digest. */
export function itemId(text: string): string {
  return text.length > LONGEST ? digestOf(text) : text;
}

/** The document that gives an item its icon and marks; none where its address is very long. */
export function itemResource(document: vscode.Uri): vscode.Uri | undefined {
  return document.path.length > LONGEST ? undefined : document;
}
