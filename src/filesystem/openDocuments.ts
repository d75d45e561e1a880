import * as vscode from 'vscode';
import { keyOf, type ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import type { ResourceDocuments } from './resourceDocuments';

interface OpenResource {
  readonly ref: ResourceRef;
  /** Document URIs (as strings) by how many text documents, tabs and watchers show them. */
  readonly names: Map<string, { readonly uri: vscode.Uri; count: number }>;
  readonly hold: vscode.Disposable;
}

/**
 * Which resources the editor shows: text documents, tabs (images have no text document) and watchers. Each resource
 * that is shown is held in the content store once, under however many names.
 */
export class OpenDocuments implements vscode.Disposable {
  private readonly resources = new Map<string, OpenResource>();
  private readonly subscriptions: vscode.Disposable[] = [];
  private tabs = new Map<string, vscode.Disposable>();
  private readonly texts = new Map<string, vscode.Disposable>();
  private readonly changeEmitter = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly documents: ResourceDocuments,
    private readonly content: ContentStore,
  ) {
    this.subscriptions.push(
      this.changeEmitter,
      vscode.workspace.onDidOpenTextDocument((document) => this.addText(document.uri)),
      vscode.workspace.onDidCloseTextDocument((document) => this.removeText(document.uri)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.followTabs()),
    );
    for (const document of vscode.workspace.textDocuments) {
      this.addText(document.uri);
    }
    this.followTabs();
  }

  get refs(): readonly ResourceRef[] {
    return [...this.resources.values()].map(({ ref }) => ref);
  }

  has(ref: ResourceRef): boolean {
    return this.resources.has(keyOf(ref));
  }

  /** The document URIs under which a resource is shown now. */
  namesOf(ref: ResourceRef): readonly vscode.Uri[] {
    return [...(this.resources.get(keyOf(ref))?.names.values() ?? [])].map(({ uri }) => uri);
  }

  /** Those of them that are text documents. */
  textNamesOf(ref: ResourceRef): readonly vscode.Uri[] {
    return this.namesOf(ref).filter((uri) => this.texts.has(uri.toString()));
  }

  watch(uri: vscode.Uri, ref: ResourceRef): vscode.Disposable {
    return this.show(uri, ref);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
    for (const shown of [...this.texts.values(), ...this.tabs.values()]) {
      shown.dispose();
    }
    for (const { hold } of this.resources.values()) {
      hold.dispose();
    }
    this.resources.clear();
  }

  private addText(uri: vscode.Uri): void {
    const ref = this.documents.resourceOf(uri);
    if (ref && !this.texts.has(uri.toString())) {
      this.texts.set(uri.toString(), this.show(uri, ref));
    }
  }

  private removeText(uri: vscode.Uri): void {
    this.texts.get(uri.toString())?.dispose();
    this.texts.delete(uri.toString());
  }

  private followTabs(): void {
    const previous = this.tabs;
    const next = new Map<string, vscode.Disposable>();
    for (const group of vscode.window.tabGroups.all) {
      for (const uri of group.tabs.flatMap(urisOfTab)) {
        const key = uri.toString();
        const ref = this.documents.resourceOf(uri);
        if (ref && !next.has(key)) {
          next.set(key, previous.get(key) ?? this.show(uri, ref));
        }
      }
    }
    this.tabs = next;
    for (const [key, shown] of previous) {
      if (!next.has(key)) {
        shown.dispose();
      }
    }
  }

  private show(uri: vscode.Uri, ref: ResourceRef): vscode.Disposable {
    const key = keyOf(ref);
    const resource: OpenResource = this.resources.get(key) ?? { ref, names: new Map(), hold: this.content.hold(ref) };
    this.resources.set(key, resource);
    const name = resource.names.get(uri.toString()) ?? { uri, count: 0 };
    name.count += 1;
    resource.names.set(uri.toString(), name);
    if (name.count === 1) {
      this.changeEmitter.fire();
    }
    let shown = true;
    return new vscode.Disposable(() => {
      if (!shown) {
        return;
      }
      shown = false;
      name.count -= 1;
      if (name.count === 0) {
        resource.names.delete(uri.toString());
      }
      if (resource.names.size === 0) {
        this.resources.delete(key);
        resource.hold.dispose();
      }
      if (name.count === 0) {
        this.changeEmitter.fire();
      }
    });
  }
}

/** The documents of a tab: text, image and other custom editors, both sides of a diff. */
export function urisOfTab(tab: vscode.Tab): readonly vscode.Uri[] {
  const { input } = tab;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return [input.uri];
  }
  if (input instanceof vscode.TabInputTextDiff) {
    return [input.original, input.modified];
  }
  return [];
}
