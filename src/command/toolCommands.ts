import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { FoundTool } from '../config/foundTools';
import type { ServerDefinitions } from '../config/serverDefinitions';
import type { ToolChoice } from '../config/toolChoice';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import { inertLine } from '../ui/plainText';
import type { CommandRegistry } from './commandRegistry';

/** Whether servers that are configured for other tools are used here. */
export function addToolCommands(registry: CommandRegistry, definitions: ServerDefinitions, tools: ToolChoice): void {
  registry.add(commandIds.useTools, async (node?: TreeNode) => {
    await definitions.refresh();
    const { found } = definitions;
    if (found.length === 0) {
      throw new HumanError(
        vscode.l10n.t('No servers were found in the configuration of Cursor, Windsurf or Claude Desktop.'),
      );
    }
    // What was clicked is chosen already: the answer takes one key.
    const clicked = node?.kind === 'offer' ? node.tool.place.id : undefined;
    const items = found.map((tool) => ({
      label: tool.place.label,
      description: inertLine(tool.servers.join(', ')),
      detail: tool.file,
      picked: tool.used ?? (clicked === undefined || clicked === tool.place.id),
      tool,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: vscode.l10n.t('Use Servers of Other Tools'),
      placeHolder: vscode.l10n.t('Servers of what you choose are shown here. Take it back in the same way.'),
    });
    if (chosen) {
      await tools.set(answers(found, (tool) => chosen.some((item) => item.tool === tool)));
    }
  });

  registry.add(commandIds.dismissTool, async (node?: TreeNode) => {
    if (node?.kind === 'offer') {
      await tools.set({ [node.tool.place.id]: false });
    }
  });
}

function answers(found: readonly FoundTool[], used: (tool: FoundTool) => boolean): Record<string, boolean> {
  return Object.fromEntries(found.map((tool) => [tool.place.id, used(tool)]));
}
