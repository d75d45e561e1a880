import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ContentStore } from '../content/contentStore';
import { allPartsName } from '../content/resourceContent';
import { type OpenDocuments, urisOfTab } from './openDocuments';
import type { ResourceDocuments } from './resourceDocuments';
import type { ResourceFileSystem } from './resourceFileSystem';

/**
 * VS Code chooses language and editor by file name alone. When a read shows that a document is of another kind than
 * its name says, the better-named document of the same resource is opened in its place.
 */
export class BetterNames implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private readonly replacing = new Set<vscode.Tab>();

  constructor(
    private readonly documents: ResourceDocuments,
    private readonly content: ContentStore,
    open: OpenDocuments,
    fileSystem: ResourceFileSystem,
    private readonly onError: (error: unknown) => void,
  ) {
    this.subscriptions = [open.onDidChange(() => this.checkTabs()), fileSystem.onDidServe(() => this.checkTabs())];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private checkTabs(): void {
    for (const tab of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
      const [uri, second] = urisOfTab(tab);
      const better = uri && !second && !this.replacing.has(tab) ? this.betterNameOf(uri) : undefined;
      if (better) {
        this.replacing.add(tab);
        this.replace(tab, better)
          .catch(this.onError)
          .finally(() => this.replacing.delete(tab));
      }
    }
  }

  /** The document to show instead of this one, or `undefined` where it is right. */
  private betterNameOf(uri: vscode.Uri): vscode.Uri | undefined {
    const target = this.documents.targetOf(uri);
    const content = target && this.content.peek(target.ref)?.content;
    if (!content || target.child !== undefined) {
      return undefined;
    }
    if (content.shape === 'directory') {
      return this.documents.childUriOf(target.ref, allPartsName);
    }
    const better = this.documents.uriOf(target.ref);
    return posix.extname(better.path) === posix.extname(uri.path) ? undefined : better;
  }

  private async replace(tab: vscode.Tab, better: vscode.Uri): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', better, {
      viewColumn: tab.group.viewColumn,
      preserveFocus: !tab.isActive,
      preview: tab.isPreview,
    } satisfies vscode.TextDocumentShowOptions);
    // A preview tab was replaced by the one that was opened and is gone already.
    const still = tab.group.tabs.find((candidate) => candidate === tab);
    if (still) {
      await vscode.window.tabGroups.close(still, true);
    }
  }
}
