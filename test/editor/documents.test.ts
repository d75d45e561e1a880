import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { fixtureBytes, type Scenario } from '../server/fixtureClient';
import { until } from '../until';
import { Cleanup, configure, freshId, httpServer, show, stdioServer, textOf, untilText } from './ours';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('documents', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const begin = async (scenario: Scenario, era: 'legacy' | 'modern' = 'legacy') => {
    const server = cleanup.add(stdioServer(scenario, era));
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    return { api, id, server, at: (uri: string) => api.documentUri(id, uri) };
  };

  const readUris = async (server: { control: { requests(method: string): Promise<readonly { params?: object }[]> } }) =>
    (await server.control.requests('resources/read')).map(
      ({ params }) => (params as { uri?: string } | undefined)?.uri,
    );

  /** Lists URIs, opens each as a person would, and checks that each shows its own text and went back verbatim. */
  const verbatim = async (uris: readonly string[]) => {
    const { api, id, server, at } = await begin({ resources: uris.map((uri) => ({ uri, text: `text of ${uri}` })) });
    assert.deepEqual(
      (await api.resources(id)).map(({ uri }) => uri),
      uris,
    );
    for (const uri of uris) {
      await show(at(uri));
      await untilText(at(uri), `text of ${uri}`);
    }
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, uris.length, 'a tab each');
    assert.deepEqual([...new Set(await readUris(server))].sort(), [...uris].sort());
  };

  it('U1: three slashes stay three', () => verbatim(['foo:///a/b.txt', 'foo:////a/b.txt']));
  it('U2: an escaped slash stays escaped', () => verbatim(['x://h/a%2Fb', 'x://h/a/b']));
  it('U3: escapes in a query stay as they are', () => verbatim(['x://h/p?outer=a%3Db&c=d', 'x://h/p?outer=a=b&c=d']));
  it('U4: a drive letter keeps its case', () => verbatim(['foo:///C:/Dir/File.md', 'foo:///c:/Dir/File.md']));
  it('U6: relative and opaque URIs are opened', () => verbatim(['users/me', 'urn:x:y:1', 'memo:today']));
  it('U8: encoded names stay three distinct documents', () =>
    verbatim(['skill://d/setup%20guide.md', 'skill://d/caf%C3%A9.md', 'skill://d/setup%2520guide.md']));
  it('U14: names that differ in case alone are two documents', () => verbatim(['x://h/README', 'x://h/readme']));
  it('U4: a slash at the end, capitals in scheme and host, bad escapes, spaces and a digit first stay too', () =>
    verbatim([
      'docs://root/',
      'docs://root',
      'Up://Host/A',
      'up://host/a',
      'x://h/100%',
      'x://h/a b',
      '1p://v/{id}',
      'x://h/a?b=c?d#e#f',
    ]));

  it('U9: a custom scheme is read from the server, and a failure is an error, not a spinner', async () => {
    const { at } = await begin({
      resources: [
        { uri: 'jdbc-x://cat/s/t', text: 'rows' },
        { uri: 'jdbc-x://cat/s/bad', error: { code: -32603, message: 'ENOENT: no such table' } },
      ],
    });
    assert.equal(await textOf(at('jdbc-x://cat/s/t')), 'rows');
    await assert.rejects(async () => vscode.workspace.openTextDocument(at('jdbc-x://cat/s/bad')), /no such table/);
  });

  it('U11: file URIs of a server are not the local disk', async () => {
    const { at } = await begin({ resources: [{ uri: 'file:///etc/hosts', text: 'X' }] });
    assert.equal(await textOf(at('file:///etc/hosts')), 'X');
  });

  it('U12: the same URI on two servers is two documents, in both orders of configuration', async () => {
    const a = cleanup.add(stdioServer({ resources: [{ uri: 'info://x', text: 'of a' }] }));
    const b = cleanup.add(stdioServer({ resources: [{ uri: 'info://x', text: 'of b' }] }, 'modern'));
    for (const servers of [
      { a: a.entry, b: b.entry },
      { b: b.entry, a: a.entry },
    ]) {
      const api = await configure(servers);
      assert.equal(await textOf(api.documentUri('a', 'info://x')), 'of a');
      assert.equal(await textOf(api.documentUri('b', 'info://x')), 'of b');
    }
    assert.ok((await readUris(a)).length > 0 && (await readUris(b)).length > 0);
  });

  it('X10: an https resource is read over MCP; U10: nothing is fetched', async () => {
    const { at } = await begin({ resources: [{ uri: 'https://nohost.invalid/d', text: 'served' }] });
    assert.equal(await textOf(at('https://nohost.invalid/d')), 'served');
  });

  it('a changed query is ignored, and a probed sibling is not ours and not asked for', async () => {
    const { at, server } = await begin({ resources: [{ uri: 'docs://api/users.md', text: 'u' }] });
    const uri = at('docs://api/users.md');
    assert.equal(await textOf(uri.with({ query: 'version=3' })), 'u');
    const before = (await readUris(server)).length;
    for (const sibling of ['package.json', '../package.json', 'x/y']) {
      await assert.rejects(
        async () => vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, '..', sibling)),
        (error: vscode.FileSystemError) => error.code === 'FileNotFound',
      );
    }
    assert.equal((await readUris(server)).length, before);
  });

  it('R3: text in a blob is shown as text', async () => {
    const blob = Buffer.from('Grüße\n').toString('base64');
    const { at } = await begin({ resources: [{ uri: 'b://t', mimeType: 'text/plain', contents: [{ blob }] }] });
    assert.equal((await vscode.workspace.openTextDocument(at('b://t'))).getText(), 'Grüße\n');
  });

  it('R5: a PNG that is read as octet-stream is an image all the same', async () => {
    const { api, id, at } = await begin({
      resources: [
        {
          uri: 'img://logo',
          mimeType: 'image/png',
          contents: [{ blob: PNG.toString('base64'), mimeType: 'application/octet-stream' }],
        },
      ],
    });
    await api.resources(id);
    assert.match(at('img://logo').path, /\.png$/);
    assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(at('img://logo'))), PNG);
    assert.match(at('img://logo').path, /\.png$/);
  });

  it('R7: without any MIME type plain text opens', async () => {
    const { at } = await begin({ resources: [{ uri: 'note://1', text: 'hello', readMimeType: null }] });
    const document = await vscode.workspace.openTextDocument(at('note://1'));
    assert.equal(document.getText(), 'hello');
    assert.equal(document.languageId, 'plaintext');
  });

  it('R9: a megabyte of random bytes arrives unchanged', async () => {
    const { at } = await begin({
      resources: [{ uri: 'bin://m', contents: [{ bytes: 1024 * 1024, mimeType: 'application/octet-stream' }] }],
    });
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    assert.equal(hash(await vscode.workspace.fs.readFile(at('bin://m'))), hash(fixtureBytes(1024 * 1024)));
  });

  it('F9: a PNG opens in the image preview', async () => {
    const { at, api, id } = await begin({
      resources: [{ uri: 'img://pic', mimeType: 'image/png', contents: [{ blob: PNG.toString('base64') }] }],
    });
    await api.resources(id);
    await vscode.commands.executeCommand('vscode.open', at('img://pic'));
    const input = await until('the tab', () => vscode.window.tabGroups.activeTabGroup.activeTab?.input);
    assert.ok(input instanceof vscode.TabInputCustom, 'a custom editor');
    assert.equal(input.viewType, 'imagePreview.previewEditor');
  });

  it('F11: the MIME type decides the language, and no two resources share a path for it', async () => {
    const { api, id, at } = await begin({
      resources: [
        { uri: 'src://tool', mimeType: 'text/x-python', text: 'print(1)' },
        { uri: 'src://tool.py', mimeType: 'text/x-python', text: 'print(2)' },
      ],
    });
    await api.resources(id);
    const one = await vscode.workspace.openTextDocument(at('src://tool'));
    const two = await vscode.workspace.openTextDocument(at('src://tool.py'));
    assert.deepEqual([one.languageId, two.languageId], ['python', 'python']);
    assert.deepEqual([one.getText(), two.getText()], ['print(1)', 'print(2)']);
  });

  it('a document whose kind is known only after reading is opened anew under the better name', async () => {
    const { at, api } = await begin({
      resources: [{ uri: 'x://data', contents: [{ text: '{"a":1}', mimeType: 'application/json' }] }],
    });
    const before = at('x://data');
    assert.doesNotMatch(before.path, /\.json$/);
    await vscode.commands.executeCommand('vscode.open', before, { preview: false });
    await until('the better name', () => {
      const uris = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .map(({ input }) => (input as vscode.TabInputText).uri);
      return uris.length === 1 && uris[0]!.path.endsWith('.json');
    });
    assert.deepEqual(api.resourceOf(at('x://data')), api.resourceOf(before));
    await until('JSON', () => vscode.window.activeTextEditor?.document.languageId === 'json');
  });

  it('a resource of several parts shows all its texts in order', async () => {
    const { at } = await begin({
      resources: [
        {
          uri: 'two://p',
          contents: [
            { uri: 'two://p/1', text: 'first' },
            { uri: 'two://p/2', text: 'second' },
          ],
        },
      ],
    });
    assert.match(await textOf(at('two://p')), /first[\s\S]*second/);
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`F13: one opening is one read, however often the editor asks (${era})`, async () => {
      const { at, server } = await begin(
        {
          resources: [
            { uri: 'a://one', text: 'x' },
            { uri: 'a://two', text: 'y' },
          ],
        },
        era,
      );
      await show(at('a://one'));
      assert.deepEqual(await readUris(server), ['a://one']);
      await Promise.all([
        vscode.workspace.fs.stat(at('a://two')),
        vscode.workspace.fs.stat(at('a://two')),
        vscode.workspace.fs.readFile(at('a://two')),
      ]);
      assert.deepEqual(await readUris(server), ['a://one', 'a://two']);
    });
  }

  it('F5: errors are FileSystemErrors with server, resource and reason', async () => {
    const { at, id } = await begin({
      resources: [
        { uri: 'e://gone', error: { code: -32002, message: 'Resource not found' } },
        { uri: 'e://broken', error: { code: -32603, message: 'disk on fire' } },
      ],
    });
    await assert.rejects(
      async () => vscode.workspace.fs.readFile(at('e://gone')),
      (error: vscode.FileSystemError) => {
        assert.equal(error.code, 'FileNotFound');
        return error.message.includes(`e://gone (server "${id}")`) && /not found/i.test(error.message);
      },
    );
    await assert.rejects(
      async () => vscode.workspace.fs.readFile(at('e://broken')),
      (error: vscode.FileSystemError) => {
        assert.equal(error.code, 'Unavailable');
        return error.message.includes(`e://broken (server "${id}")`) && error.message.includes('disk on fire');
      },
    );
    await assert.rejects(async () => vscode.workspace.fs.writeFile(at('e://gone'), new Uint8Array()));
  });

  it('F1: a change of the same length is shown, and mtime grows', async () => {
    const { at, server } = await begin({ resources: [{ uri: 'c://c', text: '1' }] });
    await show(at('c://c'));
    let previous = (await vscode.workspace.fs.stat(at('c://c'))).mtime;
    for (const text of ['2', '3', '4']) {
      await server.control.set('c://c', text);
      await untilText(at('c://c'), text, 1000);
      const { mtime, size } = await vscode.workspace.fs.stat(at('c://c'));
      assert.ok(mtime > previous, 'mtime grows');
      assert.equal(size, 1);
      previous = mtime;
    }
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`S1: an open document follows the server, without losing the cursor (${era}, stdio)`, async () => {
      const { at, server } = await begin({ resources: [{ uri: 'l://l', text: 'line one\nline two\n' }] }, era);
      const editor = await show(at('l://l'));
      editor.selection = new vscode.Selection(1, 3, 1, 3);
      await until('a subscription', async () => (await server.control.set('l://l', 'line one\nline two\nthree\n')) > 0);
      await untilText(at('l://l'), 'line one\nline two\nthree\n', 1000);
      assert.equal(vscode.window.activeTextEditor, editor);
      assert.deepEqual(editor.selection.active, new vscode.Position(1, 3));
    });

    it(`S1: an open document follows the server (${era}, HTTP)`, async () => {
      const server = cleanup.add(await httpServer({ resources: [{ uri: 'l://l', text: 'before' }] }, era));
      const id = freshId();
      const api = await configure({ [id]: server.entry });
      await api.connect(id);
      const uri = api.documentUri(id, 'l://l');
      await show(uri);
      await until('a subscription', async () => (await server.set('l://l', 'after')) > 0);
      await untilText(uri, 'after', 1000);
    });
  }

  it('S9: two editors are one subscription, and the last one to close ends it', async () => {
    const { at, server } = await begin({ resources: [{ uri: 's://s', text: 'x' }] });
    await show(at('s://s'));
    await vscode.commands.executeCommand('workbench.action.splitEditor');
    await server.control.waitForRequest('resources/subscribe');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server.control.waitForRequest('resources/unsubscribe', { timeout: 20_000 });
    assert.equal((await server.control.requests('resources/subscribe')).length, 1);
    assert.equal((await server.control.requests('resources/unsubscribe')).length, 1);
  });

  it('opening by the command reads first: on failure no tab opens', async () => {
    const { api, id } = await begin({ resources: [{ uri: 'e://no', error: { code: -32603, message: 'refused' } }] });
    await api.resources(id);
    const node = {
      kind: 'resource',
      server: { kind: 'server', connection: { id } },
      entry: { uri: 'e://no', name: 'no' },
    };
    await vscode.commands.executeCommand('mcpResources.open', node);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });
});
