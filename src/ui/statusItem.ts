import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import { viewIds } from '../ids';
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
    this.item.command = `${viewIds.servers}.focus`;
    this.subscriptions = [
      this.item,
      pool.onDidChangeState(update),
      pool.onDidSettleSubscription(update),
      content.onDidChangeFailure(update),
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
      this.item.hide();
      return;
    }
    const connection = this.watched.pool.get(ref.serverId);
    const failure =
      this.watched.content.failureOf(ref) ?? (connection?.state.kind === 'failed' ? connection.state.error : undefined);
    const server = inertLine(ref.serverId, 40);
    if (failure || !connection) {
      const reason = failure ? messageOf(failure) : vscode.l10n.t('the server is not configured');
      this.show('warning', server, vscode.l10n.t('Not up to date: {0}', inertLine(reason, 300)), true);
      return;
    }
    const live = connection.subscriptions.liveness(ref.uri);
    if (live === 'live') {
      this.show('broadcast', server, vscode.l10n.t('Live: the server tells when this resource changes.'), false);
    } else {
      this.show('circle-outline', server, vscode.l10n.t('Not live: refresh to see what the server says now.'), false);
    }
  }

  private show(icon: string, server: string, tooltip: string, warning: boolean): void {
    this.item.text = `$(${icon}) ${server}`;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `MCP ${server}: ${tooltip}` };
    this.item.backgroundColor = warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
  }
}
