import * as vscode from 'vscode';
import type { McpResourcesApi } from '../../src/api';
import { extensionId } from '../../src/ids';
import { until } from '../until';
import { now } from './clock';
import { editorsPerSide, resourceUri, type Side, sides } from './liveResources';
import type { UpdateAnswer, UpdateRequest } from './liveServer';

/** Under this name the workspace's `mcp.json` has the server; it is VS Code's server, too. */
export const serverName = 'live';

/** VS Code's name for a server of the first folder's `mcp.json`. */
const vscodeDefinition = `mcp.config.ws0.${serverName}`;

const { One, Two, Three, Four, Five, Six, Seven, Eight } = vscode.ViewColumn;
const columns = [One, Two, Three, Four, Five, Six, Seven, Eight];

/** An open, visible editor of a resource. */
export interface LiveEditor {
  readonly side: Side;
  readonly uri: string;
  readonly document: vscode.TextDocument;
}

/** Opens the editors of both sides, all visible at once: VS Code updates no others of its own. */
export async function openEditors(): Promise<LiveEditor[]> {
  await vscode.commands.executeCommand('vscode.setEditorLayout', {
    orientation: 0,
    groups: sides.map(() => ({ groups: Array.from({ length: editorsPerSide }, () => ({})) })),
  });
  const ours = await connectOurs();
  await startVscodes();
  const editors: LiveEditor[] = [];
  for (const side of sides) {
    for (let index = 0; index < editorsPerSide; index++) {
      const uri = resourceUri(side, index);
      const documentUri = side === 'ours' ? ours.documentUri(serverName, uri) : vscodeUri(uri);
      const document = await vscode.workspace.openTextDocument(documentUri);
      await vscode.window.showTextDocument(document, {
        viewColumn: columns[editors.length],
        preview: false,
        preserveFocus: true,
      });
      editors.push({ side, uri, document });
    }
  }
  return editors;
}

/** What became of one update. */
export interface Update {
  readonly side: Side;
  readonly characters: number;
  /** Notifications that the server sent for it: one, unless nobody has subscribed. */
  readonly told: number;
  /** Milliseconds from the server's send to the text in the editor; null when it was not there in time. */
  readonly latency: number | null;
}

/** Sends an update and waits until the editor has it, at most `limitMs`. */
export async function update(
  { side, uri, document }: LiveEditor,
  text: string,
  { updates, limitMs }: { updates: string; limitMs: number },
): Promise<Update> {
  const shown = shownAt(document, text, limitMs);
  const response = await fetch(updates, {
    method: 'POST',
    body: JSON.stringify({ uri, text } satisfies UpdateRequest),
  });
  const { sentAt, told } = (await response.json()) as UpdateAnswer;
  const at = await shown;
  return { side, characters: text.length, told, latency: at === undefined ? null : at - sentAt };
}

/** The time at which a document has a text; undefined when it has not within `limitMs`. */
function shownAt(document: vscode.TextDocument, text: string, limitMs: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const settle = (time: number | undefined): void => {
      listener.dispose();
      clearTimeout(timer);
      resolve(time);
    };
    const timer = setTimeout(() => settle(undefined), limitMs);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === text) settle(now());
    });
  });
}

async function connectOurs(): Promise<McpResourcesApi> {
  const extension = vscode.extensions.getExtension<McpResourcesApi>(extensionId);
  if (!extension) throw new Error('The extension is not there.');
  const api = await extension.activate();
  await until('our server', () => api.servers().some(({ id }) => id === serverName));
  // The list brings the MIME types, and so the final names of the documents.
  await api.resources(serverName);
  return api;
}

/** VS Code starts a server only once it has discovered it, and says nothing about when. */
async function startVscodes(): Promise<void> {
  const first = vscodeUri(resourceUri('vscode', 0));
  await until(
    'VS Code’s own document',
    async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', vscodeDefinition);
      return vscode.workspace.fs.stat(first).then(
        () => true,
        () => false,
      );
    },
    30_000,
  );
}

/** VS Code's own document of a resource `scheme://authority/path`. */
function vscodeUri(uri: string): vscode.Uri {
  const { scheme, authority, path } = vscode.Uri.parse(uri, true);
  return vscode.Uri.from({
    scheme: 'mcp-resource',
    authority: Buffer.from(vscodeDefinition).toString('hex'),
    path: `/${scheme}/${authority}${path}`,
  });
}
