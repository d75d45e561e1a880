import * as vscode from 'vscode';
import { estimateTokens } from './tokenEstimate';

/** How long models are waited for: attaching does not depend on them. Milliseconds. */
const MODELS_WAIT_MS = 1000;
/** Longer texts are not sent to a model's own counter, which may be slow. Characters. */
const LONGEST_COUNTED = 2_000_000;

/** What a model takes in. */
export interface KnownWindow {
  readonly model: string;
  /** Tokens. */
  readonly size: number;
}

/** How large a text is for a model. */
export interface TokenCount {
  readonly tokens: number;
  /** Counted by the model, not estimated. */
  readonly exact: boolean;
}

/** The context window that attachments are measured by. No API tells which model is chosen in the chat box. */
export class ModelWindow {
  private used: vscode.LanguageModelChat | undefined;

  /** A participant of ours was asked with this model. */
  use(model: vscode.LanguageModelChat): void {
    this.used = model;
  }

  /** That of the last model our participant saw, else the smallest one listed; `undefined` where none is. */
  async known(): Promise<KnownWindow | undefined> {
    const models = this.used ? [this.used] : await listedModels();
    const [smallest] = models
      .filter(({ maxInputTokens }) => maxInputTokens > 0)
      .toSorted((a, b) => a.maxInputTokens - b.maxInputTokens);
    return smallest && { model: smallest.name, size: smallest.maxInputTokens };
  }

  /** Exact where the model is known, else estimated. */
  async count(text: string): Promise<TokenCount> {
    if (this.used && text.length <= LONGEST_COUNTED) {
      const counted = await within(this.used.countTokens(text));
      if (counted !== undefined) {
        return { tokens: counted, exact: true };
      }
    }
    return { tokens: estimateTokens(text), exact: false };
  }
}

async function listedModels(): Promise<readonly vscode.LanguageModelChat[]> {
  return (await within(vscode.lm.selectChatModels())) ?? [];
}

/** `undefined` for what fails or takes too long. */
async function within<T>(work: Thenable<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MODELS_WAIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
