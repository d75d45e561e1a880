import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ModelWindow } from '../../src/chat/modelWindow';
import { fixtureBytes } from '../server/fixtureClient';
import { until } from '../until';
import type { HelperApi } from './helperExtension/extension';
import { Cleanup, configure, freshId, stdioServer } from './ours';
import { page } from './page';

const hasChatView = process.env.MCP_RESOURCES_TEST_VERSION !== '1.103.2';

describe('chat', () => {
  const cleanup = new Cleanup();
  let helper: HelperApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<HelperApi>('mcp-resources-test.mcp-resources-test-helper');
    assert.ok(extension, 'the helper extension is loaded');
    helper = await extension.activate();
  });

  afterEach(() => cleanup.run());

  const begin = async () => {
    const server = cleanup.add(
      stdioServer({
        resources: [
          { uri: 'ctx://a', title: 'First', mimeType: 'text/plain', text: 'the text of a' },
          { uri: 'ctx://b', title: 'Second', mimeType: 'text/markdown', text: '# the text of b' },
          { uri: 'ctx://pic', mimeType: 'image/png', contents: [{ bytes: 100, mimeType: 'image/png' }] },
          {
            uri: 'ctx://paper',
            mimeType: 'application/pdf',
            contents: [{ blob: Buffer.from('%PDF-1.4\n%\u00ff').toString('base64'), mimeType: 'application/pdf' }],
          },
          {
            uri: 'ctx://both',
            contents: [
              { uri: 'ctx://both/1', text: 'part one', mimeType: 'text/plain' },
              { uri: 'ctx://both/2', text: 'part two', mimeType: 'text/plain' },
            ],
          },
          { uri: 'ctx://gone', error: { code: -32002, message: 'Resource not found' } },
        ],
      }),
    );
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    await api.resources(id);
    return { api, server, at: (uri: string) => api.documentUri(id, uri) };
  };

  const ask = async (prompt: string) =>
    vscode.commands.executeCommand('workbench.action.chat.open', {
      query: `@probe ${prompt}`,
      isPartialQuery: false,
      mode: 'ask',
    });

  const answered = (prompt: string) =>
    until(
      `the participant hears “${prompt}”`,
      () => helper.requests.find((request) => request.prompt.includes(prompt)),
      20_000,
    );

  it('A3: what is attached reaches a participant as text, current and byte for byte', async function () {
    if (!hasChatView) {
      this.skip();
    }
    this.timeout(60_000);
    // The very first request of a window may be lost: asked until one arrives.
    await until(
      'the chat answers',
      async () => {
        await ask('warm up');
        return until('an answer', () => helper.requests.some(({ prompt }) => prompt.includes('warm up')), 5000).catch(
          () => null,
        );
      },
      40_000,
    );
    const { api, at, server } = await begin();
    const result = await api.attach([at('ctx://a'), at('ctx://b')]);
    assert.deepEqual(result.unconfirmed, []);
    assert.deepEqual(result.confirmed.map(String), [at('ctx://a'), at('ctx://b')].map(String));
    await page?.call('waitForChatChip', 'a.txt');
    await page?.call('waitForChatChip', 'b.md');
    await server.control.set('ctx://a', 'the newer text of a');
    await ask('read these');
    const { references } = await answered('read these');
    assert.deepEqual(references, [
      { uri: at('ctx://a').toString(), text: 'the newer text of a' },
      { uri: at('ctx://b').toString(), text: '# the text of b' },
    ]);
  });

  it('A5: what is no text reaches a participant by name, type and size; several parts reach it in order', async function () {
    if (!hasChatView) {
      this.skip();
    }
    this.timeout(60_000);
    const { api, at } = await begin();
    const asked = [at('ctx://paper'), at('ctx://both')];
    const result = await api.attach(asked);
    assert.deepEqual(result.unconfirmed, []);
    assert.deepEqual(result.confirmed.map(String), asked.map(String));
    await page?.call('waitForChatChip', 'About paper.pdf.txt');
    await page?.call('waitForChatChip', 'All Parts.md');
    await ask('read those');
    const { references } = await answered('read those');
    const [paper, both] = references.map(({ text }) => text);
    assert.match(paper ?? '', /Name: paper\.pdf\nType: application\/pdf\nSize: \d+ bytes/);
    assert.doesNotMatch(paper ?? '', /JVBERi|%PDF/);
    assert.match(both ?? '', /part one[^]*part two/);
  });

  it('A4: an image is served byte for byte', async () => {
    const { at } = await begin();
    const bytes = await vscode.workspace.fs.readFile(at('ctx://pic'));
    assert.ok(Buffer.from(fixtureBytes(100)).equals(Buffer.from(bytes)));
  });

  it('A6: sizes are measured by the smallest model listed, exactly where the model is known', async () => {
    const listed = await new ModelWindow(() => undefined).model();
    if (!hasChatView) {
      assert.equal(listed, undefined);
      return;
    }
    assert.deepEqual([listed?.name, listed?.maxInputTokens], ['Recording', 100_000]);
    const large = { id: 'large', name: 'Large', maxInputTokens: 900_000 };
    assert.equal(await new ModelWindow(() => large).model(), large);
    assert.deepEqual(await new ModelWindow(() => listed).count('twelve signs'), { tokens: 12, exact: true });
    assert.deepEqual(await new ModelWindow(() => undefined).count('two words'), { tokens: 2, exact: false });
    assert.deepEqual(await new ModelWindow(() => large).count('two words'), { tokens: 2, exact: false });
  });

  it('A1: what the chat would drop, or cannot be read, is told with its reason', async () => {
    const { api, at } = await begin();
    const { confirmed, unconfirmed } = await api.attach([
      at('ctx://pic'),
      at('ctx://gone'),
      vscode.Uri.file('/etc/hosts'),
    ]);
    assert.deepEqual(confirmed, []);
    assert.deepEqual(
      unconfirmed.map(({ uri }) => uri.toString()).sort(),
      [at('ctx://pic'), at('ctx://gone'), vscode.Uri.file('/etc/hosts')].map(String).sort(),
    );
    const reasonOf = (uri: vscode.Uri) => unconfirmed.find((each) => each.uri.toString() === uri.toString())?.reason;
    // On a local desktop it goes as a file, of which nobody can tell whether the chat took it.
    const isLocal = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
    assert.match(reasonOf(at('ctx://pic')) ?? '', isLocal ? /temporary copy/ : /images/);
    assert.match(reasonOf(at('ctx://gone')) ?? '', /not found/i);
  });

  it('A2: a chat that takes nothing, and no chat view at all, are noticed and told', async function () {
    if (hasChatView) {
      this.skip();
    }
    const { api, at } = await begin();
    const { confirmed, unconfirmed } = await api.attach([at('ctx://a')]);
    assert.deepEqual(confirmed, []);
    assert.deepEqual(
      unconfirmed.map(({ uri }) => uri.toString()),
      [at('ctx://a').toString()],
    );
    assert.match(unconfirmed[0]?.reason ?? '', /may have no chat view|has no chat/);
  });
});
