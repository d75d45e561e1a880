import * as vscode from 'vscode';
import { TimeSlices } from '../base/timeSlices';
import type { Catalog } from '../catalog/catalog';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry } from '../connection/wire';
import { ContentSearch, type SearchFailure, type SearchTarget } from '../content/contentSearch';
import type { ContentStore } from '../content/contentStore';
import type { ContentDocument } from '../content/resourceContent';
import { nearestMatch, type SearchQuery, textOfBytes } from '../content/textSearch';
import type { ResourceDocuments } from '../filesystem/resourceDocuments';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import type { MatchNode, SearchNode } from '../tree/searchItems';
import { SearchResults } from '../tree/searchResults';
import type { ServersView } from '../tree/serversView';
import { askSearch } from './askSearch';
import { chooseServer } from './chooseServer';
import type { CommandRegistry } from './commandRegistry';
import { chosenNodes, shownResources } from './nodeTargets';
import { openPart, openResource, readForOpening } from './openResource';
import { withProgress } from './withProgress';

interface SearchServices {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
  readonly view: ServersView;
  /** Where the text that was searched for last is kept. */
  readonly memory: vscode.Memento;
  onError(this: void, error: unknown): void;
}

/** What a search goes through. */
interface Scope {
  readonly targets: SearchTarget[];
  readonly failures: SearchFailure[];
  /** Listed resources that the filter hides. */
  leftOut: number;
}

/** Search in contents, and what can be done with the results. Returns their view. */
export function addSearchCommands(registry: CommandRegistry, services: SearchServices): vscode.Disposable {
  const { catalog, documents, pool, view } = services;
  const results = new SearchResults({
    catalog,
    documentOf: (ref) => documents.uriOf(ref),
    onError: services.onError,
  });
  let last: { readonly nodes: readonly TreeNode[]; readonly query: SearchQuery } | undefined;
  let stop: (() => void) | undefined;

  const search = async (nodes: readonly TreeNode[], query: SearchQuery): Promise<void> => {
    last = { nodes, query };
    const scope = await withProgress({ title: vscode.l10n.t('Listing resources'), place: 'notification', pool }, () =>
      scopeOf(nodes, services),
    );
    const { targets, failures, leftOut } = scope;
    const read: ConstructorParameters<typeof ContentSearch>[0]['read'] = (ref, signal) =>
      services.content.look(ref, signal);
    const running = new ContentSearch({ targets, failures, query, read });
    const abort = new AbortController();
    stop = () => abort.abort();
    await results.show(running, leftOut);
    await results.during(running.run(abort.signal));
  };

  registry.add(commandIds.search, async (node?: TreeNode, selected?: readonly TreeNode[]) => {
    const nodes = node ? chosenNodes(node, selected, view) : await chosenServer(pool);
    const query = nodes.length > 0 ? await askSearch(vscode.l10n.t('Search in Contents'), services.memory) : undefined;
    if (query) {
      await search(nodes, query);
    }
  });

  registry.add(commandIds.searchAgain, async () => {
    if (last) {
      await search(last.nodes, last.query);
    }
  });

  registry.add(commandIds.stopSearch, () => stop?.());
  registry.add(commandIds.clearSearch, () => results.clear());

  registry.add(commandIds.openMatch, async (node: SearchNode) => {
    if (node.kind === 'match') {
      await openMatch(node, services);
    }
  });

  return results;
}

async function chosenServer(pool: ConnectionPool): Promise<readonly TreeNode[]> {
  const connection = await chooseServer(pool, undefined, ({ state }) => state.kind === 'connected');
  return connection ? [{ kind: 'server', connection }] : [];
}

/** Everything that the nodes stand for, each resource once. A server that cannot be listed is a failure among others. */
async function scopeOf(nodes: readonly TreeNode[], services: SearchServices): Promise<Scope> {
  const scope: Scope = { targets: [], failures: [], leftOut: 0 };
  const known = new Set<string>();
  const add = (serverId: string, entries: readonly ResourceEntry[]): void => {
    for (const { uri, size, mimeType } of entries) {
      const ref: ResourceRef = { serverId, uri };
      if (!known.has(keyOf(ref))) {
        known.add(keyOf(ref));
        scope.targets.push({ ref, size, mimeType });
      }
    }
  };
  for (const node of nodes) {
    if (node.kind === 'server') {
      // By id: the node may be older than the last change of the configuration.
      const connection = services.pool.get(node.connection.id);
      if (connection) {
        await addServer(connection, services, scope, add);
      }
    } else if (node.kind === 'folder') {
      add(node.server.connection.id, node.group.entries);
    } else if (node.kind === 'resource') {
      add(node.server.connection.id, [node.entry]);
    }
  }
  return scope;
}

async function addServer(
  connection: ServerConnection,
  services: SearchServices,
  scope: Scope,
  add: (serverId: string, entries: readonly ResourceEntry[]) => void,
): Promise<void> {
  const { entries, total, failure } = await shownResources(connection, services);
  if (failure !== undefined) {
    scope.failures.push({ serverId: connection.id, reason: failure });
  }
  add(connection.id, entries);
  scope.leftOut += total - entries.length;
}

/** Opens the document of a match where the text is now: as near as there is to where it was. */
async function openMatch(node: MatchNode, services: SearchServices): Promise<void> {
  const { match, parent } = node;
  const { ref, child } = parent.hit;
  const showAt = async (document: ContentDocument): Promise<vscode.TextDocumentShowOptions> => {
    const text = textOfBytes(document.bytes);
    const found = await nearestMatch(text, parent.search.query, match, new TimeSlices());
    const { line, character } = found ?? { line: match.line, character: 0 };
    return { selection: new vscode.Range(line, character, line, character + (found ? match.text.length : 0)) };
  };
  if (child === undefined) {
    await openResource(ref, services, showAt);
    return;
  }
  await readForOpening(ref, services, () => openMatch(node, services));
  await openPart(ref, child, services, showAt);
}
