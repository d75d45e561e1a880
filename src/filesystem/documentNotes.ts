import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import { withoutStop } from '../base/sentence';
import { RequestError } from '../connection/requestFailure';
import type { ContentStore } from '../content/contentStore';
import { formattedName } from '../content/derivedDocuments';
import { commandIds } from '../ids';
import { inertLine } from '../ui/plainText';
import type { ResourceDocuments } from './resourceDocuments';

/** Says above a document what its text cannot say: that it is empty, out of date, gone, or has a formatted form. */
export class DocumentNotes implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];

  readonly onDidChangeCodeLenses = this.changeEmitter.event;

  constructor(
    private readonly documents: ResourceDocuments,
    private readonly content: ContentStore,
  ) {
    const changed = (): void => {
      this.changeEmitter.fire();
    };
    this.subscriptions = [this.changeEmitter, content.onDidRead(changed), content.onDidChangeFailure(changed)];
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const target = this.documents.targetOf(uri);
    if (!target) {
      return [];
    }
    const notes: vscode.Command[] = [];
    const failure = this.content.failureOf(target.ref);
    const content = this.content.peek(target.ref)?.content;
    if (failure instanceof RequestError && failure.kind === 'notFound') {
      const title = vscode.l10n.t('$(warning) The server no longer has this resource. Try Again');
      notes.push({ title, command: commandIds.refreshActive });
    } else if (failure) {
      const reason = withoutStop(inertLine(messageOf(failure), 200));
      const title = vscode.l10n.t('$(warning) Not up to date: {0}. Refresh', reason);
      notes.push({ title, command: commandIds.refreshActive });
    }
    if (!failure && this.content.isUnlisted(target.ref)) {
      notes.push({ title: vscode.l10n.t('$(info) The server no longer lists this resource.'), command: '' });
    }
    if (content?.parts.length === 0 && !failure) {
      notes.push({ title: vscode.l10n.t('$(info) The server returned nothing for this resource.'), command: '' });
    }
    if (target.child === undefined && content?.children.has(formattedName)) {
      const formatted = this.documents.childUriOf(target.ref, formattedName);
      const title = vscode.l10n.t('$(json) Show Formatted');
      notes.push({ title, command: 'vscode.open', arguments: [formatted, { viewColumn: vscode.ViewColumn.Beside }] });
    }
    const top = new vscode.Range(0, 0, 0, 0);
    return notes.map((note) => new vscode.CodeLens(top, note));
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}
