import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ConnectionPool } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import type { TreeNode } from '../tree/nodes';
import { stateWords } from '../tree/tooltips';

/** Whether there is something to start or contact: otherwise the entry itself has to be mended. */
export function canConnect({ definition }: ServerConnection): boolean {
  return definition.launch !== undefined;
}

/** The server of a node, or one that a person chooses; `undefined` when the choice was dismissed. */
export async function chooseServer(
  pool: ConnectionPool,
  node: TreeNode | undefined,
  eligible: (connection: ServerConnection) => boolean,
  title = vscode.l10n.t('MCP Resources: choose a server'),
): Promise<ServerConnection | undefined> {
  if (node?.kind === 'server') {
    // By id: the node may be older than the last change of the configuration.
    return pool.require(node.connection.id);
  }
  const candidates = pool.all.filter(eligible);
  if (candidates.length === 0) {
    throw new HumanError(
      pool.all.length === 0
        ? vscode.l10n.t('No MCP servers are configured.')
        : vscode.l10n.t('No server is in a state for that.'),
    );
  }
  if (candidates.length === 1) {
    return candidates[0];
  }
  const picked = await vscode.window.showQuickPick(
    candidates.map((connection) => ({
      label: connection.id,
      description: stateWords(connection.state),
      connection,
    })),
    { title },
  );
  return picked?.connection;
}
