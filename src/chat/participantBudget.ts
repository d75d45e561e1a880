import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import { inertLine } from '../ui/plainText';
import type { Source } from './source';

interface Budget {
  readonly model: vscode.LanguageModelChat;
  readonly messages: readonly vscode.LanguageModelChatMessage[];
  readonly sources: readonly Source[];
}

/**
 * Throws a HumanError where the messages are more than the model takes: nothing is cut without a word. It says what is
 * how large, by the model's own count, and what to leave out.
 */
export async function checkBudget(
  { model, messages, sources }: Budget,
  token: vscode.CancellationToken,
): Promise<void> {
  const counts = await Promise.all(messages.map((message) => model.countTokens(message, token)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = model.maxInputTokens;
  if (total <= most) {
    return;
  }
  const sized = await Promise.all(
    sources.map(async ({ name, pieces }) => {
      const text = pieces.filter((piece) => typeof piece === 'string').join('\n');
      return { name, tokens: await model.countTokens(text, token) };
    }),
  );
  sized.sort((a, b) => b.tokens - a.tokens);
  const over: string[] = [];
  let left = total;
  for (const { name, tokens } of sized) {
    if (left > most) {
      left -= tokens;
      over.push(vscode.l10n.t('{0} ({1} tokens)', inertLine(name, 100), tokens.toLocaleString()));
    }
  }
  const facts = vscode.l10n.t(
    'This is more than {0} takes: {1} of {2} tokens.',
    inertLine(model.name, 60),
    total.toLocaleString(),
    most.toLocaleString(),
  );
  const next =
    left > most
      ? vscode.l10n.t('Start a new chat, or choose a model with a larger window.')
      : vscode.l10n.t('Leave out {0}, or choose a model with a larger window.', over.join(', '));
  throw new HumanError(`${facts} ${next}`);
}
