import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/ids';
import { until } from '../until';
import { Cleanup, configure, freshId, stdioServer, textOf } from './ours';
import { page } from './page';

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

  const known = async () => {
    const uri = 'link://host/a%20b?q=a%26b';
    const server = cleanup.add(stdioServer({ resources: [{ uri, mimeType: 'text/plain', text: 'the linked text' }] }));
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    await api.resources(id);
    const untilOpen = () =>
      until('our document is open', () => {
        const shown = vscode.window.activeTextEditor?.document.uri;
        return shown && api.resourceOf(shown)?.uri === uri;
      });
    return { api, id, uri, untilOpen };
  };

  it('in a file, lead to our documents; those of unknown servers do not', async function () {
    this.timeout(60_000);
    const { id, uri, untilOpen } = await known();
    const link = linkOf(id, uri);
    const text = [`see ${link}.`, `[other](${linkOf('nowhere', uri)})`, `mcp-resource://zz/x <${link}>`].join('\n');
    for (const language of ['plaintext', 'markdown']) {
      const document = await vscode.workspace.openTextDocument({ language, content: text });
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
        100,
      );
      const ours = links.filter(({ target }) => target?.scheme === 'command');
      assert.deepEqual(
        ours.map(({ range }) => document.getText(range)),
        [link, link],
      );
      await vscode.window.showTextDocument(document);
      const [args] = ours.map(({ target }) => JSON.parse(target!.query) as [string]);
      await vscode.commands.executeCommand(ours[0]!.target!.path, ...args!);
      await untilOpen();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('with half a character in them are none, and break nothing', async function () {
    this.timeout(60_000);
    const { id, uri } = await known();
    const link = linkOf(id, uri);
    for (const half of ['\ud800', '\udc00', 'a\udfffb']) {
      const content = `${link}${half} ${link}`;
      const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
        100,
      );
      const ours = links.filter(({ target }) => target?.scheme === 'command');
      const text = document.getText();
      // Where VS Code has made a whole character of the half, it is one like any other.
      const whole = text.includes(half) ? [] : [text.slice(0, text.indexOf(' '))];
      assert.deepEqual(
        ours.map(({ range }) => document.getText(range)),
        [...whole, link],
      );
    }
    for (const text of [`${link}\ud800`, 'mcp-resource:////two//slashes', 'mcp-resource://']) {
      let answered = false;
      const asked = vscode.commands.executeCommand(commandIds.openByUri, text).then(() => (answered = true));
      if (page) {
        await until('it is asked which resource is meant', async () =>
          (await page!.call<string | undefined>('pickerText'))?.includes('Open Resource by URI'),
        );
      }
      await until('the question is gone', async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        return answered;
      });
      await asked;
    }
  });

  it('in a file made to be slow, are looked for in no time', async function () {
    this.timeout(60_000);
    const { id, uri } = await known();
    const link = linkOf(id, uri);
    for (const [name, filler] of [
      ['rows of dots', `mcp-resource://aa/${'.'.repeat(4094)}x `],
      ['unknown servers', 'mcp-resource://aa/b '],
      ['digits', `mcp-resource://${'a'.repeat(1001)}`],
      ['our links', `${link} `],
    ] as const) {
      const content = filler.repeat(Math.floor((1024 * 1024) / filler.length));
      const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
      const began = performance.now();
      await vscode.commands.executeCommand('vscode.executeLinkProvider', document.uri);
      const ms = Math.round(performance.now() - began);
      assert.ok(ms < 2000, `${name}: ${ms} ms`);
    }
  });

  it('a listed URI that VS Code cannot take apart hides no other', async function () {
    this.timeout(60_000);
    const uri = 'link://host/plain';
    const server = cleanup.add(
      stdioServer({
        resources: ['a b://x', 'one:////two', '%', uri].map((one) => ({ uri: one, mimeType: 'text/plain', text: one })),
      }),
    );
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    await api.resources(id);
    await vscode.commands.executeCommand(commandIds.openByUri, linkOf(id, uri));
    await until('the document is open', () => {
      const shown = vscode.window.activeTextEditor?.document.uri;
      return shown && api.resourceOf(shown)?.uri === uri;
    });
  });

  it('documents of servers lead to no other server', async function () {
    this.timeout(60_000);
    const { id, uri } = await known();
    const server = cleanup.add(
      stdioServer({ resources: [{ uri: 'evil://x', mimeType: 'text/plain', text: linkOf(id, uri) }] }),
    );
    const other = freshId();
    const api = await configure({ [other]: server.entry, [id]: { command: 'unused' } });
    await api.connect(other);
    const document = await vscode.workspace.openTextDocument(api.documentUri(other, 'evil://x'));
    assert.equal(document.getText(), linkOf(id, uri));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    // VS Code itself may see an address in it, which leads to no resource of ours.
    assert.deepEqual(
      links.filter(({ target }) => target?.scheme === 'command'),
      [],
    );
  });

  it('VS Code’s own document opens as ours by its title action', async function () {
    this.timeout(60_000);
    const { id, uri, untilOpen } = await known();
    await vscode.commands.executeCommand(commandIds.openInstead, vscode.Uri.parse(linkOf(id, uri)));
    await untilOpen();
  });
});
