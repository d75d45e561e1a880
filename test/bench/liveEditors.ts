import * as vscode from 'vscode';
import type { McpResourcesApi } from '../../src/api';
import { extensionId } from '../../src/ids';
import { until } from '../until';
import { type Lane, lanesOf, resourceUri } from './liveLanes';

/** Opens editors of the documents of all lanes. */
export class Editors {
  private constructor(private readonly api: McpResourcesApi) {}

  /** Connects ours and starts VS Code's own servers. */
  static async begin(): Promise<Editors> {
    const extension = vscode.extensions.getExtension<McpResourcesApi>(extensionId);
    if (!extension) throw new Error('The extension is not there.');
    const api = await extension.activate();
    for (const { server = '' } of lanesOf('ours')) {
      await until(`our server ${server}`, () => api.servers().some(({ id }) => id === server));
      // The list brings the MIME types, and so the final names of the documents.
      await api.resources(server);
    }
    for (const lane of lanesOf('vscode')) await startVscodes(lane);
    return new Editors(api);
  }

  /** Makes a grid of this many editor groups. */
  async layOut(groups: number): Promise<void> {
    const columns = Math.ceil(Math.sqrt(groups));
    const rows = Array.from({ length: Math.ceil(groups / columns) }, () => ({
      groups: Array.from({ length: columns }, () => ({})),
    }));
    await vscode.commands.executeCommand('vscode.setEditorLayout', { orientation: 1, groups: rows });
  }

  documentUri(lane: Lane, uri: string): vscode.Uri {
    if (lane.side === 'ours') return this.api.documentUri(lane.server ?? '', uri);
    return lane.side === 'vscode' ? vscodeUri(lane, uri) : vscode.Uri.parse(uri);
  }

  /** Shows a resource in one of the groups, counted from 0, above what is there. */
  async show(lane: Lane, uri: string, group: number): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(this.documentUri(lane, uri));
    await vscode.window.showTextDocument(document, inGroup(group));
    return document;
  }
}

/** Groups are counted from 0 here. */
export function inGroup(group: number): vscode.TextDocumentShowOptions {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the columns past the ninth have no name
  return { viewColumn: group + 1, preview: false, preserveFocus: true };
}

/** VS Code starts a server only once it has discovered it, and says nothing about when. */
async function startVscodes(lane: Lane): Promise<void> {
  const first = vscodeUri(lane, resourceUri(lane, 'steady'));
  await until(
    `VS Code’s own document of ${lane.name}`,
    async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', definitionOf(lane));
      return vscode.workspace.fs.stat(first).then(
        () => true,
        () => false,
      );
    },
    30_000,
  );
}

/** VS Code's name for a server of the first folder's `mcp.json`. */
const definitionOf = ({ server }: Lane): string => `mcp.config.ws0.${server}`;

/** VS Code's own document of a resource `scheme://authority/path`. */
function vscodeUri(lane: Lane, uri: string): vscode.Uri {
  const { scheme, authority, path } = vscode.Uri.parse(uri, true);
  return vscode.Uri.from({
    scheme: 'mcp-resource',
    authority: Buffer.from(definitionOf(lane)).toString('hex'),
    path: `/${scheme}/${authority}${path}`,
  });
}
