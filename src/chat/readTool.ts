import * as vscode from 'vscode';
import { labelOf } from '../catalog/labelOf';
import type { ResourceRef } from '../connection/connectionPool';
import { RequestError } from '../connection/requestFailure';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry } from '../connection/wire';
import { shownValue } from './dataFrame';
import { readResult } from './readResult';
import { shownFailure } from './shownFailure';
import { withinBudget } from './tokenBudget';
import type { ConsentRequest } from './toolConsent';
import type { ToolGrants } from './toolGrants';
import { ToolError } from './toolInput';
import { listsOf, requireStartable, serverNamed, type ToolAnswer, type ToolCall, type ToolParts } from './toolParts';

const USUAL_LIMIT = 50_000;
const HIGHEST_LIMIT = 500_000;
const LOWEST_LIMIT = 200;

/** Reads a resource for a model, after a person has allowed it. */
export class ReadTool {
  constructor(
    private readonly parts: ToolParts,
    private readonly grants: ToolGrants,
    private readonly takesPictures: boolean,
  ) {}

  async run({ input, budget, signal }: ToolCall): Promise<ToolAnswer> {
    const ref: ResourceRef = { serverId: input.text('server'), uri: input.text('uri') };
    const part = input.number('part', { least: 1 });
    const start = {
      line: input.number('startLine', { least: 1 }) ?? 1,
      character: input.number('startCharacter', { least: 1 }) ?? 1,
    };
    const most = input.number('maxCharacters', { least: 1, most: HIGHEST_LIMIT }) ?? USUAL_LIMIT;
    const connection = serverNamed(ref.serverId, this.parts);
    requireStartable(connection, this.parts);
    const entry = await this.entryOf(connection, ref.uri);
    signal.throwIfAborted();
    await this.parts.consent.ask(this.question(connection, ref, entry), signal);
    signal.throwIfAborted();
    const snapshot = await this.read(ref, signal);
    const title = entry && labelOf(entry);
    const facts = { ref, title, snapshot, takesPictures: this.takesPictures };
    return withinBudget(
      (limit) => readResult(facts, { part, start, limit }),
      ({ text }) => text,
      { most, least: Math.min(most, LOWEST_LIMIT), budget },
    );
  }

  /** The entry of the server's list, which is asked for where a session is there. What is left out of lists counts as not listed. */
  private async entryOf(connection: ServerConnection, uri: string): Promise<ResourceEntry | undefined> {
    if (connection.state.kind === 'notConnected' || this.parts.exclusion.excludedBy(connection.id)(uri)) {
      return undefined;
    }
    const { resources } = await listsOf(connection, this.parts);
    const known = resources.find(uri);
    if (known) {
      return known;
    }
    // A list that fails says nothing of the resource: it is asked about as one that is not listed.
    await resources.load().catch(() => undefined);
    return resources.find(uri);
  }

  private question(connection: ServerConnection, ref: ResourceRef, entry: ResourceEntry | undefined): ConsentRequest {
    const audience = entry?.annotations?.audience ?? [];
    const isForUser = audience.includes('user') && !audience.includes('assistant');
    const isConnected = (): boolean => connection.state.kind === 'connected';
    const remarks = [
      ...(isConnected() ? [] : [vscode.l10n.t('The server is not connected: it would be started.')]),
      ...(isConnected() && !entry ? [vscode.l10n.t("It is not in the server's list.")] : []),
      ...(isForUser ? [vscode.l10n.t('Its server means it for you, not for the assistant.')] : []),
    ];
    return {
      ref,
      question: vscode.l10n.t('Let the chat read this resource?'),
      remarks,
      scopes: !entry ? [] : isForUser ? ['resource'] : ['resource', 'server', 'window'],
      isGranted: () =>
        isConnected() && entry !== undefined && (isForUser ? this.grants.allowsExactly(ref) : this.grants.allows(ref)),
    };
  }

  private async read(ref: ResourceRef, signal: AbortSignal) {
    try {
      return await this.parts.content.read(ref, { purpose: 'open', initiative: 'background', signal });
    } catch (error) {
      if (error instanceof RequestError && error.kind === 'notFound') {
        const advice = 'Look up the exact URI with the tool that lists resources.';
        throw new ToolError(`${shownValue(ref.serverId)} has no resource ${shownValue(ref.uri)}. ${advice}`);
      }
      if (error instanceof RequestError && error.kind === 'inputNeeded') {
        throw new ToolError(
          `It was not read: ${shownFailure(error)}. Ask the user to open the resource in the view "MCP Resources".`,
        );
      }
      throw error;
    }
  }
}
