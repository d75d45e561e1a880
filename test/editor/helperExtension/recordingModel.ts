import * as vscode from 'vscode';

/** A part of a message as it reached the model. */
export type RecordedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly base64: string }
  | { readonly kind: 'other'; readonly type: string };

export interface RecordedMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly RecordedPart[];
}

/** What the model always says. */
export const modelAnswer = 'The words of the **test model**.';

/** A character a token, so that sizes are easy to foretell. */
const WINDOW = 100_000;

/** A model that keeps what reaches it and answers with fixed words, in two pieces. Asked to refuse, to break or to say something, it does. */
export class RecordingModel {
  readonly prompts: RecordedMessage[][] = [];

  provideLanguageModelChatInformation(): unknown[] {
    return [
      {
        id: 'recording',
        name: 'Recording',
        family: 'recording',
        version: '1',
        maxInputTokens: WINDOW,
        maxOutputTokens: 1_000,
        isUserSelectable: true,
        capabilities: { imageInput: true },
      },
    ];
  }

  provideLanguageModelChatResponse(
    _model: unknown,
    messages: readonly { role: number; content: readonly unknown[] }[],
    _options: unknown,
    progress: vscode.Progress<unknown>,
  ): Promise<void> {
    const recorded = messages.map(({ role, content }): RecordedMessage => ({
      role: role === (vscode.LanguageModelChatMessageRole.User as number) ? 'user' : 'assistant',
      parts: content.map(recordedPart),
    }));
    this.prompts.push(recorded);
    const question =
      recorded
        .at(-1)
        ?.parts.map((part) => (part.kind === 'text' ? part.text : ''))
        .join('') ?? '';
    if (question.includes('please refuse')) {
      return Promise.reject(vscode.LanguageModelError.Blocked('not that'));
    }
    if (question.includes('please break')) {
      return Promise.reject(new Error('the test model broke'));
    }
    const answer = /please say (.*)$/s.exec(question)?.[1] ?? modelAnswer;
    const middle = Math.floor(answer.length / 2);
    for (const piece of [answer.slice(0, middle), answer.slice(middle)]) {
      progress.report(new vscode.LanguageModelTextPart(piece));
    }
    return Promise.resolve();
  }

  provideTokenCount(_model: unknown, text: string | { content: readonly unknown[] }): Promise<number> {
    const parts = typeof text === 'string' ? [{ kind: 'text', text } as const] : text.content.map(recordedPart);
    return Promise.resolve(parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 100), 0));
  }
}

function recordedPart(part: unknown): RecordedPart {
  if (part instanceof vscode.LanguageModelTextPart) {
    return { kind: 'text', text: part.value };
  }
  const { data, mimeType } = part as { data?: unknown; mimeType?: unknown };
  return data instanceof Uint8Array && typeof mimeType === 'string'
    ? { kind: 'image', mimeType, base64: Buffer.from(data).toString('base64') }
    : { kind: 'other', type: (part as object).constructor.name };
}
