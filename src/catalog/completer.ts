import { CancelledError, messageOf } from '../base/errors';
import { RequestError } from '../connection/requestFailure';
import type { ServerConnection } from '../connection/serverConnection';
import type { Completion, CompletionRequest, McpSession } from '../connection/wire';

/** Asks a server for suggestions, where it has any (specification: server/utilities/completion). */
export class Completer {
  /** It declared the capability and then did not know the method: not asked again. */
  private refusedBy: McpSession | undefined;

  constructor(private readonly connection: ServerConnection) {}

  /**
   * Suggestions for a value; `undefined` where there are none to be had: not offered, given up, failed. Never rejects:
   * they are a convenience, and what went wrong stands in the log.
   */
  async suggest(request: CompletionRequest, signal: AbortSignal): Promise<Completion | undefined> {
    const { log } = this.connection;
    let session: McpSession | undefined;
    try {
      session = await this.connection.connect('background');
      if (!session.info.completions || this.refusedBy === session || signal.aborted) {
        return undefined;
      }
      return await session.complete(request, signal);
    } catch (error) {
      if (signal.aborted || error instanceof CancelledError) {
        return undefined;
      }
      if (error instanceof RequestError && error.kind === 'noSuchMethod') {
        this.refusedBy = session;
        log.info(`Suggestions are not offered: ${error.message}`);
      } else {
        log.warn(`No suggestions for "${request.argument}" of ${request.uriTemplate}: ${messageOf(error)}`);
      }
      return undefined;
    }
  }
}
