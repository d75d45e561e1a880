import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import type { Changes } from '../content/changes';
import { type OpenDocuments, urisOfTab } from './openDocuments';
import type { ResourceDocuments } from './resourceDocuments';

/** Marks what has changed on its node and its tab, until a person sees it. */
export class ChangeMarks implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<vscode.Uri[]>();
  private readonly subscriptions: vscode.Disposable[];

  readonly onDidChangeFileDecorations = this.changeEmitter.event;

  constructor(
    private readonly documents: ResourceDocuments,
    private readonly changes: Changes,
    open: OpenDocuments,
  ) {
    const look = (): void => this.seeVisible();
    this.subscriptions = [
      this.changeEmitter,
      vscode.Disposable.from(
        changes.onDidChange((ref) => this.changeEmitter.fire([documents.uriOf(ref), ...open.namesOf(ref)])),
      ),
      vscode.window.registerFileDecorationProvider(this),
      vscode.window.tabGroups.onDidChangeTabs(look),
      vscode.window.tabGroups.onDidChangeTabGroups(look),
      vscode.window.onDidChangeVisibleTextEditors(look),
    ];
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const ref = this.documents.resourceOf(uri);
    if (!ref || !this.changes.isMarked(ref)) {
      return undefined;
    }
    const color = new vscode.ThemeColor('gitDecoration.modifiedResourceForeground');
    return new vscode.FileDecoration('●', vscode.l10n.t('Changed since you last saw it'), color);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private seeVisible(): void {
    for (const ref of visibleResources(this.documents)) {
      this.changes.see(ref);
    }
  }
}

/** The resources in view: the active tab of each group, of whatever kind of editor. */
export function visibleResources(documents: ResourceDocuments): readonly ResourceRef[] {
  return vscode.window.tabGroups.all
    .flatMap(({ activeTab }) => (activeTab ? urisOfTab(activeTab) : []))
    .flatMap((uri) => documents.resourceOf(uri) ?? []);
}
