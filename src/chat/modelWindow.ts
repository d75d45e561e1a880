import * as vscode from 'vscode';
import { within } from '../base/within';
import { estimateTokens } from './tokenEstimate';

/** How long models are waited for: attaching does not depend on them. Milliseconds. */
const MODELS_WAIT_MS = 1000;
/** Longer texts are not given to a model's own counter, which may be slow. Characters. */
const LONGEST_COUNTED = 1_000_000;

/** A model and what it takes in. */
export interface KnownModel {
  readonly id: string;
  readonly name: string;
  /** Tokens. */
  readonly maxInputTokens: number;
}

/** How large a text is for a model. */
export interface TokenCount {
  readonly tokens: number;
  /** Counted by the model, not estimated. */
  readonly exact: boolean;
}

/** The context window that attachments are measured by. No API tells which model is chosen in the chat box. */
export class ModelWindow {
  /** @param last The last model that our participant was asked with. */
  constructor(private readonly last: () => KnownModel | undefined) {}

  /** The last model that our participant saw, else the smallest one listed; `undefined` where there is none. */
  async model(): Promise<KnownModel | undefined> {
    const listed = this.last() ?? (await within(vscode.lm.selectChatModels(), MODELS_WAIT_MS));
    return [listed ?? []]
      .flat()
      .filter(({ maxInputTokens }) => maxInputTokens > 0)
      .toSorted((a, b) => a.maxInputTokens - b.maxInputTokens)[0];
  }

  /** Exact where the model is known, else estimated. */
  async count(text: string): Promise<TokenCount> {
    const last = this.last();
    if (last && text.length <= LONGEST_COUNTED) {
      const [model] = (await within(vscode.lm.selectChatModels({ id: last.id }), MODELS_WAIT_MS)) ?? [];
      const tokens = model && (await within(model.countTokens(text), MODELS_WAIT_MS));
      if (tokens !== undefined) {
        return { tokens, exact: true };
      }
    }
    return { tokens: estimateTokens(text), exact: false };
  }
}
