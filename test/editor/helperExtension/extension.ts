import * as vscode from 'vscode';
import { type RecordedMessage, RecordingModel } from './recordingModel';

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
  /** Prompts that reached the test model, oldest first: whoever sent them. Without any model the chat view does not send. */
  readonly prompts: readonly (readonly RecordedMessage[])[];
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
    registerLanguageModelChatProvider?: (vendor: string, provider: RecordingModel) => vscode.Disposable;
  };
  const model = new RecordingModel();
  const registered = lm.registerLanguageModelChatProvider?.('mcp-resources-test', model);
  if (registered) {
    context.subscriptions.push(registered);
  }
  return { requests, prompts: model.prompts };
}
