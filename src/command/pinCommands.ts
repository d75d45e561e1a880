import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { Catalog } from '../catalog/catalog';
import { labelOf } from '../catalog/labelOf';
import type { TemplateInstances } from '../catalog/templateInstances';
import type { Pins } from '../chat/pins';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ResourceDocuments } from '../filesystem/resourceDocuments';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import { type PinNode, PinsTree, refOfPin } from '../tree/pinsTree';
import type { ServersView } from '../tree/serversView';
import { filledLabel } from '../catalog/filledLabel';
import { activeDocument } from './activeDocument';
import { ActionableError, type CommandRegistry } from './commandRegistry';
import { chosenNodes } from './nodeTargets';

interface PinServices {
  readonly pins: Pins;
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly instances: TemplateInstances;
  readonly documents: ResourceDocuments;
  readonly view: ServersView;
  onError(this: void, error: unknown): void;
}

/** Pin, unpin, and attach what is pinned. Returns the view of the pins. */
export function addPinCommands(registry: CommandRegistry, services: PinServices): vscode.Disposable {
  const { pins, pool, catalog, instances, documents, onError } = services;
  const pinned = new PinsTree({
    pins,
    pool,
    catalog,
    instances,
    documentOf: (ref) => documents.uriOf(ref),
    onError,
  });

  registry.add(commandIds.pin, async (node?: TreeNode | vscode.Uri, selected?: readonly TreeNode[]) => {
    for (const ref of chosenRefs(node, selected, services)) {
      await pins.pin(ref, pinLabel(ref, services));
    }
  });

  registry.add(commandIds.unpin, async (node?: TreeNode | PinNode | vscode.Uri, selected?: readonly PinNode[]) => {
    for (const ref of chosenRefs(node, selected, services)) {
      await pins.unpin(ref);
    }
  });

  registry.add(commandIds.attachPinned, async () => {
    const nodes = await pinned.resources();
    if (pins.all.length === 0) {
      throw new ActionableError(vscode.l10n.t('Nothing is pinned.'), { mild: true });
    }
    if (nodes.length === 0) {
      throw new HumanError(vscode.l10n.t('No server of a pinned resource is configured any more.'));
    }
    await vscode.commands.executeCommand(commandIds.attach, nodes[0], nodes);
  });

  return pinned;
}

/** The resources that a command is meant for: those of rows, else that of the active document. */
function chosenRefs(
  node: TreeNode | PinNode | vscode.Uri | undefined,
  selected: readonly (TreeNode | PinNode)[] | undefined,
  { documents, view }: PinServices,
): readonly ResourceRef[] {
  if (node === undefined || node instanceof vscode.Uri) {
    const document = node ?? activeDocument();
    const ref = document && documents.resourceOf(document);
    if (!ref) {
      throw new HumanError(vscode.l10n.t('Open a resource first: the active editor shows none.'));
    }
    return [ref];
  }
  const chosen =
    selected?.length || node.kind === 'lostPin' ? (selected ?? [node]) : chosenNodes(node, undefined, view);
  return chosen.flatMap((each) => (each.kind === 'resource' || each.kind === 'lostPin' ? [refOfPin(each)] : []));
}

function pinLabel(ref: ResourceRef, { catalog, instances }: PinServices): string {
  const filled = instances.find(ref);
  return labelOf(catalog.entryOf(ref) ?? { uri: ref.uri, name: filled && filledLabel(filled) });
}
