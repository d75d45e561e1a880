import * as vscode from 'vscode';
import type { Catalog } from '../catalog/catalog';
import { fitsTemplate } from '../catalog/templateMatch';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import { inertLine } from '../ui/plainText';
import { canConnect, chooseServer } from './chooseServer';
import { resourceOfEditorLink } from './editorLinks';

interface Known {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
}

/** Asks for a URI, and for its server where that is not clear; `undefined` when a question was dismissed. */
export async function askResource(known: Known): Promise<ResourceRef | undefined> {
  const uri = await vscode.window.showInputBox({
    title: vscode.l10n.t('Open Resource by URI'),
    prompt: vscode.l10n.t(
      'It goes to the server exactly as it is written here. A link that begins with mcp-resource: works, too.',
    ),
    placeHolder: 'scheme://path',
    validateInput: (value) => (value === '' ? vscode.l10n.t('A URI is needed.') : undefined),
  });
  if (!uri) {
    return undefined;
  }
  const linked = resourceOfEditorLink(uri, known);
  if (linked) {
    return linked;
  }
  const likely = likelyServers(uri, known);
  const server =
    likely.length === 1
      ? likely[0]
      : await chooseServer(
          known.pool,
          undefined,
          (connection) => canConnect(connection) && (likely.length === 0 || likely.includes(connection)),
          vscode.l10n.t('Which server has {0}?', inertLine(uri, 80)),
        );
  return server && { serverId: server.id, uri };
}

/** Those that list the URI; else those with a template for it; else those that are connected. */
function likelyServers(uri: string, { pool, catalog }: Known): readonly ServerConnection[] {
  const able = pool.all.filter(canConnect);
  const fits = ({ uriTemplate }: { uriTemplate: string }): boolean => fitsTemplate(uriTemplate, uri);
  const found = [
    able.filter((connection) => catalog.of(connection)?.entryOf(uri)),
    able.filter((connection) => catalog.of(connection)?.templates.items.some(fits)),
  ].find(({ length }) => length > 0);
  if (found) {
    return found;
  }
  const connected = able.filter(({ state }) => state.kind === 'connected');
  return connected.length === 1 ? connected : [];
}
