import assert from 'node:assert/strict';
import * as vscode from 'vscode';
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
    assert.match(reasonOf(at('ctx://pic')) ?? '', /images/);
    assert.match(reasonOf(at('ctx://gone')) ?? '', /not found/i);
  });

  it('a host without a chat view: the attachment is said to be unconfirmed', async function () {
    if (hasChatView) {
      this.skip();
    }
    const { api, at } = await begin();
    const { confirmed, unconfirmed } = await api.attach([at('ctx://a')]);
    assert.deepEqual(confirmed, []);
    assert.equal(unconfirmed.length, 1);
  });
});
