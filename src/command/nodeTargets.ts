import type { Catalog } from '../catalog/catalog';
import { HumanError } from '../base/errors';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry } from '../connection/wire';
import type { DocumentTarget } from '../filesystem/resourceDocuments';
import type { TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';

interface TreeServices {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly view: ServersView;
}

/** What the filter shows of a server's resources. */
export interface ShownResources {
  readonly entries: readonly ResourceEntry[];
  readonly total: number;
  /** Why the list could not be had, or not whole. */
  readonly failure?: string;
}

/** The nodes that a command is meant for: the whole selection where the clicked node is part of it. */
export function chosenNodes(
  node: TreeNode,
  selected: readonly TreeNode[] | undefined,
  view: ServersView,
): readonly TreeNode[] {
  if (selected?.length) {
    return selected;
  }
  return view.selection.includes(node) ? view.selection : [node];
}

/** The resource of a node. */
export function refOf({ server, entry }: TreeNode & { kind: 'resource' }): ResourceRef {
  return { serverId: server.connection.id, uri: entry.uri };
}

/** Connects to a server and lists its resources as far as needed. */
export async function shownResources(
  connection: ServerConnection,
  { catalog, view }: Pick<TreeServices, 'catalog' | 'view'>,
): Promise<ShownResources> {
  let failure: string | undefined;
  try {
    await connection.connect('person');
    await catalog.of(connection)?.resources.load();
  } catch (error) {
    if (!(error instanceof HumanError)) {
      throw error;
    }
    failure = error.message;
  }
  return { ...(await view.shownOf(connection)), failure };
}

/**
 * The documents that nodes stand for, each once: of a server and a folder, what the filter shows of them. Throws a
 * HumanError where a server cannot be listed.
 */
export async function targetsOf(nodes: readonly TreeNode[], services: TreeServices): Promise<DocumentTarget[]> {
  const targets = new Map<string, DocumentTarget>();
  const add = (ref: ResourceRef, child?: string): void =>
    void targets.set(JSON.stringify([ref.serverId, ref.uri, child]), { ref, child });
  for (const node of nodes) {
    if (node.kind === 'resource') {
      add(refOf(node));
    } else if (node.kind === 'part') {
      add(refOf(node.resource), node.name);
    } else if (node.kind === 'folder') {
      node.group.entries.forEach(({ uri }) => add({ serverId: node.server.connection.id, uri }));
    } else if (node.kind === 'server') {
      // By id: the node may be older than the last change of the configuration.
      const connection = services.pool.require(node.connection.id);
      const { entries, failure } = await shownResources(connection, services);
      if (failure !== undefined) {
        throw new HumanError(failure);
      }
      entries.forEach(({ uri }) => add({ serverId: connection.id, uri }));
    }
  }
  return [...targets.values()];
}
