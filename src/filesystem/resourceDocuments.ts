import * as vscode from 'vscode';
import type { Catalog } from '../catalog/catalog';
import type { ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import { decodeDocumentUri, encodeDocumentUri } from '../content/documentUri';
import { documentFileName } from '../content/fileName';

/** Which document stands for which resource. The one place where scheme, codec and file names meet. */
export class ResourceDocuments {
  constructor(
    readonly scheme: string,
    private readonly catalog: Catalog,
    private readonly content: ContentStore,
  ) {}

  /** The document of a resource under the best name known so far. Needs neither a connection nor a read. */
  uriOf({ serverId, uri }: ResourceRef): vscode.Uri {
    const entry = this.catalog.entryOf({ serverId, uri });
    const mimeType = this.content.peek({ serverId, uri })?.content.mimeType ?? entry?.mimeType;
    const fileName = documentFileName({ uri, name: entry?.name, title: entry?.title, mimeType });
    return vscode.Uri.from({ scheme: this.scheme, ...encodeDocumentUri({ serverId, uri, fileName }) });
  }

  /** The resource of a document; `undefined` for a URI that is not one of ours. Query and fragment do not matter. */
  resourceOf(document: vscode.Uri): ResourceRef | undefined {
    if (document.scheme !== this.scheme) {
      return undefined;
    }
    const identity = decodeDocumentUri({ authority: document.authority, path: document.path });
    return identity && { serverId: identity.serverId, uri: identity.uri };
  }
}
