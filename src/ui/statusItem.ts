import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import { PersonNeeded } from '../connection/personNeeded';
import type { ContentStore } from '../content/contentStore';
import { commandIds, viewIds } from '../ids';
import { inertLine } from './plainText';

interface Watched {
  readonly pool: ConnectionPool;
  readonly content: ContentStore;
  /** The resource of the active tab, whatever editor shows it, also one that failed to open. */
  activeResource(): ResourceRef | undefined;
}

/** Says in the status bar whether the active document is live, and why not: an editor cannot say it. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('mcpResources.status', vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly watched: Watched) {
    const update = (): void => this.update();
    const { pool, content } = watched;
    this.item.name = 'MCP Resources';
    this.subscriptions = [
      this.item,
      pool.onDidChangeServers(update),
      pool.onDidChangeState(update),
      pool.onDidSettleSubscription(update),
      content.onDidChangeFailure(update),
      content.onDidRead(update),
      vscode.window.tabGroups.onDidChangeTabs(update),
      vscode.window.tabGroups.onDidChangeTabGroups(update),
    ];
    update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private update(): void {
    const ref = this.watched.activeResource();
    if (!ref) {
      this.summarize();
      return;
    }
    const connection = this.watched.pool.get(ref.serverId);
    const server = inertLine(ref.serverId, 40);
    if (!connection) {
      this.warn(server, vscode.l10n.t('the server is not configured'));
      return;
    }
    const { state } = connection;
    const readAt = this.watched.content.peek(ref)?.readAt;
    const last = readAt === undefined ? '' : vscode.l10n.t('Last read at {0}.', new Date(readAt).toLocaleTimeString());
    if (state.kind === 'stopped') {
      const words = vscode.l10n.t('Not live: the server is stopped. Click to start it.');
      // As a node of the tree names it.
      const start = { title: '', command: commandIds.start, arguments: [{ kind: 'server', connection }] };
      this.show('debug-stop', vscode.l10n.t('{0}: stopped', server), `${words} ${last}`, { command: start });
      return;
    }
    const failure = this.watched.content.failureOf(ref) ?? (state.kind === 'failed' ? state.error : undefined);
    if (failure) {
      this.warn(server, inertLine(messageOf(failure), 300));
    } else if (state.kind === 'connecting') {
      this.show('loading~spin', server, vscode.l10n.t('Connecting …'));
    } else if (connection.subscriptions.liveness(ref.uri) === 'live') {
      const words = vscode.l10n.t('Live: the server tells when this resource changes.');
      this.show('broadcast', server, `${words} ${last}`);
    } else {
      const words = vscode.l10n.t('Not live: refresh to see what the server says now.');
      this.show('circle-outline', vscode.l10n.t('{0}: not live', server), `${words} ${last}`);
    }
  }

  /** Where no document of ours is in front: how many servers are connected, and whether something fails. */
  private summarize(): void {
    const { pool, content } = this.watched;
    const count = (kind: string): number => pool.all.filter(({ state }) => state.kind === kind).length;
    const waiting = pool.all.filter(
      ({ state }) => state.kind === 'failed' && state.error instanceof PersonNeeded,
    ).length;
    const [connected, failed] = [count('connected'), count('failed') - waiting];
    if (connected + failed + waiting === 0) {
      this.item.hide();
      return;
    }
    const facts = [
      vscode.l10n.t('Servers connected: {0}', connected),
      failed > 0 && vscode.l10n.t('failed: {0}', failed),
      waiting > 0 && vscode.l10n.t('waiting for you: {0}', waiting),
      vscode.l10n.t('documents open: {0}', content.heldCount),
    ].filter(Boolean);
    const [icon, text] =
      failed > 0
        ? ['warning', vscode.l10n.t('MCP: {0} failed', failed)]
        : waiting > 0
          ? ['warning', vscode.l10n.t('MCP: {0} waiting', waiting)]
          : ['plug', `MCP ${connected}`];
    this.show(icon, text, facts.join(', '));
  }

  private warn(server: string, reason: string): void {
    this.show('warning', server, vscode.l10n.t('Not up to date: {0}', reason), { warning: true });
  }

  /** A click goes to the view, or does what `command` says. */
  private show(
    icon: string,
    server: string,
    tooltip: string,
    { command, warning }: { readonly command?: vscode.Command; readonly warning?: boolean } = {},
  ): void {
    this.item.text = `$(${icon}) ${server}`;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `MCP ${server}: ${tooltip}` };
    this.item.command = command ?? `${viewIds.servers}.focus`;
    this.item.backgroundColor = warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
  }
}
