import * as vscode from 'vscode';
import { Coalescer } from '../base/coalescer';
import type { Event } from '../base/events';
import { filledLabel } from '../catalog/filledLabel';
import type { Catalog } from '../catalog/catalog';
import type { TemplateInstances } from '../catalog/templateInstances';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { ResourceEntry } from '../connection/wire';
import type { PinnedResource } from '../content/pinnedResource';
import { contextKeys, viewIds } from '../ids';
import { tokenWords } from '../ui/tokenWords';
import type { ResourceNode } from './nodes';
import { pinItem } from './pinItem';
import { documentOfNode, ResourceDrag } from './resourceDrag';

/** How often the view follows what happens to the pins. Milliseconds. */
const FOLLOW_MS = 100;

/** What the view needs of the pins. */
export interface ShownPins {
  readonly all: readonly PinnedResource[];
  readonly onDidChange: Event<unknown>;
}

/** A pin whose server is configured is a resource like those of the other tree, so that the same commands take it. */
export type PinNode = ResourceNode | LostPinNode;

/** A pin whose server is not configured: all there is to do is to unpin it. */
export interface LostPinNode {
  readonly kind: 'lostPin';
  readonly ref: ResourceRef;
}

interface PinsTreeParts {
  readonly pins: ShownPins;
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly instances: TemplateInstances;
  documentOf(this: void, ref: ResourceRef): vscode.Uri;
  onError(this: void, error: unknown): void;
}

/** The view "Pinned": it is there only when something is pinned. */
export class PinsTree implements vscode.TreeDataProvider<PinNode>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<undefined>();
  private readonly view: vscode.TreeView<PinNode>;
  private readonly following: Coalescer;
  private readonly subscriptions: vscode.Disposable;
  /** One node object per pin, so that a refresh finds the node that the view knows. */
  private nodes = new Map<string, { readonly node: PinNode; readonly pin: PinnedResource }>();

  readonly onDidChangeTreeData = this.changeEmitter.event;

  constructor(private readonly parts: PinsTreeParts) {
    const { pins, catalog, instances, onError } = parts;
    this.view = vscode.window.createTreeView(viewIds.pins, {
      treeDataProvider: this,
      canSelectMany: true,
      // Lost pins have no document that could be dragged.
      dragAndDropController: new ResourceDrag<PinNode>((node) =>
        node.kind === 'resource' ? documentOfNode(node, parts.documentOf) : undefined,
      ),
    });
    this.following = new Coalescer(() => this.follow(), { delay: FOLLOW_MS, maxWait: FOLLOW_MS * 3, onError });
    const follow = (): void => this.following.trigger();
    this.subscriptions = vscode.Disposable.from(
      this.view,
      this.following,
      this.changeEmitter,
      pins.onDidChange(follow),
      // Names of resources and of what was made from templates.
      catalog.onDidChange(() => this.nodes.size > 0 && follow()),
      instances.onDidChange(follow),
    );
    follow();
  }

  getTreeItem(node: PinNode): vscode.TreeItem {
    const { pin } = this.nodes.get(keyOf(refOfPin(node)))!;
    const entry = node.kind === 'resource' ? node.entry : { uri: pin.ref.uri, name: pin.label };
    return pinItem({ node, pin, entry, document: this.parts.documentOf(pin.ref) });
  }

  getChildren(node?: PinNode): PinNode[] {
    return node ? [] : [...this.nodes.values()].map((each) => each.node);
  }

  /** The pinned resources whose servers are configured, in order. */
  async resources(): Promise<readonly ResourceNode[]> {
    await this.following.flush();
    return [...this.nodes.values()].flatMap(({ node }) => (node.kind === 'resource' ? [node] : []));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async follow(): Promise<void> {
    const pins = this.parts.pins.all;
    this.nodes = new Map(pins.map((pin) => [keyOf(pin.ref), { node: this.nodeOf(pin), pin }]));
    this.view.description = totalWords(pins);
    this.changeEmitter.fire(undefined);
    await vscode.commands.executeCommand('setContext', contextKeys.pinned, pins.length > 0);
  }

  private nodeOf(pin: PinnedResource): PinNode {
    const { pool } = this.parts;
    const connection = pool.get(pin.ref.serverId);
    if (!connection) {
      return { kind: 'lostPin', ref: pin.ref };
    }
    const server = { kind: 'server', connection } as const;
    return { kind: 'resource', server, parent: server, entry: this.entryOf(pin), ambiguous: false };
  }

  private entryOf({ ref, label }: PinnedResource): ResourceEntry {
    const { catalog, instances } = this.parts;
    const listed = catalog.entryOf(ref);
    const filled = instances.find(ref);
    return listed ?? { uri: ref.uri, name: (filled && filledLabel(filled)) ?? label };
  }
}

/** The resource of a row. */
export function refOfPin(node: PinNode): ResourceRef {
  return node.kind === 'lostPin' ? node.ref : { serverId: node.server.connection.id, uri: node.entry.uri };
}

/** How much a chat would get, and how much of it is news. */
function totalWords(pins: readonly PinnedResource[]): string {
  const known = pins.filter(({ tokens }) => tokens !== undefined);
  const total = known.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
  const changed = pins.filter((pin) => pin.changed).length;
  const words = [
    known.length > 0 ? tokenWords(total) : undefined,
    changed > 0 ? vscode.l10n.t('{0} changed', changed) : undefined,
  ];
  return words.filter(Boolean).join(' · ');
}
