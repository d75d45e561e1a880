import { HumanError, messageOf } from '../base/errors';
import type { Log } from '../base/log';
import { withoutStop } from '../base/sentence';
import type { Catalog } from '../catalog/catalog';
import type { Exclusion } from '../catalog/resourceIndex';
import type { ServerCatalog } from '../catalog/serverCatalog';
import type { ConnectionPool } from '../connection/connectionPool';
import { PersonNeeded } from '../connection/personNeeded';
import type { ServerConnection } from '../connection/serverConnection';
import type { ContentStore } from '../content/contentStore';
import { shownValue } from './dataFrame';
import type { Picture } from './pictures';
import { shownFailure } from './shownFailure';
import type { TokenBudget } from './tokenBudget';
import type { ToolConsent } from './toolConsent';
import { ToolError, type ToolInput } from './toolInput';

/** What the tools work with. */
export interface ToolParts {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  /** What a person's settings leave out. */
  readonly exclusion: Exclusion;
  readonly consent: ToolConsent;
  readonly log: Log;
  /** Why no server may be contacted now. */
  refusal(this: void): string | undefined;
}

/** One call of a tool by a model. */
export interface ToolCall {
  readonly input: ToolInput;
  readonly budget: TokenBudget | undefined;
  readonly signal: AbortSignal;
}

/** What a tool answers. */
export interface ToolAnswer {
  readonly text: string;
  readonly pictures?: readonly Picture[];
}

const HOW_TO_CONNECT = 'Ask the user to connect it in the view "MCP Resources".';
const MOST_NAMES = 50;

/** A configured server by its exact name. Throws a ToolError that names those there are. */
export function serverNamed(name: string, { pool }: Pick<ToolParts, 'pool'>): ServerConnection {
  const connection = pool.get(name);
  if (!connection) {
    const names = pool.all.slice(0, MOST_NAMES).map(({ id }) => shownValue(id));
    const known = names.length > 0 ? `The servers are: ${names.join(', ')}.` : 'There is none at all.';
    throw new ToolError(`No server is named ${shownValue(name.slice(0, 200))}. ${known}`);
  }
  return connection;
}

/** The lists of a server that is connected, or is connecting already. Throws a ToolError for any other: no list starts one. */
export async function listsOf(
  connection: ServerConnection,
  { catalog }: Pick<ToolParts, 'catalog'>,
): Promise<ServerCatalog> {
  if (connection.state.kind === 'connecting') {
    await connection.connect('background').catch(() => undefined);
  }
  const lists = catalog.of(connection);
  if (connection.state.kind !== 'connected' || !lists) {
    throw new ToolError(`The server ${shownValue(connection.id)} is ${stateOf(connection)}. ${HOW_TO_CONNECT}`);
  }
  return lists;
}

/** Nothing may be asked of a server that a person has stopped, or that failed. Throws a ToolError that says so. */
export function requireStartable(connection: ServerConnection, { refusal }: ToolParts): void {
  const refused = refusal();
  if (refused !== undefined) {
    throw new ToolError(refused);
  }
  if (connection.state.kind === 'failed' || connection.state.kind === 'stopped') {
    throw new ToolError(`The server ${shownValue(connection.id)} is ${stateOf(connection)}. ${HOW_TO_CONNECT}`);
  }
}

/** The state of a connection in words for a model. */
export function stateOf({ state }: ServerConnection): string {
  switch (state.kind) {
    case 'notConnected':
      return 'not connected';
    case 'failed':
      return `failed: ${withoutStop(shownFailure(state.error))}`;
    default:
      return state.kind;
  }
}

/** A failure as words for a model. Anything but a HumanError is a bug. */
export function toolFailure(error: unknown, log: Log): Error {
  if (error instanceof ToolError) {
    return error;
  }
  if (error instanceof PersonNeeded) {
    return new ToolError(`${shownFailure(error)} ${HOW_TO_CONNECT}`);
  }
  if (!(error instanceof HumanError)) {
    log.error(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
  }
  return new ToolError(`The request failed: ${shownFailure(error)}`);
}
