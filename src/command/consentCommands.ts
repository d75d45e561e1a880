import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ConnectionPool } from '../connection/connectionPool';
import type { Consent } from '../connection/consent';
import { ConsentNeeded } from '../connection/consentNeeded';
import type { ServerConnection } from '../connection/serverConnection';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';
import { chooseServer } from './chooseServer';
import type { CommandRegistry } from './commandRegistry';

interface ConsentServices {
  readonly pool: ConnectionPool;
  readonly consent: Consent;
  readonly view: ServersView;
}

/** Saying which servers may start, and having it forgotten. */
export function addConsentCommands(
  registry: CommandRegistry,
  { pool, consent, view }: ConsentServices,
  start: (connection: ServerConnection) => Promise<void>,
): void {
  registry.add(commandIds.allow, async (node?: TreeNode) => {
    const waits = ({ state }: ServerConnection): boolean =>
      state.kind === 'failed' && state.error instanceof ConsentNeeded;
    const connection = await chooseServer(pool, node, waits);
    if (connection) {
      await start(connection);
    }
  });

  // A click on a closed node is a person's act. One that was open before the window was does not ask.
  view.onDidExpandServer((connection) => {
    connection.connect('background').catch((error: unknown) => {
      if (error instanceof ConsentNeeded && pool.get(connection.id) === connection) {
        start(connection).catch((failure: unknown) => void registry.report(failure));
      }
    });
  });

  registry.add(commandIds.resetTrust, async () => {
    const { count } = consent;
    if (count === 0) {
      throw new HumanError(vscode.l10n.t('No server was allowed to start yet.'));
    }
    const reset = vscode.l10n.t('Reset Trust');
    const chosen = await vscode.window.showWarningMessage(
      count === 1
        ? vscode.l10n.t('Forget that 1 server may start?')
        : vscode.l10n.t('Forget that {0} servers may start?', count),
      {
        modal: true,
        detail: vscode.l10n.t(
          'In all workspaces you are asked before one of them starts the next time. Those that run here are stopped.',
        ),
      },
      reset,
    );
    if (chosen === reset) {
      await consent.reset();
      const running = pool.all.filter(({ state, definition }) => {
        return ['connected', 'connecting'].includes(state.kind) && definition.source.kind !== 'sample';
      });
      await Promise.all(running.map((connection) => connection.stop()));
    }
  });
}
