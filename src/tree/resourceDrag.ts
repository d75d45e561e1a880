import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import type { TreeNode } from './nodes';

const URI_LIST = 'text/uri-list';

/** Lets resources be dragged to the editor area and to whatever else takes documents; nothing is dropped on the tree. */
export class ResourceDrag implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes = [URI_LIST];
  readonly dropMimeTypes = [];

  constructor(private readonly documentOf: (ref: ResourceRef) => vscode.Uri) {}

  handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): void {
    const uris = nodes.flatMap((node) => this.documentOfNode(node) ?? []);
    if (uris.length > 0) {
      data.set(URI_LIST, new vscode.DataTransferItem(uris.map((uri) => uri.toString()).join('\r\n')));
    }
  }

  private documentOfNode(node: TreeNode): vscode.Uri | undefined {
    const resource = node.kind === 'part' ? node.resource : node;
    if (resource.kind !== 'resource') {
      return undefined;
    }
    const document = this.documentOf({ serverId: resource.server.connection.id, uri: resource.entry.uri });
    return node.kind === 'part' ? vscode.Uri.joinPath(document, node.name) : document;
  }
}
