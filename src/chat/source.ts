import type * as vscode from 'vscode';
import type { Picture } from './pictures';

/** Something that a question is answered from: its text for the model, and its pictures, in order. */
export interface Source {
  readonly name: string;
  readonly pieces: readonly (string | Picture)[];
  /** The document to cite. */
  readonly document?: vscode.Uri;
}
