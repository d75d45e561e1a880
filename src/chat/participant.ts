import * as vscode from 'vscode';
import { CancelledError, HumanError, messageOf } from '../base/errors';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { withoutStop } from '../base/sentence';
import { participantId } from '../ids';
import { inertLine, plainLine } from '../ui/plainText';
import { inertMarkdown } from './chatWords';
import type { LastModel } from './lastModel';
import type { LeftOut } from './leftOut';
import { checkBudget } from './participantBudget';
import { ParticipantCommands } from './participantCommands';
import { type AnswerMetadata, earlierMessages, promptMessages, takesPictures } from './participantPrompt';
import { ParticipantSources, type SourceSurroundings } from './participantSources';
import type { Pins } from './pins';
import type { Source } from './source';

interface ParticipantSurroundings extends SourceSurroundings {
  readonly pins: Pins;
  readonly lastModel: LastModel;
  readonly icon: vscode.Uri;
  onError(this: void, error: unknown): void;
}

/** The chat participant `@mcp`: answers from what is attached and what is pinned, with whichever model is chosen. */
export class McpParticipant implements Disposable {
  private readonly store = new DisposableStore();
  private readonly commands: ParticipantCommands;
  private readonly sources: ParticipantSources;

  constructor(private readonly around: ParticipantSurroundings) {
    this.commands = new ParticipantCommands(around);
    this.sources = new ParticipantSources(around);
    const participant = vscode.chat.createChatParticipant(participantId, (...asked) => this.handle(...asked));
    participant.iconPath = around.icon;
    this.store.add(participant);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async handle(
    request: vscode.ChatRequest,
    context: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const abort = new AbortController();
    const cancelling = token.onCancellationRequested(() => abort.abort());
    const { signal } = abort;
    // What is said before the model speaks: kept with the answer however it ends.
    let remark = '';
    const say = (markdown: string): void => {
      remark += markdown;
      stream.markdown(markdown);
    };
    const metadata = (): { metadata: AnswerMetadata } => ({ metadata: { remark } });
    try {
      switch (request.command) {
        case 'list':
          await this.commands.list({ request, stream, signal });
          break;
        case 'read':
          await this.commands.read({ request, stream, signal });
          break;
        case 'pin':
          await this.commands.pin({ request, stream, signal });
          break;
        default:
          await this.answer({ request, context, stream, say, token, signal });
      }
      return metadata();
    } catch (error) {
      return token.isCancellationRequested || error instanceof CancelledError
        ? metadata()
        : { ...this.failed(error), ...metadata() };
    } finally {
      cancelling.dispose();
    }
  }

  private async answer({
    request,
    context,
    stream,
    say,
    token,
    signal,
  }: {
    request: vscode.ChatRequest;
    context: vscode.ChatContext;
    stream: vscode.ChatResponseStream;
    say: (markdown: string) => void;
    token: vscode.CancellationToken;
    signal: AbortSignal;
  }): Promise<void> {
    const { model } = request;
    this.around.lastModel.see(model);
    // A question that follows is about the same resources.
    const earlier = context.history.filter((turn) => turn instanceof vscode.ChatRequestTurn);
    const references = { earlier: earlier.flatMap((turn) => turn.references), now: request.references };
    const { sources, leftOut } = await this.sources.gather(references, { takesPictures: takesPictures(model), signal });
    sayLeftOut(leftOut, say);
    if (sources.length === 0) {
      say(
        inertMarkdown(
          vscode.l10n.t(
            'There is nothing to answer from. Attach resources to the question, or pin them: what is pinned is used each time. /list shows what there is.',
          ),
        ),
      );
      return;
    }
    const messages = promptMessages(sources, request.prompt, earlierMessages(context.history));
    await checkBudget({ model, messages, sources }, token);
    for (const { document } of sources) {
      if (document) {
        stream.reference(document);
      }
    }
    const justification = vscode.l10n.t('To answer from the MCP resources that you attached or pinned.');
    try {
      const response = await model.sendRequest(messages, { justification }, token);
      for await (const text of response.text) {
        stream.markdown(text);
      }
    } catch (error) {
      throw new ModelFailure(model.name, error, picturesIn(sources));
    }
  }

  private failed(error: unknown): vscode.ChatResult {
    if (error instanceof HumanError) {
      return { errorDetails: { message: inertLine(error.message, 1000) } };
    }
    this.around.onError(error);
    return {
      errorDetails: { message: vscode.l10n.t('Something unexpected happened. The log of MCP Resources has it.') },
    };
  }
}

function sayLeftOut(leftOut: readonly LeftOut[], say: (markdown: string) => void): void {
  if (leftOut.length > 0) {
    const words = leftOut.map(({ name, reason }) => `${plainLine(name, 100)} (${plainLine(reason)})`).join('; ');
    say(`${inertMarkdown(vscode.l10n.t('Not used: {0}', words))}\n\n`);
  }
}

/** What a model refuses or fails with, and what to do about it. */
class ModelFailure extends HumanError {
  constructor(name: string, cause: unknown, pictures: readonly string[]) {
    super(wordsFor(inertLine(name, 60), cause, pictures), { cause });
  }
}

/** The names of what has pictures. */
function picturesIn(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ pieces }) => pieces.some((piece) => typeof piece !== 'string'))
    .map(({ name }) => inertLine(name, 60));
}

function wordsFor(model: string, error: unknown, pictures: readonly string[]): string {
  const { LanguageModelError } = vscode;
  switch (error instanceof LanguageModelError ? error.code : undefined) {
    case LanguageModelError.NoPermissions().code:
      return vscode.l10n.t(
        'MCP Resources may not use {0}. Allow it by the command “Manage Language Model Access”, or choose another model.',
        model,
      );
    case LanguageModelError.Blocked().code:
      return vscode.l10n.t(
        '{0} does not answer this, or no more for now. Ask otherwise, later, or another model.',
        model,
      );
    case LanguageModelError.NotFound().code:
      return vscode.l10n.t('{0} is not there any more. Choose another model.', model);
    default: {
      const failure = vscode.l10n.t(
        '{0} failed: {1}. Ask again, or choose another model.',
        model,
        withoutStop(inertLine(messageOf(error), 300)),
      );
      // The editor gives up on all of a question for one picture that it cannot decode, and does not say so.
      return pictures.length === 0
        ? failure
        : `${failure} ${vscode.l10n.t('A picture may be the reason: {0}. Leave it out, and ask again.', pictures.join(', '))}`;
    }
  }
}
