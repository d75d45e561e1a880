import * as vscode from 'vscode';
import type { AttachResult, McpResourcesApi, McpServer } from './api';
import { CancelledError } from './base/errors';
import type { Event } from './base/events';
import { apiCopies, copyOfResource, copyOfTemplate } from './apiCopies';
import type { Catalog } from './catalog/catalog';
import type { ServerCatalog } from './catalog/serverCatalog';
import { type AskingServices, attachAsking } from './command/attachAsking';
import type { ServerDefinitions } from './config/serverDefinitions';
import type { ConnectionPool } from './connection/connectionPool';
import type { ServerConnection } from './connection/serverConnection';
import type { ContentStore } from './content/contentStore';
import type { ResourceDocuments } from './filesystem/resourceDocuments';

interface Parts extends AskingServices {
  readonly definitions: ServerDefinitions;
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
}

/** The public API over the parts that do the work. Hands out plain copies, never our own objects. */
export function publicApi(parts: Parts): McpResourcesApi {
  const { definitions, pool, catalog, content, documents } = parts;
  const catalogOf = async (serverId: string): Promise<ServerCatalog> => {
    const connection = pool.require(serverId);
    await connection.connect('person');
    const found = catalog.of(connection);
    if (!found) {
      throw new Error(`The server "${serverId}" was removed meanwhile.`);
    }
    return found;
  };
  return {
    version: 1,
    whenReady: () => definitions.ready,
    servers: () => pool.all.map(serverOf),
    connect: async (serverId) => {
      await pool.require(serverId).connect('person');
    },
    resources: async (serverId) => apiCopies(await (await catalogOf(serverId)).resources.load(), copyOfResource),
    templates: async (serverId) => apiCopies(await (await catalogOf(serverId)).templates.load(), copyOfTemplate),
    documentUri: (serverId, uri) => documents.uriOf({ serverId, uri }),
    resourceOf: (uri) => documents.resourceOf(uri),
    attach: (uris) => attach(uris, parts),
    onDidChangeServers: either(pool.onDidChangeServers, pool.onDidChangeState),
    onDidChangeResources: mapped(catalog.onDidChange, ({ connection }) => connection.id),
    onDidChangeContent: mapped(content.onDidChangeContent, (ref) => documents.uriOf(ref)),
  };
}

/** By the way of the command, which asks a person where there is something to ask. */
async function attach(uris: readonly vscode.Uri[], parts: Parts): Promise<AttachResult> {
  const not = (uri: vscode.Uri, reason: string) => ({ uri, reason });
  const known = uris.map((uri) => ({ uri, target: parts.documents.targetOf(uri) }));
  const wanted = known.flatMap(({ uri, target }) => (target ? [{ ...target, uri }] : []));
  const strange = known
    .filter(({ target }) => !target)
    .map(({ uri }) => not(uri, vscode.l10n.t('it is not a document of an MCP resource')));
  try {
    const { outcome, failures, declined } = await attachAsking(wanted, parts);
    const { arrived = [], copied = [], unseen = [] } = outcome?.sent ?? {};
    const reason = vscode.l10n.t('it went as a temporary copy, whose arrival could not be confirmed');
    return {
      confirmed: arrived.map(({ asked }) => asked),
      unconfirmed: [...strange, ...failures, ...unseen, ...copied.map(({ asked }) => not(asked, reason)), ...declined],
    };
  } catch (error) {
    if (!(error instanceof CancelledError)) {
      throw error;
    }
    const cancelled = wanted.map(({ uri }) => not(uri, vscode.l10n.t('the person cancelled it')));
    return { confirmed: [], unconfirmed: [...strange, ...cancelled] };
  }
}

function serverOf({ definition, state }: ServerConnection): McpServer {
  const info = state.kind === 'connected' ? state.info : undefined;
  return {
    id: definition.id,
    name: definition.name,
    source: definition.source.kind,
    state: state.kind,
    era: info?.era,
    protocolVersion: info?.protocolVersion,
    error: state.kind === 'failed' ? state.error.message : undefined,
  };
}

/** Our event as VS Code's, with another value. */
function mapped<A, B>(event: Event<A>, map: (value: A) => B): vscode.Event<B> {
  return (listener, thisArgs?: unknown, disposables?: vscode.Disposable[]) => {
    const subscription = event((value) => listener.call(thisArgs, map(value)));
    const disposable = new vscode.Disposable(() => subscription.dispose());
    disposables?.push(disposable);
    return disposable;
  };
}

function either(first: Event<unknown>, second: Event<unknown>): vscode.Event<void> {
  return mapped<void, void>(
    (listener) => {
      const subscriptions = [first(() => listener()), second(() => listener())];
      return { dispose: () => subscriptions.forEach((subscription) => subscription.dispose()) };
    },
    () => undefined,
  );
}
