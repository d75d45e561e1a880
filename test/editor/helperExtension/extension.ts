import * as vscode from 'vscode';

/** What a chat participant was given, and what it read through the editor as any participant would. */
export interface RecordedRequest {
  readonly prompt: string;
  readonly references: readonly { readonly uri: string; readonly text: string }[];
  /** Names of the tools that the prompt refers to. */
  readonly tools: readonly string[];
}

export interface HelperApi {
  /** Requests that reached the participant `@probe`, oldest first. */
  readonly requests: readonly RecordedRequest[];
}

/** A model that says nothing: without any model the chat view does not send. */
class SilentModel {
  provideLanguageModelChatInformation(): unknown[] {
    return [
      {
        id: 'silent',
        name: 'Silent',
        family: 'silent',
        version: '1',
        maxInputTokens: 100_000,
        maxOutputTokens: 1_000,
        isUserSelectable: true,
        capabilities: {},
      },
    ];
  }

  provideLanguageModelChatResponse(): Promise<void> {
    return Promise.resolve();
  }

  provideTokenCount(_model: unknown, text: string): Promise<number> {
    return Promise.resolve(text.length);
  }
}

export function activate(context: vscode.ExtensionContext): HelperApi {
  const requests: RecordedRequest[] = [];
  context.subscriptions.push(
    vscode.chat.createChatParticipant('mcp-resources-test.probe', async (request, _context, stream) => {
      const uris = request.references.map(({ value }) => value).filter((value) => value instanceof vscode.Uri);
      const references = await Promise.all(
        uris.map(async (uri) => ({
          uri: uri.toString(),
          text: (await vscode.workspace.openTextDocument(uri)).getText(),
        })),
      );
      requests.push({ prompt: request.prompt, references, tools: request.toolReferences.map(({ name }) => name) });
      stream.markdown('recorded');
    }),
  );
  const lm = vscode.lm as unknown as {
    registerLanguageModelChatProvider?: (vendor: string, provider: SilentModel) => vscode.Disposable;
  };
  const model = lm.registerLanguageModelChatProvider?.('mcp-resources-test', new SilentModel());
  if (model) {
    context.subscriptions.push(model);
  }
  return { requests };
}
