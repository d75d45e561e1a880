import * as vscode from 'vscode';
import { keyOf, type ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import type { ResourceDocuments } from './resourceDocuments';

/**
 * Brings back tabs that failed to open, once their resource can be read: of a server that waited for a yes, a sign-in or
 * an input, or that was down. VS Code never tries by itself again.
 */
export class FailedTabs implements vscode.Disposable {
  private readonly subscription: { dispose(): void };

  constructor(
    private readonly documents: ResourceDocuments,
    content: ContentStore,
    private readonly onError: (error: unknown) => void,
  ) {
    this.subscription = content.onDidChangeFailure(({ ref, error }) => {
      if (error === undefined) {
        this.reopen(ref).catch(this.onError);
      }
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Those in front alone: the others are opened when they come to the front. */
  private async reopen(ref: ResourceRef): Promise<void> {
    for (const { activeTab, viewColumn } of vscode.window.tabGroups.all) {
      const uri = activeTab?.input instanceof vscode.TabInputText ? activeTab.input.uri : undefined;
      const shown = uri && this.documents.resourceOf(uri);
      if (uri && shown && keyOf(shown) === keyOf(ref) && !isText(uri)) {
        await vscode.commands.executeCommand('vscode.open', uri, {
          viewColumn,
          preserveFocus: true,
          preview: activeTab?.isPreview,
        } satisfies vscode.TextDocumentShowOptions);
      }
    }
  }
}

/** A tab that failed to open has no text document. */
function isText(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}
