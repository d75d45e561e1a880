import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import type { DocumentTarget, ResourceDocuments } from '../filesystem/resourceDocuments';

/** The document of the active tab, of whatever kind of editor (an image has no text editor). */
export function activeDocument(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return input.uri;
  }
  return vscode.window.activeTextEditor?.document.uri;
}

/** The resource that the active tab shows. */
export function activeResource(documents: ResourceDocuments): ResourceRef | undefined {
  const uri = activeDocument();
  return uri && documents.resourceOf(uri);
}

/** What a document shows, or the active tab; throws a HumanError where that is no resource. */
export function activeTarget(documents: ResourceDocuments, document: unknown = activeDocument()): DocumentTarget {
  const target = document instanceof vscode.Uri ? documents.targetOf(document) : undefined;
  if (!target) {
    throw new HumanError(vscode.l10n.t('Open a resource first: the active editor shows none.'));
  }
  return target;
}
