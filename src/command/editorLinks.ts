import * as vscode from 'vscode';
import { halfSurrogate } from '../base/halfSurrogate';
import type { Catalog } from '../catalog/catalog';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import { schemes } from '../ids';

/** What VS Code writes where a resource's URI has no authority. */
const NO_AUTHORITY = 'dylo78gyp';

interface Known {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
}

/**
 * The resource that a link of VS Code's own MCP support means, where we know its server by the same name:
 * `mcp-resource://<hex of the definition's id>/<scheme>/<authority>/<path>`. VS Code has decoded the resource's URI on the
 * way, so what is listed is compared in that form, and only what is not listed is put together again. `undefined` for any
 * other text.
 */
export function resourceOfEditorLink(text: string, { pool, catalog }: Known): ResourceRef | undefined {
  const link = linkIn(text);
  const connection = link && linkedServer(link, pool);
  if (!connection) {
    return undefined;
  }
  const listed = catalog.of(connection)?.resources.items.find(({ uri }) => isLinked(uri, link));
  return { serverId: connection.id, uri: listed?.uri ?? putTogether(link) };
}

/** What VS Code makes of a link; `undefined` for what it would not take, or could not have made. */
function linkIn(text: string): vscode.Uri | undefined {
  if (!text.startsWith(`${schemes.preferred}://`) || halfSurrogate.test(text)) {
    return undefined;
  }
  try {
    return vscode.Uri.parse(text);
  } catch {
    return undefined;
  }
}

/** The server that such a link names, where we know one. */
export function linkedServer(
  { authority }: Pick<vscode.Uri, 'authority'>,
  pool: ConnectionPool,
): ServerConnection | undefined {
  return /^([0-9a-f]{2})+$/iu.test(authority)
    ? serverOf(Buffer.from(authority, 'hex').toString('utf8'), pool)
    : undefined;
}

/** VS Code's ids end in the server's name, after where it was found: `mcp.config.ws0.docs`. */
function serverOf(definitionId: string, pool: ConnectionPool): ServerConnection | undefined {
  return pool.all
    .filter(({ definition }) => definitionId.endsWith(`.${definition.name}`))
    .sort((a, b) => b.definition.name.length - a.definition.name.length)
    .at(0);
}

function inEditorForm(uri: string): Pick<vscode.Uri, 'path' | 'query' | 'fragment'> {
  const { scheme, authority, path, query, fragment } = vscode.Uri.parse(uri);
  return { path: `/${scheme}/${authority || NO_AUTHORITY}${path}`, query, fragment };
}

/** A URI that VS Code cannot take apart has no link. */
function isLinked(uri: string, link: vscode.Uri): boolean {
  try {
    const { path, query, fragment } = inEditorForm(uri);
    return path === link.path && query === link.query && fragment === link.fragment;
  } catch {
    return false;
  }
}

function putTogether({ path, query, fragment }: vscode.Uri): string {
  const [, scheme = '', authority = '', ...rest] = path.split('/');
  const host = authority === NO_AUTHORITY ? '' : authority;
  const encoded = encodeURI(`/${rest.join('/')}`).replace(/[?#]/gu, encodeURIComponent);
  const tail = `${query === '' ? '' : `?${query}`}${fragment === '' ? '' : `#${fragment}`}`;
  return `${scheme}://${host}${rest.length === 0 ? '' : encoded}${tail}`;
}
