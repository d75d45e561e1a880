import { messageOf } from '../base/errors';
import { PersonNeeded } from '../connection/personNeeded';
import type { ServerConnection } from '../connection/serverConnection';
import type { SessionInfo } from '../connection/wire';
import type { ListFacts } from './pagedList';
import type { ServerCatalog } from './serverCatalog';

/** What is known of a server, in lines for a report of a problem: none of its secrets, and no address or command but in errors. */
export function serverDiagnostics(connection: ServerConnection, catalog: ServerCatalog | undefined): string {
  const { definition, state, subscriptions, push, recent } = connection;
  const info = state.kind === 'connected' ? state.info : undefined;
  const facts = subscriptions.facts;
  const lines = [
    `Server ${definition.id}`,
    `  transport: ${definition.launch?.type ?? 'none'}, configured in: ${definition.source.label}`,
    `  state: ${stateLine(state)}`,
    ...(connection.signInNeeded ? [`  sign-in: ${connection.signInNeeded.message}`] : []),
    ...(info ? sessionLines(info) : []),
    ...(catalog ? [listLine('resources', catalog.resources), listLine('templates', catalog.templates)] : []),
    `  subscriptions: ${facts.wanted} wanted, ${facts.live} live, ${facts.pending} pending, ${facts.refused} refused`,
    `  notifications: ${push ?? 'no session'}${facts.streamEnded ? ', the stream was ended by the server' : ''}`,
    ...(recent.errors.length > 0 ? ['  last warnings and errors:', ...recent.errors.map((line) => `    ${line}`)] : []),
  ];
  return connection.secrets.mask(lines.join('\n'));
}

function stateLine(state: ServerConnection['state']): string {
  return state.kind === 'failed'
    ? `${state.error instanceof PersonNeeded ? 'waiting' : 'failed'} (${state.error.message})`
    : state.kind;
}

function sessionLines(info: SessionInfo): string[] {
  const offered = (['resources', 'subscribe', 'listChanged', 'completions'] as const).filter((name) => info[name]);
  return [
    `  protocol: ${info.protocolVersion} (${info.era})`,
    `  program: ${[info.serverName, info.serverVersion].filter(Boolean).join(' ') || 'unnamed'}`,
    `  capabilities: ${offered.join(', ') || 'none that are used here'}`,
  ];
}

function listLine(name: string, { state, items, failures, error }: ListFacts): string {
  // Nobody was asked: what the server waits for is its state.
  const stands = error instanceof PersonNeeded ? 'not asked for' : `${state}${error ? `: ${messageOf(error)}` : ''}`;
  return `  ${name}: ${stands}, ${items.length} entries, ${failures.length} not understood`;
}
