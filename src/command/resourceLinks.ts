import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import { commandIds, extensionId } from '../ids';
import { inertLine, plainLine } from '../ui/plainText';
import type { CommandRegistry } from './commandRegistry';
import { openResource, type OpenServices } from './openResource';

const OPEN_PATH = '/open/';

/** An address that opens a resource in this editor, for notes and messages. */
function linkTo(ref: ResourceRef): string {
  const payload = Buffer.from(JSON.stringify({ server: ref.serverId, uri: ref.uri }), 'utf8').toString('base64url');
  return `${vscode.env.uriScheme}://${extensionId}${OPEN_PATH}${payload}`;
}

/** The same as a Markdown link whose text is the resource's label. */
export function markdownLinkTo(ref: ResourceRef, label: string): string {
  return `[${plainLine(label).replace(/[\\[\]]/gu, '\\$&')}](${linkTo(ref)})`;
}

/** The resource that a link names; throws a HumanError for what is no link of ours. */
export function resourceOfLink(uri: vscode.Uri): ResourceRef {
  const invalid = new HumanError(vscode.l10n.t('This link does not name an MCP resource.'));
  if (!uri.path.startsWith(OPEN_PATH)) {
    throw invalid;
  }
  let payload: unknown;
  try {
    payload = JSON.parse(Buffer.from(uri.path.slice(OPEN_PATH.length), 'base64url').toString('utf8'));
  } catch {
    throw invalid;
  }
  const { server, uri: resource } = (payload ?? {}) as { server?: unknown; uri?: unknown };
  if (typeof server !== 'string' || typeof resource !== 'string') {
    throw invalid;
  }
  return { serverId: server, uri: resource };
}

/** Opens the resource of a link, once a person has agreed. */
export class LinkHandler implements vscode.UriHandler {
  constructor(
    private readonly registry: CommandRegistry,
    private readonly services: OpenServices,
  ) {}

  async handleUri(uri: vscode.Uri): Promise<void> {
    try {
      const ref = resourceOfLink(uri);
      const chosen = await confirmLink(ref, this.services.pool);
      if (chosen === 'open') {
        await openResource(ref, this.services, { preview: false });
      } else if (chosen === 'attach') {
        await vscode.commands.executeCommand(commandIds.attachActive, this.services.documents.uriOf(ref));
      }
    } catch (error) {
      await this.registry.report(error);
    }
  }
}

/** Links come from anywhere: a person is asked before anything is connected to or read. `undefined` when that was declined. */
async function confirmLink(
  { serverId, uri }: ResourceRef,
  pool: ConnectionPool,
): Promise<'open' | 'attach' | undefined> {
  const connected = pool.require(serverId).state.kind === 'connected';
  const open = vscode.l10n.t('Open');
  const attach = vscode.l10n.t('Attach to Chat');
  const detail = connected
    ? vscode.l10n.t('Server: {0}', inertLine(serverId))
    : vscode.l10n.t('Server: {0}. It is not connected now and will be started or contacted.', inertLine(serverId));
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('A link wants to open the MCP resource {0}', inertLine(uri, 300)),
    { modal: true, detail },
    open,
    attach,
  );
  return chosen === open ? 'open' : chosen === attach ? 'attach' : undefined;
}
