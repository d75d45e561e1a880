import type * as vscode from 'vscode';
import { digestOf } from '../base/digest';

// The editor passes ids and addresses of items to and fro: hundreds of huge ones hold up its whole window.
const LONGEST = 2000;

/** The id of an item; a very long one by its digest. */
export function itemId(text: string): string {
  return text.length > LONGEST ? digestOf(text) : text;
}

/** The document that gives a resource's item its icon and marks; none, and not made, where the URI is very long. */
export function itemResource(uri: string, document: () => vscode.Uri): vscode.Uri | undefined {
  return uri.length > LONGEST ? undefined : document();
}
