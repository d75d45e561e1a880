import * as vscode from 'vscode';

/** Opens an address in the person's browser, sign by sign as it is written; false when it was not opened. */
export function openAddress(url: string): Thenable<boolean> {
  // As a string, which the editor takes too: as a Uri, `%26` in a parameter would be opened as `&`.
  return vscode.env.openExternal(url as unknown as vscode.Uri);
}
