import type * as vscode from 'vscode';

/** What is known of a model that a person chose in the chat. */
export interface SeenModel {
  readonly id: string;
  readonly name: string;
  /** The size of its window. Tokens. */
  readonly maxInputTokens: number;
}

/** The model that the participant was asked with last: no API tells which one is chosen in the chat box. */
export class LastModel {
  private seen: SeenModel | undefined;

  /** `undefined` before the participant was asked in this window. */
  get value(): SeenModel | undefined {
    return this.seen;
  }

  see({ id, name, maxInputTokens }: vscode.LanguageModelChat): void {
    this.seen = { id, name, maxInputTokens };
  }
}
