import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { ConnectionPool } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import { SignInNeeded } from '../connection/signInNeeded';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import { chooseServer } from './chooseServer';
import { ActionableError, type CommandRegistry, retryAction } from './commandRegistry';

/** Signing in to a server that asks for it, and out again. */
export function addSignInCommands(registry: CommandRegistry, pool: ConnectionPool): void {
  const signIn = async (connection: ServerConnection): Promise<void> => {
    try {
      await connection.signIn();
    } catch (error) {
      throw error instanceof SignInNeeded ? withRemedy(connection, error, () => signIn(connection)) : error;
    }
  };

  registry.add(commandIds.signIn, async (node?: TreeNode) => {
    const connection = await chooseServer(pool, node, ({ signInNeeded }) => signInNeeded !== undefined);
    if (connection) {
      await signIn(connection);
    }
  });

  registry.add(commandIds.signOut, async (node?: TreeNode) => {
    const connection = await chooseServer(pool, node, ({ canSignOut }) => canSignOut);
    await connection?.signOut();
  });
}

function withRemedy(connection: ServerConnection, error: SignInNeeded, run: () => unknown): ActionableError {
  return new ActionableError(vscode.l10n.t('Server "{0}": {1}', connection.id, messageOf(error)), {
    serverId: connection.id,
    actions: [retryAction(error, run)],
    cause: error,
  });
}
