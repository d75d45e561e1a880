import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/ids';
import { until } from '../until';
import { Cleanup, configure, freshId, stdioServer, textOf } from './ours';

describe('links of VS Code’s own MCP support', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  /** As VS Code makes them. */
  const linkOf = (server: string, uri: string): string => {
    const { scheme, authority, path, query, fragment } = vscode.Uri.parse(uri);
    return vscode.Uri.from({
      scheme: 'mcp-resource',
      authority: Buffer.from(`mcp.config.ws0.${server}`).toString('hex'),
      path: `/${scheme}/${authority || 'dylo78gyp'}${path}`,
      query,
      fragment,
    }).toString();
  };

  it('open our document of the same resource, whatever VS Code did to its URI', async function () {
    this.timeout(60_000);
    const listed = ['link://host/plain', 'link://host/a%20b?q=a%26b', 'link:///none', 'memo:today', 'link://host/dir/'];
    const hidden = 'link://host/hidden.txt?x=1';
    const server = cleanup.add(
      stdioServer({
        resources: [
          ...listed.map((uri) => ({ uri, mimeType: 'text/plain', text: `the text of ${uri}` })),
          { uri: hidden, mimeType: 'text/plain', text: `the text of ${hidden}`, listed: false },
        ],
      }),
    );
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    await api.resources(id);
    for (const uri of [...listed, hidden]) {
      await vscode.commands.executeCommand(commandIds.openByUri, linkOf(id, uri));
      const editor = await until(`the document of ${uri}`, () => {
        const shown = vscode.window.activeTextEditor?.document.uri;
        return shown && api.resourceOf(shown)?.uri === uri ? shown : null;
      });
      assert.equal(api.resourceOf(editor)?.serverId, id);
      assert.equal(await textOf(editor), `the text of ${uri}`);
    }
  });
});
