import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import { referenceText } from '../chat/referenceText';
import { hasReader } from '../chat/registerTools';
import type { ToolGrants } from '../chat/toolGrants';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';
import type { CommandRegistry } from './commandRegistry';
import { copyText } from './copyText';
import { chosenNodes, refOf } from './nodeTargets';

interface AgentServices {
  readonly view: ServersView;
  readonly grants: ToolGrants;
}

/** References that the chat's tools resolve, and what these tools were allowed. */
export function addAgentCommands(registry: CommandRegistry, { view, grants }: AgentServices): void {
  registry.add(commandIds.copyReference, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    if (!hasReader()) {
      throw new HumanError(vscode.l10n.t('This editor has no chat that could read a reference.'));
    }
    const resources = chosenNodes(node, selected, view).filter((each) => each.kind === 'resource');
    await copyText(resources.map((each) => referenceText(refOf(each))).join('\n'));
  });

  registry.add(commandIds.forgetToolGrants, async () => {
    await grants.forget();
    void vscode.window.showInformationMessage(vscode.l10n.t('The chat asks again before it reads a resource.'));
  });
}
