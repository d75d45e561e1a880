import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import { commandIds } from '../ids';
import type { ResourceDocuments } from './resourceDocuments';

/**
 * Anything that looks like a URI, up to white space, quotes and brackets. Scheme and length are bounded, and a scheme
 * begins at a boundary: else a long line without a colon would cost its length squared.
 */
const URI_PATTERN = /(?<![A-Za-z0-9+.-])[A-Za-z0-9][A-Za-z0-9+.-]{0,63}:[^\s"'`<>()[\]{}|\\^]{1,4096}/gu;
const TRAILING = new Set('.,;:!?');
const LARGEST_TEXT = 1024 * 1024;
const MOST_LINKS = 2000;

/** Makes the URIs of a server's other resources clickable inside its documents. Only listed ones: nothing is guessed. */
export class DocumentLinks implements vscode.DocumentLinkProvider {
  constructor(
    private readonly documents: ResourceDocuments,
    private readonly isListed: (ref: ResourceRef) => boolean,
  ) {}

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const here = this.documents.resourceOf(document.uri);
    const text = document.getText();
    if (!here || text.length > LARGEST_TEXT) {
      return [];
    }
    const links: vscode.DocumentLink[] = [];
    for (const match of text.matchAll(URI_PATTERN)) {
      const uri = [match[0], withoutTrailing(match[0])].find(
        (candidate) => candidate !== here.uri && this.isListed({ serverId: here.serverId, uri: candidate }),
      );
      if (uri !== undefined) {
        const range = new vscode.Range(document.positionAt(match.index), document.positionAt(match.index + uri.length));
        const link = new vscode.DocumentLink(range, openCommand({ serverId: here.serverId, uri }));
        link.tooltip = vscode.l10n.t('Open MCP Resource');
        links.push(link);
      }
      if (links.length >= MOST_LINKS) {
        break;
      }
    }
    return links;
  }
}

/** Punctuation at the end belongs to the sentence, unless the whole is listed. */
function withoutTrailing(uri: string): string {
  let end = uri.length;
  while (end > 0 && TRAILING.has(uri[end - 1]!)) {
    end -= 1;
  }
  return uri.slice(0, end);
}

/** Our own command with plain data: the text of a server only says which of its own resources to open. */
function openCommand(ref: ResourceRef): vscode.Uri {
  return vscode.Uri.parse(`command:${commandIds.open}?${encodeURIComponent(JSON.stringify([ref]))}`);
}
