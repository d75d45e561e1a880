import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../until';
import type { HelperApi } from './helperExtension/extension';
import type { RecordedMessage } from './helperExtension/recordingModel';
import { page } from './page';

/** VS Code 1.103.2 has no chat view in this host: nobody can be asked there. */
export const hasChat = process.env.MCP_RESOURCES_TEST_VERSION !== '1.103.2' && page !== undefined;

/** The real chat with our participant, and the model of the helper extension, which keeps what reaches it. */
export class McpChat {
  private constructor(private readonly helper: HelperApi) {}

  /** Prompts that reached the model, oldest first. */
  get prompts(): HelperApi['prompts'] {
    return this.helper.prompts;
  }

  static async begin(): Promise<McpChat> {
    const extension = vscode.extensions.getExtension<HelperApi>('mcp-resources-test.mcp-resources-test-helper');
    assert.ok(extension, 'the helper extension is loaded');
    const chat = new McpChat(await extension.activate());
    // The very first request of a window may be lost: asked until one arrives.
    await until(
      'the chat answers',
      async () => {
        await chat.send('@mcp /list');
        return until('an answer', async () => (await chat.answers()).length > 0, 5000).catch(() => null);
      },
      50_000,
    );
    return chat;
  }

  async send(query: string, options: Record<string, unknown> = {}): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query,
      isPartialQuery: false,
      mode: 'ask',
      modelSelector: { vendor: 'mcp-resources-test' },
      ...options,
    });
  }

  answers(): Promise<string[]> {
    return page!.call<string[]>('chatAnswers');
  }

  /** Asks in the real chat and gives what reached the model. */
  async ask(question: string, options: Record<string, unknown> = {}): Promise<readonly RecordedMessage[]> {
    const before = this.prompts.length;
    await this.send(`@mcp ${question}`, options);
    return until(
      `the model hears “${question}”`,
      () => this.prompts.slice(before).find((prompt) => JSON.stringify(prompt.at(-1)).includes(question)),
      20_000,
    ).catch((error: unknown) => this.fail(error));
  }

  /** Asks for what needs no model and gives the answer that the chat shows. */
  async answerTo(query: string, wanted: string | RegExp, options: Record<string, unknown> = {}): Promise<string> {
    // The answers before this one are not looked at.
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    await this.send(`@mcp ${query}`, options);
    const fits = (text: string) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    return until(`an answer with ${String(wanted)}`, async () => (await this.answers()).find(fits), 20_000).catch(
      (error: unknown) => this.fail(error),
    );
  }

  private async fail(error: unknown): Promise<never> {
    throw new Error(`${String(error)}; there is ${JSON.stringify(await this.answers())}`);
  }
}
