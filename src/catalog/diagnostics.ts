import { messageOf } from '../base/errors';
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
    `  transport: ${definition.launch?.type ?? 'none'}, configured in: ${definition.source.kind}`,
    `  state: ${state.kind}${state.kind === 'failed' ? ` (${state.error.message})` : ''}`,
    ...(connection.signInNeeded ? [`  sign-in: ${connection.signInNeeded.message}`] : []),
    ...(info ? sessionLines(info) : []),
    ...(catalog ? [listLine('resources', catalog.resources), listLine('templates', catalog.templates)] : []),
    `  subscriptions: ${facts.wanted} wanted, ${facts.live} live, ${facts.pending} pending, ${facts.refused} refused`,
    `  notifications: ${push ?? 'no session'}${facts.streamEnded ? ', the stream was ended by the server' : ''}`,
    ...(recent.errors.length > 0 ? ['  last warnings and errors:', ...recent.errors.map((line) => `    ${line}`)] : []),
  ];
  return connection.secrets.mask(lines.join('\n'));
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
  const failed = error ? `: ${messageOf(error)}` : '';
  return `  ${name}: ${state}${failed}, ${items.length} entries, ${failures.length} not understood`;
}
