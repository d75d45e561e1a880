import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ChatAttachments } from '../chat/chatAttachments';
import { contextText } from '../chat/contextText';
import type { Catalog } from '../catalog/catalog';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import type { ResourceDocuments } from '../filesystem/resourceDocuments';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';
import { plainLine } from '../ui/plainText';
import { activeDocument } from './activeDocument';
import type { CommandRegistry } from './commandRegistry';
import { openResource, readFailure } from './openResource';
import { withProgress } from './withProgress';

interface Services {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  readonly chat: ChatAttachments;
  readonly documents: ResourceDocuments;
  readonly view: ServersView;
}

/** Open, attach, refresh, copy and reveal. */
export function addResourceCommands(registry: CommandRegistry, services: Services): void {
  const { content, documents, view } = services;

  registry.add(commandIds.open, async (node: TreeNode) => {
    for (const ref of refsOf(node)) {
      await openResource(ref, services);
    }
  });

  registry.add(commandIds.attach, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    const refs = chosenNodes(node, selected, view).flatMap(refsOf);
    await attach(
      refs.map((ref) => documents.uriOf(ref)),
      services,
    );
  });

  registry.add(commandIds.attachActive, async (document?: unknown) => {
    const uri = document instanceof vscode.Uri ? document : activeDocument();
    if (!uri || !documents.resourceOf(uri)) {
      throw new HumanError(vscode.l10n.t('Open a resource first: the active editor shows none.'));
    }
    await attach([uri], services);
  });

  const refreshResource = async (ref: ResourceRef): Promise<void> => {
    try {
      await withProgress(vscode.l10n.t('Reading {0}', plainLine(ref.uri, 80)), 'notification', (signal) =>
        content.read(ref, { purpose: 'refresh', initiative: 'person', signal }),
      );
    } catch (error) {
      throw readFailure(ref, error, () => refreshResource(ref));
    }
  };

  registry.add(commandIds.refresh, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    for (const each of chosenNodes(node, selected, view)) {
      if (each.kind === 'server') {
        await services.catalog.of(services.pool.require(each.connection.id))?.reload();
      }
      for (const ref of refsOf(each)) {
        await refreshResource(ref);
      }
    }
  });

  registry.add(commandIds.refreshActive, async () => {
    const uri = activeDocument();
    const ref = uri && documents.resourceOf(uri);
    if (!ref) {
      throw new HumanError(vscode.l10n.t('Open a resource first: the active editor shows none.'));
    }
    await refreshResource(ref);
  });

  registry.add(commandIds.refreshAll, async () => {
    await Promise.all(
      services.pool.all
        .filter(({ state }) => state.kind === 'connected')
        .map(async (connection) => services.catalog.of(connection)?.reload()),
    );
  });

  registry.add(commandIds.copyUri, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    const uris = chosenNodes(node, selected, view).flatMap(uriTextsOf);
    if (uris.length > 0) {
      await vscode.env.clipboard.writeText(uris.join('\n'));
    }
  });

  registry.add(commandIds.revealActive, async () => {
    const uri = activeDocument();
    const ref = uri && documents.resourceOf(uri);
    if (!ref) {
      throw new HumanError(vscode.l10n.t('Open a resource first: the active editor shows none.'));
    }
    await view.revealResource(ref);
  });
}

/** Attaches documents and tells what did not arrive, with its text on the clipboard as the other way. */
async function attach(uris: readonly vscode.Uri[], { chat, content, documents }: Services): Promise<void> {
  if (uris.length === 0) {
    return;
  }
  const { unconfirmed } = await withProgress(vscode.l10n.t('Attaching to chat'), 'status', () => chat.attach(uris));
  if (unconfirmed.length === 0) {
    return;
  }
  const lines = unconfirmed.map(({ uri, reason }) => {
    const ref = documents.resourceOf(uri);
    return `${plainLine(ref?.uri ?? uri.toString(), 100)} (${plainLine(reason)})`;
  });
  const readable = unconfirmed.flatMap(({ uri }) => {
    const ref = documents.resourceOf(uri);
    const snapshot = ref && content.peek(ref);
    return snapshot ? [contextText(ref, snapshot)] : [];
  });
  const copy = vscode.l10n.t('Copy as Text');
  const message = vscode.l10n.t('Not attached, as far as can be told: {0}', lines.join('; '));
  // The message stays until it is answered; the command does not wait for it.
  void vscode.window.showWarningMessage(message, ...(readable.length > 0 ? [copy] : [])).then(async (chosen) => {
    if (chosen === copy) {
      await vscode.env.clipboard.writeText(readable.join('\n'));
    }
  });
}

/** The nodes that a command is meant for: the whole selection where the clicked node is part of it. */
function chosenNodes(
  node: TreeNode,
  selected: readonly TreeNode[] | undefined,
  view: ServersView,
): readonly TreeNode[] {
  if (selected?.length) {
    return selected;
  }
  return view.selection.includes(node) ? view.selection : [node];
}

function refsOf(node: TreeNode): readonly ResourceRef[] {
  return node.kind === 'resource' ? [{ serverId: node.server.connection.id, uri: node.entry.uri }] : [];
}

function uriTextsOf(node: TreeNode): readonly string[] {
  switch (node.kind) {
    case 'resource':
      return [node.entry.uri];
    case 'template':
      return [node.entry.uriTemplate];
    default:
      return [];
  }
}
