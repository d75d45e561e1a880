import type * as vscode from 'vscode';

/** A picture as it goes to a model. */
export interface Picture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Something that a question is answered from: its text for the model, and its pictures, in order. */
export interface Source {
  readonly name: string;
  readonly pieces: readonly (string | Picture)[];
  /** The document to cite. */
  readonly document?: vscode.Uri;
}

/** Kinds of pictures that models take. */
export const pictureTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
