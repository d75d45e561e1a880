import * as vscode from 'vscode';
import { halfSurrogate } from '../base/halfSurrogate';
import type { ConnectionPool } from '../connection/connectionPool';
import { commandIds, schemes } from '../ids';
import { linkedServer } from './editorLinks';

const LINK_PATTERN = new RegExp(`${schemes.preferred}://([0-9a-f]{2,1000})/[^\\s"'\`<>()[\\]{}|\\\\^]{1,4096}`, 'giu');
/** Looked for from where it begins only: else a long row of dots would cost its length squared. */
const TRAILING = /(?<![.,;:!?])[.,;:!?]+$/u;
const LARGEST_TEXT = 1024 * 1024;
const MOST_LINKS = 500;

/**
 * Makes links of VS Code's own MCP support in a person's files open our documents, where we know their servers. What a
 * link means is found out when it is clicked: a list may be long, and a file may have many of them.
 */
export class EditorLinkProvider implements vscode.DocumentLinkProvider {
  constructor(
    private readonly pool: ConnectionPool,
    /** Documents of servers are left alone: none of them leads to another server. */
    private readonly isServers: (uri: vscode.Uri) => boolean,
  ) {}

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    if (this.isServers(document.uri) || document.uri.scheme === schemes.preferred) {
      return [];
    }
    const text = document.getText();
    if (text.length > LARGEST_TEXT) {
      return [];
    }
    // A file may name the same server any number of times.
    const servers = new Map<string, boolean>();
    const isKnown = (authority: string): boolean => {
      const known = servers.get(authority) ?? linkedServer({ authority }, this.pool) !== undefined;
      servers.set(authority, known);
      return known;
    };
    return [...text.matchAll(LINK_PATTERN)]
      .filter(([found, authority = '']) => isKnown(authority) && !halfSurrogate.test(found))
      .slice(0, MOST_LINKS)
      .map(({ index, 0: found }) => {
        const link = found.replace(TRAILING, '');
        const range = new vscode.Range(document.positionAt(index), document.positionAt(index + link.length));
        const open = `command:${commandIds.openByUri}?${encodeURIComponent(JSON.stringify([link]))}`;
        const made = new vscode.DocumentLink(range, vscode.Uri.parse(open));
        made.tooltip = vscode.l10n.t('Open MCP Resource');
        return made;
      });
  }
}
