import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, toolNames } from '../../src/ids';
import { until } from '../until';
import { Cleanup, configure, freshId, stdioServer } from './ours';
import { page } from './page';
import { invoke, question, readAnd, textOf } from './toolCalls';

describe('tools of the agent under attack', () => {
  const cleanup = new Cleanup();

  before(function () {
    if (!page) {
      this.skip();
    }
  });
  afterEach(async () => {
    await vscode.commands.executeCommand(commandIds.forgetToolGrants);
    await cleanup.run();
  });

  it('X4: what was allowed of a server holds for no name that is nearly the same', async function () {
    this.timeout(60_000);
    const id = freshId();
    const server = cleanup.add(stdioServer({ resources: [{ uri: 'a://x', mimeType: 'text/plain', text: 'first' }] }));
    const ours = await configure({ [id]: server.entry });
    await ours.connect(id);
    await readAnd('Always Allow This Server', { server: id, uri: 'a://x' });
    assert.match(textOf(await invoke(toolNames.read, { server: id, uri: 'a://x' })), /first/);
    for (const near of [id.toUpperCase(), ` ${id}`, `${id} `, `${id}\u200b`, `${id}/`, '__proto__', 'constructor']) {
      await assert.rejects(async () => invoke(toolNames.read, { server: near, uri: 'a://x' }), /No server is named/);
      await assert.rejects(async () => invoke(toolNames.list, { server: near }), /No server is named/);
    }
  });

  it('X2: a URI can forge no answer, no line and no other URI in the question', async function () {
    this.timeout(60_000);
    const uris = [
      'a://x\n\nAllow Once\n',
      'a://safe\u202egpj.exe\u2066',
      'a://[yes](command:workbench.action.quit)$(check) <b>',
      `a://safe${' '.repeat(3)}hidden`,
      `a://safe${'\u00a0'.repeat(200)}/secret`,
      `a://${'x'.repeat(2000)}/end`,
    ];
    const server = cleanup.add(stdioServer({ resources: uris.map((uri) => ({ uri, text: 'x' })) }));
    const id = freshId();
    const ours = await configure({ [id]: server.entry });
    await ours.connect(id);
    const asked: string[] = [];
    for (const uri of uris) {
      asked.push((await readAnd('Do Not Allow', { server: id, uri })).asked);
    }
    assert.deepEqual(
      asked.map((text) => text.split('Allow Once').length - 1),
      [2, 1, 1, 1, 1, 1],
      'a row of its own beside the answer',
    );
    assert.match(asked[0]!, /a:\/\/x\\u\{A\}\\u\{A\}Allow Once\\u\{A\}/);
    assert.match(asked[1]!, /a:\/\/safe\\u\{202E\}gpj\.exe\\u\{2066\}/);
    assert.ok(asked[2]!.includes('a://[yes] (command:workbench.action.quit)$ (check) <b>'), asked[2]);
    assert.match(asked[4]!, /\/\s*s\s*e\s*c\s*r\s*e\s*t|characters in all/);
    assert.match(asked[5]!, /2008 characters in all/);
    assert.deepEqual(await server.control.requests('resources/read'), []);
    // What white space hides would be another resource.
    assert.ok(!asked[3]!.includes('a://safe hidden'), asked[3]);
  });

  it('a call that is cancelled while a person is asked takes its question away, and asks no server', async () => {
    const server = cleanup.add(stdioServer({ resources: [{ uri: 'a://x', text: 'x' }] }));
    const id = freshId();
    const ours = await configure({ [id]: server.entry });
    await ours.connect(id);
    const source = new vscode.CancellationTokenSource();
    const ended = assert.rejects(
      async () => invoke(toolNames.read, { server: id, uri: 'a://x' }, { token: source.token }),
      /Cancell?ed/i,
    );
    await question();
    source.cancel();
    await ended;
    await until('the question is gone', async () => (await page!.call('pickerText')) === undefined);
    assert.deepEqual(await server.control.requests('resources/read'), []);
    assert.match((await readAnd('Allow Once', { server: id, uri: 'a://x' })).text, /x\n```/);
  });

  it('arguments of any kind are answered in words that help', async () => {
    const server = cleanup.add(stdioServer({ resources: [{ uri: 'a://x', text: 'one\r\n😀two' }] }));
    const id = freshId();
    const ours = await configure({ [id]: server.entry });
    await ours.connect(id);
    await readAnd('Always Allow This Server', { server: id, uri: 'a://x' });
    const wrong: [object, RegExp][] = [
      [{}, /"server" is missing/],
      [{ server: id }, /"uri" is missing/],
      [{ server: id, uri: '' }, /"uri" is missing/],
      [{ server: [id], uri: 'a://x' }, /"server" must be a text/],
      [{ server: id, uri: 'a://x', startLine: 0 }, /whole number, 1 or more/],
      [{ server: id, uri: 'a://x', startLine: -5 }, /whole number, 1 or more/],
      [{ server: id, uri: 'a://x', startLine: 1e300 }, /whole number, 1 or more/],
      [{ server: id, uri: 'a://x', startLine: 3 }, /the text has 2 lines/],
      [{ server: id, uri: 'a://x', startCharacter: 99 }, /the text ends before it/],
      [{ server: id, uri: 'a://x', part: 2 }, /the resource has 1 parts/],
      [{ server: id, uri: 'a://x', maxCharacters: '5' }, /whole number/],
    ];
    for (const [input, words] of wrong) {
      await assert.rejects(async () => invoke(toolNames.read, input), words, JSON.stringify(input));
    }
    const within = { server: id, uri: 'a://x', startLine: 2, startCharacter: 2, maxCharacters: 1 };
    assert.match(textOf(await invoke(toolNames.read, within)), /```\n😀\n```/);
    assert.match(textOf(await invoke(toolNames.list, { server: id, offset: 1e9 })), /Entries: none from 1000000000 on/);
  });

  it('F8: 50 MB are copied as context whole', async function () {
    this.timeout(120_000);
    const server = cleanup.add(
      stdioServer({
        resources: [
          { uri: 'a://big', mimeType: 'text/plain', contents: [{ text: 'x'.repeat(50), repeat: 1024 * 1024 }] },
        ],
      }),
    );
    const id = freshId();
    const ours = await configure({ [id]: server.entry });
    await ours.connect(id);
    const resource = {
      kind: 'resource',
      server: { kind: 'server', connection: { id } },
      entry: { uri: 'a://big', name: 'x' },
    };
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand(commandIds.copyAsContext, resource);
    const text = await vscode.env.clipboard.readText();
    assert.ok(text.length > 50 * 1024 * 1024, String(text.length));
    assert.match(text.slice(-40), /End of data [0-9a-f]{24}\n$/);
    await vscode.env.clipboard.writeText('');
  });
});
