import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Catalog } from '../catalog/catalog';
import type { ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import { decodeDocumentPath, decodeDocumentUri, encodeDocumentUri } from '../content/documentUri';
import { documentFileName } from '../content/fileName';

/** Names that editors and extensions look for beside any document. */
const PROBED = /^(\.|package\.json$|(ts|js)config.*\.json$)/;

/** What a document shows: a resource, or the child of that name below it. */
export interface DocumentTarget {
  readonly ref: ResourceRef;
  readonly child?: string;
}

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
    const content = this.content.peek({ serverId, uri })?.content;
    // A directory's name gets no extension: the type of its overview is not its own.
    const mimeType = content?.shape === 'directory' ? undefined : (content?.mimeType ?? entry?.mimeType);
    const fileName = documentFileName({ uri, name: entry?.name, title: entry?.title, mimeType });
    return vscode.Uri.from({ scheme: this.scheme, ...encodeDocumentUri({ serverId, uri, fileName }) });
  }

  /** The document of one of a resource's parts, by its name among the resource's children. */
  childUriOf(ref: ResourceRef, name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.uriOf(ref), name);
  }

  /** What a document shows; `undefined` for a URI that is not one of ours. Query and fragment do not matter. */
  targetOf({ scheme, authority, path }: vscode.Uri): DocumentTarget | undefined {
    if (scheme !== this.scheme) {
      return undefined;
    }
    const identity = decodeDocumentUri({ authority, path });
    if (identity) {
      return { ref: { serverId: identity.serverId, uri: identity.uri } };
    }
    // A child has the authority of its resource, which vouches for the path above the child's name.
    const parent = decodeDocumentUri({ authority, path: posix.dirname(path) });
    if (parent) {
      return { ref: { serverId: parent.serverId, uri: parent.uri }, child: posix.basename(path) };
    }
    return this.siblingOf(path);
  }

  /**
   * What a relative link in a document leads to (`[next](next.md)`), where the server lists it. What editors probe for by
   * themselves is never a link.
   */
  private siblingOf(path: string): DocumentTarget | undefined {
    if (PROBED.test(posix.basename(path))) {
      return undefined;
    }
    const guess = decodeDocumentPath(path);
    const ref = guess && { serverId: guess.serverId, uri: guess.uri };
    return ref && this.catalog.entryOf(ref) ? { ref } : undefined;
  }

  /** The resource of a document or of one of its parts; `undefined` for a URI that is not one of ours. */
  resourceOf(document: vscode.Uri): ResourceRef | undefined {
    return this.targetOf(document)?.ref;
  }
}
