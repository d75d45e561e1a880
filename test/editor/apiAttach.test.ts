import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hasChat } from './mcpChat';
import { Cleanup, configure, freshId, stdioServer } from './ours';
import { page } from './page';

describe('attaching by the public API', () => {
  const cleanup = new Cleanup();

  before(function () {
    if (!hasChat) {
      this.skip();
    }
  });
  beforeEach(() => vscode.commands.executeCommand('workbench.action.chat.newChat'));
  afterEach(() => cleanup.run());

  const begin = async () => {
    const server = cleanup.add(
      stdioServer({
        resources: [
          { uri: 'api://a', mimeType: 'text/plain', text: 'the text of a' },
          { uri: 'api://private', mimeType: 'text/plain', text: 'mine', annotations: { audience: ['user'] } },
          { uri: 'api://much', mimeType: 'text/plain', contents: [{ text: 'word ', repeat: 60_000 }] },
        ],
      }),
    );
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    await api.resources(id);
    return { api, at: (name: string) => api.documentUri(id, `api://${name}`) };
  };

  // A window of extension tests shows no modal dialog: VS Code refuses it with its words.
  for (const [field, name, title, words] of [
    ['V4', 'private', 'what is meant for the user', /Meant for the user, not for the assistant: api:\/\/private/],
    ['A6', 'much', 'what is much for a chat', /Attach 300 kB, ~\d+k tokens\? That is /],
  ] as const) {
    it(`${field}: ${title} is asked about as by the command, before anything is attached`, async function () {
      this.timeout(60_000);
      const { api, at } = await begin();
      await assert.rejects(api.attach([at('a'), at(name)]), words);
      assert.deepEqual(await page!.call('chatChips'), []);
    });
  }

  it('what is no document of ours comes back with a reason, and the same document goes once', async function () {
    this.timeout(60_000);
    const { api, at } = await begin();
    const hosts = vscode.Uri.file('/etc/hosts');
    const { confirmed, unconfirmed } = await api.attach([hosts, at('a'), at('a')]);
    assert.deepEqual(confirmed.map(String), [at('a').toString()]);
    assert.deepEqual(
      unconfirmed.map(({ uri, reason }) => [uri.path, reason]),
      [['/etc/hosts', 'it is not a document of an MCP resource']],
    );
    await page!.call('waitForChatChip', 'a.txt');
  });
});
