import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ConnectionPool } from '../connection/connectionPool';
import { InputNeeded } from '../connection/inputNeeded';
import type { LaunchVariables } from '../connection/launchVariables';
import type { ServerConnection } from '../connection/serverConnection';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import { chooseServer } from './chooseServer';
import { type CommandRegistry } from './commandRegistry';

/** Giving what a server's configuration leaves open, and having it forgotten. */
export function addInputCommands(
  registry: CommandRegistry,
  { pool, variables }: { readonly pool: ConnectionPool; readonly variables: LaunchVariables },
  start: (connection: ServerConnection) => Promise<void>,
): void {
  registry.add(commandIds.giveInput, async (node?: TreeNode) => {
    const waits = ({ state }: ServerConnection): boolean =>
      state.kind === 'failed' && state.error instanceof InputNeeded;
    const connection = await chooseServer(pool, node, waits);
    if (connection) {
      await start(connection);
    }
  });

  registry.add(commandIds.forgetInputs, async () => {
    const forget = vscode.l10n.t('Forget');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Forget what you entered for servers’ configurations, and which commands may run for them?'),
      { modal: true, detail: vscode.l10n.t('You are asked anew when a server starts the next time.') },
      forget,
    );
    if (chosen === forget && (await variables.forget()) === 0) {
      throw new HumanError(vscode.l10n.t('Nothing was stored.'));
    }
  });
}
