import * as vscode from 'vscode';
import { filledLabel } from '../catalog/filledLabel';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import { inertLine } from '../ui/plainText';
import type { CommandRegistry } from './commandRegistry';
import { chooseTemplate, editInstance, openTemplate, type TemplateServices } from './openTemplate';

/** Filling in templates, and what becomes of those that were filled in. */
export function addTemplateCommands(registry: CommandRegistry, services: TemplateServices): void {
  const { instances } = services;

  registry.add(commandIds.openTemplate, async (node?: TreeNode) => {
    const ref =
      node?.kind === 'template'
        ? { serverId: node.group.server.connection.id, uriTemplate: node.entry.uriTemplate }
        : await chooseTemplate(services);
    if (ref) {
      await openTemplate(ref, services);
    }
  });

  registry.add(commandIds.editValues, async (node: TreeNode) => {
    const [instance] = instancesOf([node]);
    if (instance) {
      await editInstance(instance, services);
    }
  });

  registry.add(commandIds.renameFilled, async (node: TreeNode) => {
    const [instance] = instancesOf([node]);
    const name =
      instance &&
      (await vscode.window.showInputBox({
        title: vscode.l10n.t('Name for {0}', inertLine(instance.uri, 80)),
        prompt: vscode.l10n.t('Leave it empty to be named by the values.'),
        value: instance.name ?? filledLabel(instance),
      }));
    if (instance && name !== undefined) {
      await instances.rename(instance, name.trim() === '' ? undefined : name.trim());
    }
  });

  registry.add(commandIds.removeFilled, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    for (const instance of instancesOf(selected?.length ? selected : [node])) {
      await instances.remove(instance);
    }
  });
}

function instancesOf(nodes: readonly TreeNode[]) {
  return nodes.flatMap((node) => (node.kind === 'resource' && node.filled ? [node.filled.instance] : []));
}
