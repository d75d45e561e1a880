import * as vscode from 'vscode';
import type { Catalog } from '../catalog/catalog';
import { serverDiagnostics } from '../catalog/diagnostics';
import { type HealthFacts, healthOf, isReason } from '../catalog/health';
import type { ToolGrants } from '../chat/toolGrants';
import type { ConnectionPool } from '../connection/connectionPool';
import type { ServerConnection } from '../connection/serverConnection';
import { commandIds } from '../ids';
import type { ListingChoice } from '../tree/listingChoice';
import type { ServerNode, TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';
import { inertLine } from '../ui/plainText';
import { pollIntervalMs } from '../ui/settings';
import { chooseServer } from './chooseServer';
import type { CommandRegistry } from './commandRegistry';
import { actionTitle, findingWords } from './healthWords';

interface DiagnoseServices {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly choice: ListingChoice;
  readonly view: ServersView;
  readonly grants: ToolGrants;
  /** Why nothing may start now. */
  readonly refusal: () => string | undefined;
  /** The extension's. */
  readonly version: string;
}

/** Why a server shows nothing or does not update, and a report for those who can help. */
export function addDiagnoseCommands(registry: CommandRegistry, services: DiagnoseServices): void {
  registry.add(commandIds.diagnose, async (node?: TreeNode) => {
    const connection = await chooseServer(services.pool, node, () => true);
    if (connection) {
      await showHealth(connection, services);
    }
  });
  registry.add(commandIds.copyDiagnostics, async () => {
    await vscode.env.clipboard.writeText(diagnostics(services));
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The diagnostics are on the clipboard, without secrets. Errors in them may name folders and addresses.',
      ),
    );
  });
}

async function showHealth(connection: ServerConnection, services: DiagnoseServices): Promise<void> {
  const facts = await factsOf(connection, services);
  if (!facts) {
    return;
  }
  const findings = healthOf(facts);
  const items = findings.map((finding) => {
    const icon = isReason(finding) ? '$(warning)' : '$(info)';
    const { label, detail, command } = findingWords(finding);
    const description = command === undefined ? undefined : `→ ${actionTitle(command)}`;
    return { label: `${icon} ${label}`, description, detail, command };
  });
  const { wanted, live } = facts.subscriptions;
  const fine = {
    label: `$(pass) ${vscode.l10n.t('Nothing wrong was found.')}`,
    detail: [
      vscode.l10n.t('Resources listed: {0}.', facts.shown),
      wanted > 0 ? vscode.l10n.t('Open: {0}, of which live: {1}.', wanted, live) : vscode.l10n.t('None is open.'),
    ].join(' '),
    description: undefined,
    command: undefined,
  };
  const picked = await vscode.window.showQuickPick(findings.some(isReason) ? items : [fine, ...items], {
    title: vscode.l10n.t('Why is “{0}” empty or not updating?', inertLine(connection.id)),
    placeHolder: vscode.l10n.t('A line with an arrow does what it names'),
    matchOnDetail: true,
  });
  if (picked?.command !== undefined) {
    const node: ServerNode = { kind: 'server', connection };
    await vscode.commands.executeCommand(picked.command, node);
  }
}

async function factsOf(
  connection: ServerConnection,
  { catalog, choice, view, refusal }: DiagnoseServices,
): Promise<HealthFacts | undefined> {
  const lists = catalog.of(connection);
  if (!lists) {
    return undefined;
  }
  const { definition, state, signInNeeded, subscriptions, push, recent } = connection;
  return {
    refusal: refusal(),
    state,
    signInNeeded,
    launch: definition.launch?.type,
    source: definition.source.kind,
    hidden: choice.isHidden(connection.id),
    resources: lists.resources,
    templates: lists.templates,
    shown: (await view.countOf(lists)).shown,
    subscriptions: subscriptions.facts,
    push,
    polled: pollIntervalMs(connection.id) !== undefined,
    lines: recent.lines,
  };
}

function diagnostics({ pool, catalog, grants, version }: DiagnoseServices): string {
  const { remoteName, appName } = vscode.env;
  const head = [
    `MCP Resources ${version}, ${appName} ${vscode.version}, Node ${process.versions.node}`,
    `${process.platform}-${process.arch}, remote: ${remoteName ?? 'no'}, trusted: ${vscode.workspace.isTrusted}`,
    `tools of the chat: ${grants.summary}`,
  ].join('\n');
  const servers = pool.all.map((connection) => serverDiagnostics(connection, catalog.of(connection)));
  return [head, ...servers].join('\n\n') + '\n';
}
