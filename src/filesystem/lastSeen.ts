import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../base/log';
import { messageOf } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import { contentHash } from '../content/contentHash';
import { KeptVersions } from '../content/keptVersions';
import type { ContentDocument, ResourceContent } from '../content/resourceContent';
import type { ResourceDocuments } from './resourceDocuments';

/** The end of the name tells versions apart: it comes of what they say. */
const NAME = /^Last Seen [\w-]{8}(\.[^.]*)?$/;

/**
 * Documents of what resources said when a person saw them last: the left sides of "Show Changes". Each stays as it is. None
 * outlives the window: the tab of one that a reload has left empty is closed.
 */
export class LastSeen implements vscode.Disposable {
  private readonly versions = new KeptVersions();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly documents: ResourceDocuments,
    private readonly log: Log,
  ) {
    this.subscription = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => this.closeEmpty(opened));
    this.closeEmpty(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
  }

  /** The document of an earlier version of a resource, whose name has the extension of what it is compared with. */
  keep(ref: ResourceRef, version: ResourceContent, comparedWith: vscode.Uri): vscode.Uri {
    const name = `Last Seen ${contentHash(version).slice(0, 8)}${posix.extname(comparedWith.path)}`;
    const uri = this.documents.childUriOf(ref, name);
    this.versions.keep(uri.path, version);
    return uri;
  }

  /** Whether a document is one of these. */
  has(uri: vscode.Uri): boolean {
    return this.versions.get(uri.path) !== undefined;
  }

  /** What such a document shows; `undefined` for any other. */
  documentOf(uri: vscode.Uri): { readonly document: ContentDocument; readonly revision: number } | undefined {
    const version = this.versions.get(uri.path);
    if (version === 'dropped') {
      const words = vscode.l10n.t(
        'What you saw last is not kept any more: newer comparisons took its room. Close this tab and choose Show Changes again.',
      );
      return { document: { bytes: Buffer.from(`${words}\n`), mimeType: 'text/plain', isText: true }, revision: 2 };
    }
    return version && { document: version, revision: 1 };
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private closeEmpty(tabs: readonly vscode.Tab[]): void {
    const empty = tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && this.isEmpty(input.original));
    if (empty.length > 0) {
      vscode.window.tabGroups.close(empty, true).then(undefined, (error: unknown) => {
        this.log.warn(`Comparisons with what was seen last are left open: ${messageOf(error)}`);
      });
    }
  }

  private isEmpty(uri: vscode.Uri): boolean {
    return NAME.test(this.documents.targetOf(uri)?.child ?? '') && !this.has(uri);
  }
}
