import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { McpResourcesApi } from '../../src/api';
import type { Scenario } from '../server/fixtureClient';
import { until } from '../until';
import { Cleanup, configure, freshId, show, stdioServer, textOf, untilText } from './ours';

describe('shapes of contents', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const begin = async (scenario: Scenario, era: 'legacy' | 'modern' = 'legacy') => {
    const server = cleanup.add(stdioServer(scenario, era));
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    await api.resources(id);
    return { api, id, server, at: (uri: string) => api.documentUri(id, uri) };
  };

  const namesIn = async (uri: vscode.Uri) => (await vscode.workspace.fs.readDirectory(uri)).map(([name]) => name);
  const tabs = () =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => (input as vscode.TabInputText).uri));

  /** Opens a resource by the command behind a click. */
  const click = async (id: string, uri: string) => {
    const node = { kind: 'resource', server: { kind: 'server', connection: { id } }, entry: { uri, name: uri } };
    await vscode.commands.executeCommand('mcpResources.open', node);
  };

  const readsOf = async (server: { control: { requests(method: string): Promise<readonly unknown[]> } }) =>
    (await server.control.requests('resources/read')).length;

  it('R1: several parts are a directory: listed, opened one by one, and shown in order in one document', async () => {
    const { at, id } = await begin({
      resources: [
        {
          uri: 'two://p',
          contents: [
            { uri: 'two://p/first.md', text: '# first', mimeType: 'text/markdown' },
            { uri: 'two://p/data', text: '{"second":2}', mimeType: 'application/json' },
            { uri: 'two://p/bytes', bytes: 20, mimeType: 'application/zip' },
          ],
        },
      ],
    });
    assert.equal((await vscode.workspace.fs.stat(at('two://p'))).type, vscode.FileType.Directory);
    assert.deepEqual(await namesIn(at('two://p')), ['first.md', 'data.json', 'bytes.zip', 'All Parts.md']);
    const child = (name: string) => vscode.Uri.joinPath(at('two://p'), name);
    assert.equal(await textOf(child('first.md')), '# first');
    assert.equal(await textOf(child('data.json')), '{"second":2}');
    assert.equal((await vscode.workspace.fs.stat(child('bytes.zip'))).size, 20);
    assert.match(await textOf(child('All Parts.md')), /# first[\s\S]*\{"second":2\}/);
    await assert.rejects(async () => vscode.workspace.fs.stat(child('package.json')), { code: 'FileNotFound' });
    await click(id, 'two://p');
    assert.deepEqual(tabs().map(String), [child('All Parts.md')].map(String));
  });

  it('R1: a restored tab of what turned out to be a directory shows its parts', async () => {
    const { at } = await begin({
      resources: [
        {
          uri: 'two://p',
          contents: [
            { uri: 'two://p/1', text: 'one' },
            { uri: 'two://p/2', text: 'two' },
          ],
        },
      ],
    });
    const uri = at('two://p');
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false }).then(undefined, () => undefined);
    await until('all parts', () => tabs().length === 1 && tabs()[0]!.path.endsWith('All Parts.md'));
  });

  it('S1: parts follow the server too', async () => {
    const { at, server } = await begin({
      resources: [
        {
          uri: 'two://p',
          contents: [
            { uri: 'two://p/1', text: 'one' },
            { uri: 'two://p/2', text: 'two' },
          ],
        },
      ],
    });
    await vscode.workspace.fs.stat(at('two://p'));
    const part = vscode.Uri.joinPath(at('two://p'), '2');
    await show(part);
    await untilText(part, 'two');
    const next = [
      { uri: 'two://p/1', text: 'one' },
      { uri: 'two://p/2', text: 'two, changed' },
    ];
    await until('a subscription', async () => (await server.control.set('two://p', next)) > 0);
    await untilText(part, 'two, changed');
  });

  it('R2: inode/directory is a directory, empty or not, and never a text tab', async () => {
    const { at, id } = await begin({
      resources: [
        {
          uri: 'dir://a',
          mimeType: 'inode/directory',
          contents: [{ uri: 'dir://a/x', text: 'x', mimeType: 'text/plain' }],
        },
        { uri: 'dir://b', mimeType: 'inode/directory', contents: [] },
      ],
    });
    assert.deepEqual(await namesIn(at('dir://a')), ['x.txt', 'All Parts.md']);
    assert.deepEqual(await namesIn(at('dir://b')), []);
    await click(id, 'dir://b');
    assert.deepEqual(tabs(), []);
  });

  it('R11: an empty answer is an empty document that says so above itself, an empty text is just empty', async () => {
    const { at } = await begin({
      resources: [
        { uri: 'e://none', contents: [] },
        { uri: 'e://text', text: '' },
      ],
    });
    const notes = async (uri: vscode.Uri) => {
      await show(uri);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return lenses.map(({ command }) => command?.title ?? '').join();
    };
    assert.match(await notes(at('e://none')), /returned nothing/);
    assert.equal(await notes(at('e://text')), '');
    assert.equal(await textOf(at('e://none')), '');
  });

  it('R13: A, then B, then A shows A', async () => {
    const { at } = await begin({
      resources: [
        { uri: 'a://a', text: 'A' },
        { uri: 'a://b', text: 'B' },
      ],
    });
    for (const name of ['a', 'b', 'a']) {
      assert.equal((await show(at(`a://${name}`))).document.getText(), name.toUpperCase());
    }
  });

  it('R16: an error of a read leaves the list and the connection alone', async () => {
    const { api, id, at } = await begin({
      resources: [
        { uri: 'a://good', text: 'x' },
        { uri: 'a://bad', error: { code: -32601, message: 'Method not found' } },
      ],
    });
    await assert.rejects(async () => vscode.workspace.fs.readFile(at('a://bad')), { code: 'Unavailable' });
    assert.equal((await api.resources(id)).length, 2);
    assert.equal(api.servers().find((server) => server.id === id)?.state, 'connected');
    assert.equal(await textOf(at('a://good')), 'x');
  });

  it('R17: a URI that is not listed is read verbatim', async () => {
    const { at, server } = await begin({ resources: [{ uri: 'hidden://A b/%2F?x=1', text: 'found', listed: false }] });
    assert.equal(await textOf(at('hidden://A b/%2F?x=1')), 'found');
    const [request] = await server.control.requests('resources/read');
    assert.equal((request?.params as { uri?: string } | undefined)?.uri, 'hidden://A b/%2F?x=1');
  });

  it('R19: JSON of one line keeps its bytes and has a formatted form beside it', async () => {
    const json = JSON.stringify({ list: Array.from({ length: 60 }, (_, index) => ({ index })) });
    const { at } = await begin({ resources: [{ uri: 'j://j', mimeType: 'application/json', text: json }] });
    assert.equal((await show(at('j://j'))).document.languageId, 'json');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      at('j://j'),
    );
    const command = lenses.map((lens) => lens.command).find((each) => each?.title.includes('Formatted'));
    assert.ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
    await until('many lines', () => (vscode.window.activeTextEditor?.document.lineCount ?? 0) > 60);
    assert.equal(await textOf(at('j://j')), json);
  });

  it('U10: nothing but the server is asked for an http resource', async () => {
    let hits = 0;
    const { createServer } = await import('node:http');
    const web = createServer((_request, response) => {
      hits += 1;
      response.end('from the network');
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    try {
      const uri = `http://127.0.0.1:${(web.address() as { port: number }).port}/page.html`;
      const { at, id } = await begin({ resources: [{ uri, mimeType: 'text/html', text: 'from the server' }] });
      await click(id, uri);
      await untilText(at(uri), 'from the server');
      assert.equal(hits, 0);
    } finally {
      web.close();
    }
  });

  it('U16: an update refreshes exactly the resource that it names', async () => {
    const uris = ['x://h1/p', 'x://h2/p', 'x://h1/p?v=2', 'X://h1/p', 'x://h1/p/'];
    const { at, server } = await begin({ resources: uris.map((uri) => ({ uri, text: `before ${uri}` })) });
    for (const uri of uris) {
      await show(at(uri));
    }
    const read = async () =>
      (await server.control.requests('resources/read')).map(({ params }) => (params as { uri: string }).uri);
    assert.deepEqual(await read(), uris);
    await until('a subscription', async () => (await server.control.set('x://h1/p', 'after')) > 0);
    await untilText(at('x://h1/p'), 'after');
    assert.deepEqual([...new Set((await read()).slice(uris.length))], ['x://h1/p']);
  });

  it('F6: documents are read-only: nothing is written, and a missing one is not created', async () => {
    const { at } = await begin({ resources: [{ uri: 'a://a', text: 'x' }] });
    assert.equal(vscode.workspace.fs.isWritableFileSystem(at('a://a').scheme), false);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(at('a://new'), Buffer.from('x')));
    await assert.rejects(async () => vscode.workspace.fs.delete(at('a://a')));
    assert.equal(await textOf(at('a://a')), 'x');
  });

  it('F8: 51 MB of text: the size is known, no tab opens, and the beginning can be opened', async function () {
    this.timeout(60_000);
    const repeat = Math.ceil((51 * 1024 * 1024) / 100);
    const { at, id } = await begin({
      resources: [{ uri: 'big://text', contents: [{ text: `${'x'.repeat(99)}\n`, repeat, mimeType: 'text/plain' }] }],
    });
    assert.equal((await vscode.workspace.fs.stat(at('big://text'))).size, repeat * 100);
    await click(id, 'big://text');
    assert.deepEqual(tabs(), []);
    const beginning = vscode.Uri.joinPath(at('big://text'), 'First 10 MB.txt');
    const document = await vscode.workspace.openTextDocument(beginning);
    assert.ok(document.getText().length > 9_000_000);
  });

  it('F10: an image that is updated has new bytes and a new time', async () => {
    const { api, at, server } = await begin({
      resources: [{ uri: 'img://a', mimeType: 'image/png', contents: [{ bytes: 50, mimeType: 'image/png' }] }],
    });
    await vscode.commands.executeCommand('vscode.open', at('img://a'));
    const before = await vscode.workspace.fs.stat(at('img://a'));
    const changed = new Promise<vscode.Uri>((resolve) => api.onDidChangeContent(resolve));
    await until(
      'a subscription',
      async () => (await server.control.set('img://a', [{ bytes: 60, mimeType: 'image/png' }])) > 0,
    );
    assert.equal((await changed).toString(), at('img://a').toString());
    const after = await vscode.workspace.fs.stat(at('img://a'));
    assert.ok(after.mtime > before.mtime);
    assert.equal(after.size, 60);
  });

  it('F14: watching counts as interest, in whatever order it ends', async () => {
    const { at, server } = await begin({ resources: [{ uri: 'w://w', text: 'x' }] });
    await show(at('w://w'));
    await vscode.commands.executeCommand('workbench.action.splitEditor');
    await server.control.waitForRequest('resources/subscribe');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.equal((await server.control.requests('resources/unsubscribe')).length, 0);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server.control.waitForRequest('resources/unsubscribe', 20_000);
    assert.equal((await server.control.requests('resources/subscribe')).length, 1);
  });

  it('F18: opening right after the start waits for the server instead of failing', async () => {
    const server = cleanup.add(
      stdioServer({ resources: [{ uri: 'a://a', text: 'late' }], methods: { initialize: { delay: 800 } } }),
    );
    const id = freshId();
    const api: McpResourcesApi = await configure({ [id]: server.entry });
    assert.equal((await vscode.workspace.openTextDocument(api.documentUri(id, 'a://a'))).getText(), 'late');
  });

  it('R15: a resource that was lost is said to be, and its open tab recovers by itself when it returns', async () => {
    const { at, server } = await begin({ resources: [{ uri: 'l://l', text: 'here' }] });
    await show(at('l://l'));
    await untilText(at('l://l'), 'here');
    await until('a subscription', async () => (await server.control.set('l://l', 'here still')) > 0);
    await untilText(at('l://l'), 'here still');
    await server.control.remove('l://l');
    await server.control.notify('notifications/resources/updated', { uri: 'l://l' });
    const note = () =>
      vscode.commands
        .executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', at('l://l'))
        .then((lenses) => lenses.map(({ command }) => command?.title ?? '').join());
    await until('it is said', async () => (await note()).includes('no longer has this resource'));
    await server.control.add({ uri: 'l://l', text: 'back again' });
    await server.control.notify('notifications/resources/updated', { uri: 'l://l' });
    await untilText(at('l://l'), 'back again');
    // Lists that change quickly are listed at a pace.
    await until('nothing is said', async () => (await note()) === '');
    assert.ok((await readsOf(server)) >= 4);
  });

  it('URIs of the server’s other resources are links in its documents', async () => {
    const { at } = await begin({
      resources: [
        { uri: 'a://index', text: 'See a://other, or a://nothing-listed and http://example.com.' },
        { uri: 'a://other', text: 'other' },
      ],
    });
    await show(at('a://index'));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      at('a://index'),
    );
    const ours = links.filter(({ target }) => target?.scheme === 'command');
    assert.equal(ours.length, 1);
    const [link] = ours;
    assert.equal(vscode.window.activeTextEditor?.document.getText(link!.range), 'a://other');
    const [ref] = JSON.parse(decodeURIComponent(link!.target!.query)) as [unknown];
    await vscode.commands.executeCommand(link!.target!.path, ref);
    await untilText(at('a://other'), 'other');
  });

  it('a long line costs no more than its length, whatever it is made of', async () => {
    const texts = ['a'.repeat(900_000), `a${':'.repeat(500_000)}x`, 'a.'.repeat(400_000)];
    const { at } = await begin({ resources: texts.map((text, index) => ({ uri: `long://${index}`, text })) });
    for (const index of texts.keys()) {
      await vscode.workspace.openTextDocument(at(`long://${index}`));
      const begun = Date.now();
      await vscode.commands.executeCommand('vscode.executeLinkProvider', at(`long://${index}`));
      assert.ok(Date.now() - begun < 5000, `${Date.now() - begun} ms for text ${index}`);
    }
  });

  it('a relative link leads to the resource beside, if it is listed, and to nothing else', async () => {
    const { at, server } = await begin({
      resources: [
        { uri: 'demo://docs/index.md', mimeType: 'text/markdown', text: '[next](next.md) [none](none.md)' },
        { uri: 'demo://docs/next.md', mimeType: 'text/markdown', text: 'the next page' },
        { uri: 'demo://docs/package.json', text: '{}' },
      ],
    });
    const beside = (name: string) => vscode.Uri.joinPath(at('demo://docs/index.md'), '..', name);
    assert.equal(await textOf(beside('next.md')), 'the next page');
    const before = await readsOf(server);
    for (const name of ['none.md', 'package.json']) {
      await assert.rejects(async () => vscode.workspace.fs.stat(beside(name)), { code: 'FileNotFound' });
    }
    assert.equal(await readsOf(server), before);
  });
});
