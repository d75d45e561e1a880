import * as vscode from 'vscode';
import { visibleText } from '../content/visibleText';
import { contextKeys, toolNames } from '../ids';
import { inertLine } from '../ui/plainText';
import { CompleteTool } from './completeTool';
import { ListTool } from './listTool';
import type { Picture } from './pictures';
import { ReadTool } from './readTool';
import { ToolConsent } from './toolConsent';
import type { ToolGrants } from './toolGrants';
import { ToolInput } from './toolInput';
import { type ToolAnswer, type ToolCall, toolFailure, type ToolParts } from './toolParts';

/** What a tool does, and how it is said while it does it. */
interface Tool {
  readonly run: (call: ToolCall) => Promise<ToolAnswer>;
  readonly doing: (input: Readonly<Record<string, unknown>>) => string;
}

type DataPart = new (data: Uint8Array, mimeType: string) => unknown;
/** Absent from the oldest versions. */
const dataPart = (vscode as unknown as { LanguageModelDataPart?: DataPart }).LanguageModelDataPart;

/** The tools by which a model lists and reads resources and fills in templates. */
export function registerTools(facts: Omit<ToolParts, 'consent'>, grants: ToolGrants): vscode.Disposable {
  const parts: ToolParts = { ...facts, consent: new ToolConsent(grants) };
  const list = new ListTool(parts);
  const read = new ReadTool(parts, grants, dataPart !== undefined);
  const complete = new CompleteTool(parts, grants);
  const tools: Readonly<Record<string, Tool>> = {
    [toolNames.list]: { run: (call) => list.run(call), doing: () => vscode.l10n.t('Listing MCP resources') },
    [toolNames.read]: {
      run: (call) => read.run(call),
      doing: ({ uri, server }) => vscode.l10n.t('Reading {0} of {1}', named(uri), named(server)),
    },
    [toolNames.complete]: {
      run: (call) => complete.run(call),
      doing: ({ uriTemplate, server }) => vscode.l10n.t('Filling in {0} of {1}', named(uriTemplate), named(server)),
    },
  };
  const registered = Object.entries(tools).map(([name, tool]) => vscode.lm.registerTool(name, toolOf(tool, parts)));
  const tell = (): void => void vscode.commands.executeCommand('setContext', contextKeys.referencesRead, hasReader());
  tell();
  // The editor tells of its tools a little later than it starts us, and of their coming by no event.
  return vscode.Disposable.from(...registered, parts.pool.onDidChangeState(tell));
}

/** Whether a chat can resolve a reference: our tool that reads is offered to it. */
export function hasReader(): boolean {
  return vscode.lm.tools.some(({ name }) => name === toolNames.read);
}

function toolOf({ run, doing }: Tool, { log }: ToolParts): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: ({ input }) => ({
      // As text: a URI may look like a link.
      invocationMessage: new vscode.MarkdownString().appendText(doing(Object(input) as Record<string, unknown>)),
    }),
    invoke: (options, token) =>
      untilCancelled(token, async (signal) => {
        try {
          const answer = await run({
            input: new ToolInput(options.input),
            budget: options.tokenizationOptions,
            signal,
          });
          return resultOf(answer);
        } catch (error) {
          throw signal.aborted ? new vscode.CancellationError() : toolFailure(error, log);
        }
      }),
  };
}

function resultOf({ text, pictures = [] }: ToolAnswer): vscode.LanguageModelToolResult {
  const shown = dataPart ? pictures.map((picture) => pictureOf(picture, dataPart)) : [];
  return new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(text),
    ...(shown as vscode.LanguageModelTextPart[]),
  ]);
}

function pictureOf({ bytes, mimeType }: Picture, Part: DataPart): unknown {
  // A copy of its own: a part of a larger buffer would be sent with all of it.
  return new Part(Uint8Array.from(bytes), mimeType);
}

/** A value of a model in a message: it may be anything. */
function named(value: unknown): string {
  return typeof value === 'string' ? inertLine(visibleText(value), 100) : '…';
}

async function untilCancelled<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let listener: vscode.Disposable | undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    const onCancel = (): void => {
      reject(new vscode.CancellationError());
      abort.abort();
    };
    listener = token.onCancellationRequested(onCancel);
    if (token.isCancellationRequested) {
      onCancel();
    }
  });
  try {
    return await Promise.race([work(abort.signal), cancelled]);
  } finally {
    listener?.dispose();
  }
}
