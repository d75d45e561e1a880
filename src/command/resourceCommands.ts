import { posix } from 'node:path';
import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import type { Changes } from '../content/changes';
import { allPartsName } from '../content/resourceContent';
import type { LastSeen } from '../filesystem/lastSeen';
import { commandIds } from '../ids';
import { labelOf } from '../catalog/labelOf';
import type { TreeNode } from '../tree/nodes';
import { inertLine } from '../ui/plainText';
import { activeTarget } from './activeDocument';
import { askResource } from './askResource';
import { copyText } from './copyText';
import { resourceOfEditorLink } from './editorLinks';
import { ActionableError, type CommandRegistry } from './commandRegistry';
import { chosenNodes, refOf, targetsOf } from './nodeTargets';
import { openInstance, type TemplateServices } from './openTemplate';
import { openPart, openResource, openSnapshot, readFailure, readingOf } from './openResource';
import type { RecentResources } from './recentResources';
import { markdownLinkTo } from './resourceLinks';
import { saveResources } from './saveResources';
import { withProgress } from './withProgress';

export interface ResourceServices extends TemplateServices {
  readonly changes: Changes;
  readonly lastSeen: LastSeen;
  readonly recent: RecentResources;
}

/** Open, attach, refresh, save, copy and reveal. */
export function addResourceCommands(registry: CommandRegistry, services: ResourceServices): void {
  const { documents, view } = services;
  /** It counts as used at once; keeping that holds nothing up. */
  const openUsed = async (ref: ResourceRef, options?: vscode.TextDocumentShowOptions): Promise<void> => {
    await Promise.all([services.recent.use(ref), openResource(ref, services, options)]);
  };

  const openNode = async (node: TreeNode, options?: vscode.TextDocumentShowOptions): Promise<void> => {
    if (node.kind === 'resource' && node.filled) {
      const { instance } = node.filled;
      await openInstance(instance, services, {
        replaced: instance,
        use: (ref, snapshot) => openSnapshot(ref, snapshot, services, options),
      });
    } else if (node.kind === 'resource') {
      await openUsed(refOf(node), options);
    } else if (node.kind === 'part') {
      await openPart(refOf(node.resource), node.name, services, options);
    }
  };

  // A link in a document of ours has no node.
  registry.add(commandIds.open, (node: TreeNode | ResourceRef) => ('kind' in node ? openNode(node) : openUsed(node)));

  registry.add(commandIds.openToSide, (node: TreeNode) => openNode(node, { viewColumn: vscode.ViewColumn.Beside }));

  registry.add(commandIds.openByUri, async (link?: unknown) => {
    const linked = typeof link === 'string' ? resourceOfEditorLink(link, services) : undefined;
    const ref = linked ?? (await askResource(services));
    if (ref) {
      await openUsed(ref, { preview: false });
    }
  });

  // From the title of VS Code's own document of a resource.
  registry.add(commandIds.openInstead, async (theirs: vscode.Uri) => {
    const ref = resourceOfEditorLink(theirs.toString(), services);
    if (!ref) {
      throw new HumanError(vscode.l10n.t('The server of this document is not among those in the view MCP Resources.'));
    }
    await openUsed(ref, { preview: false });
  });

  registry.add(commandIds.refresh, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    for (const each of chosenNodes(node, selected, view)) {
      if (each.kind === 'server') {
        await services.catalog.of(services.pool.require(each.connection.id))?.reload();
      } else if (each.kind === 'resource') {
        await refreshResource(refOf(each), services);
      }
    }
  });

  registry.add(commandIds.listAgain, async (node: TreeNode) => {
    if (node.kind === 'resource') {
      await services.catalog.of(services.pool.require(node.server.connection.id))?.reload();
    }
  });

  registry.add(commandIds.refreshActive, async () => {
    await refreshResource(activeTarget(documents).ref, services);
  });

  registry.add(commandIds.refreshAll, async () => {
    const connected = services.pool.all.filter(({ state }) => state.kind === 'connected');
    await Promise.all(connected.map(async (connection) => services.catalog.of(connection)?.reload()));
  });

  registry.add(commandIds.saveAs, async (node?: TreeNode | vscode.Uri, selected?: readonly TreeNode[]) => {
    const targets =
      node === undefined || node instanceof vscode.Uri
        ? [activeTarget(documents, node)]
        : await targetsOf(chosenNodes(node, selected, view), services);
    await saveResources(targets, services);
  });

  registry.add(commandIds.showChanges, async (node?: TreeNode) => {
    const ref = node?.kind === 'resource' ? refOf(node) : activeTarget(documents).ref;
    await showChanges(ref, services);
  });

  registry.add(commandIds.copyUri, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    await copy(chosenNodes(node, selected, view).flatMap(uriTextsOf));
  });

  registry.add(commandIds.copyLink, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    const resources = chosenNodes(node, selected, view).filter((each) => each.kind === 'resource');
    await copy(resources.map((each) => markdownLinkTo(refOf(each), labelOf(each.entry))));
  });

  registry.add(commandIds.revealActive, async () => {
    await view.revealResource(activeTarget(documents).ref);
  });
}

async function refreshResource(ref: ResourceRef, services: ResourceServices): Promise<void> {
  try {
    await withProgress(readingOf(ref, services), (signal, onProgress) =>
      services.content.read(ref, { purpose: 'refresh', initiative: 'person', onProgress, signal }),
    );
  } catch (error) {
    throw readFailure(ref, error, () => refreshResource(ref, services));
  }
}

/** A diff between what was seen last, which stays as it is, and what the server says now. */
async function showChanges(
  ref: ResourceRef,
  { changes, content, documents, lastSeen }: ResourceServices,
): Promise<void> {
  const wasKnown = changes.isKnown(ref);
  const now = await content.read(ref, { purpose: 'open', initiative: 'person' });
  const before = changes.before(ref);
  if (!before || before === now.content) {
    const uri = inertLine(ref.uri);
    const words = !wasKnown
      ? vscode.l10n.t('There is nothing to compare {0} with yet: no earlier version of it is known.', uri)
      : before
        ? vscode.l10n.t('{0} has not changed since it was last read.', uri)
        : vscode.l10n.t('{0} has not changed since it was first read in this window.', uri);
    throw new ActionableError(words, { mild: true });
  }
  const uri = now.content.shape === 'directory' ? documents.childUriOf(ref, allPartsName) : documents.uriOf(ref);
  await vscode.commands.executeCommand(
    'vscode.diff',
    lastSeen.keep(ref, before, uri),
    uri,
    vscode.l10n.t('{0}: last seen ↔ now', posix.basename(uri.path)),
  );
}

async function copy(texts: readonly string[]): Promise<void> {
  if (texts.length > 0) {
    await copyText(texts.join('\n'));
  }
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
