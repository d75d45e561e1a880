import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import type { TreeNode } from './nodes';

const URI_LIST = 'text/uri-list';

/** Lets what has a document be dragged to the editor area and to whatever else takes documents; nothing is dropped on a view. */
export class ResourceDrag<T> implements vscode.TreeDragAndDropController<T> {
  readonly dragMimeTypes = [URI_LIST];
  readonly dropMimeTypes = [];

  constructor(private readonly documentOf: (node: T) => vscode.Uri | undefined) {}

  handleDrag(nodes: readonly T[], data: vscode.DataTransfer): void {
    const uris = nodes.flatMap((node) => this.documentOf(node) ?? []);
    if (uris.length > 0) {
      data.set(URI_LIST, new vscode.DataTransferItem(uris.map((uri) => uri.toString()).join('\r\n')));
    }
  }
}

/** The document of a resource's node, or of a part's. */
export function documentOfNode(node: TreeNode, documentOf: (ref: ResourceRef) => vscode.Uri): vscode.Uri | undefined {
  const resource = node.kind === 'part' ? node.resource : node;
  if (resource.kind !== 'resource') {
    return undefined;
  }
  const document = documentOf({ serverId: resource.server.connection.id, uri: resource.entry.uri });
  return node.kind === 'part' ? vscode.Uri.joinPath(document, node.name) : document;
}
