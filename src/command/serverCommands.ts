import * as vscode from 'vscode';
import { CancelledError, HumanError } from '../base/errors';
import { addServer } from '../config/addServer';
import type { ServerDefinitionsOptions } from '../config/serverDefinitions';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { Consent } from '../connection/consent';
import { ConsentNeeded } from '../connection/consentNeeded';
import { InputNeeded } from '../connection/inputNeeded';
import type { LaunchVariables } from '../connection/launchVariables';
import type { ServerConnection } from '../connection/serverConnection';
import type { ContentStore } from '../content/contentStore';
import type { ResourceDocuments } from '../filesystem/resourceDocuments';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';
import type { Logs } from '../ui/logs';
import { openDefinition } from '../ui/openDefinition';
import { canConnect, chooseServer } from './chooseServer';
import { ActionableError, type CommandRegistry, retryAction } from './commandRegistry';
import { addConsentCommands } from './consentCommands';
import { openResource } from './openResource';
import { addInputCommands } from './inputCommands';
import { addSignInCommands } from './signInCommands';

interface Services {
  readonly pool: ConnectionPool;
  readonly logs: Logs;
  readonly variables: LaunchVariables;
  readonly consent: Consent;
  readonly places: Pick<ServerDefinitionsOptions, 'userFile'>;
  readonly view: ServersView;
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
  readonly sample: {
    readonly id: string;
    /** Resolves when the sample server is configured, or no longer is. */
    want(wanted: boolean): Promise<void>;
    /** The page that a newcomer sees first. */
    readonly welcome: ResourceRef;
  };
}

/** Start, stop, restart, logs, and where servers are configured. */
export function addServerCommands(registry: CommandRegistry, services: Services): void {
  const { pool, logs, sample } = services;

  const start = async (connection: ServerConnection): Promise<void> => {
    try {
      await connection.connect('person');
    } catch (error) {
      throw startFailure(connection, error, () => start(connection));
    }
  };

  registry.add(commandIds.start, async (node?: TreeNode) => {
    const connection = await chooseServer(pool, node, (each) => canConnect(each) && each.state.kind !== 'connected');
    if (connection) {
      await start(connection);
    }
  });

  registry.add(commandIds.stop, async (node?: TreeNode) => {
    const running = ({ state }: ServerConnection): boolean => ['connected', 'connecting'].includes(state.kind);
    await (await chooseServer(pool, node, running))?.stop();
  });

  registry.add(commandIds.restart, async (node?: TreeNode) => {
    const connection = await chooseServer(pool, node, canConnect);
    if (connection) {
      await connection.stop();
      await start(connection);
    }
  });

  addSignInCommands(registry, pool);
  addInputCommands(registry, services, start);
  addConsentCommands(registry, services, start);

  registry.add(commandIds.showLog, async (node?: TreeNode) => {
    const connection = await chooseServer(pool, node, () => true);
    logs.show(connection?.id);
  });

  registry.add(commandIds.openDefinition, async (node?: TreeNode) => {
    const connection = await chooseServer(pool, node, () => true);
    if (connection) {
      await openDefinition(connection.definition);
    }
  });

  registry.add(commandIds.addServer, () => addServerToFile(services.places.userFile()));

  registry.add(commandIds.trySampleServer, async () => {
    await sample.want(true);
    const connection = pool.require(sample.id);
    if (connection.definition.source.kind !== 'sample') {
      const { label } = connection.definition.source;
      throw new HumanError(
        vscode.l10n.t('A server of your own is named "{0}" ({1}): rename it first.', sample.id, label),
      );
    }
    await services.view.revealServer(connection);
    await start(connection);
    await openResource(sample.welcome, services, { preview: false });
  });

  registry.add(commandIds.removeSampleServer, () => sample.want(false));
}

/** A person who says no, or not yet, needs no message: the node says what is so. */
function startFailure(connection: ServerConnection, error: unknown, retry: () => unknown): unknown {
  if (!(error instanceof HumanError)) {
    return error;
  }
  if (error instanceof ConsentNeeded || error instanceof InputNeeded) {
    return new CancelledError();
  }
  const message =
    connection.definition.launch?.type === 'stdio'
      ? vscode.l10n.t('The server "{0}" could not be started. {1}', connection.id, error.message)
      : vscode.l10n.t('The server "{0}" could not be reached. {1}', connection.id, error.message);
  return new ActionableError(message, {
    serverId: connection.id,
    actions: [retryAction(error, retry)],
    cause: error,
  });
}

/** Opens an mcp.json with an example server added, unsaved and selected: saving it is the person's decision. */
async function addServerToFile(userFile: string): Promise<void> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const places = [
    ...folders.map((folder) => ({
      label: vscode.l10n.t('Folder {0}', folder.name),
      description: '.vscode/mcp.json',
      uri: vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json'),
    })),
    { label: vscode.l10n.t('User'), description: vscode.l10n.t('for all workspaces'), uri: vscode.Uri.file(userFile) },
  ];
  const place =
    places.length === 1
      ? places[0]
      : await vscode.window.showQuickPick(places, { title: vscode.l10n.t('Where is the server to be configured?') });
  if (!place) {
    return;
  }
  const exists = await vscode.workspace.fs.stat(place.uri).then(
    () => true,
    () => false,
  );
  const uri = exists ? place.uri : place.uri.with({ scheme: 'untitled' });
  const document = await vscode.workspace.openTextDocument(uri);
  const added = addServer(document.getText());
  const editor = await vscode.window.showTextDocument(document);
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  await editor.edit((edit) => edit.replace(all, added.text));
  const from = document.positionAt(added.offset);
  editor.selection = new vscode.Selection(from, document.positionAt(added.offset + added.name.length));
  editor.revealRange(editor.selection);
}
