import type * as vscode from 'vscode';
import type { KnownModel } from './modelWindow';

/** The model that the participant was asked with last: no API tells which one is chosen in the chat box. */
export class LastModel {
  private seen: KnownModel | undefined;

  /** `undefined` before the participant was asked in this window. */
  get value(): KnownModel | undefined {
    return this.seen;
  }

  see({ id, name, maxInputTokens }: vscode.LanguageModelChat): void {
    this.seen = { id, name, maxInputTokens };
  }
}
