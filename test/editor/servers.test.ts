import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../until';
import {
  api,
  Cleanup,
  configure,
  freshId,
  httpServer,
  show,
  stdioServer,
  type StdioServer,
  untilText,
  userServers,
  writeConfig,
  writeWorkspaceConfig,
} from './ours';

/** When the last read of a server was asked for; milliseconds since the epoch. */
async function lastRead(server: StdioServer): Promise<number> {
  return (await server.control.requests('resources/read')).at(-1)?.at ?? 0;
}

describe('servers', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const waitsForConsent = async (id: string, why: string): Promise<void> => {
    await until(`${id} waits`, async () => (await stateOf(id))?.state === 'failed');
    assert.equal((await stateOf(id))?.error, why);
  };

  const stateOf = async (id: string) => (await api()).servers().find((server) => server.id === id);

  it('C14: configured servers are shown at once, and none is started before it is needed', async () => {
    const server = cleanup.add(stdioServer({}));
    const id = freshId();
    await configure({ [id]: server.entry });
    assert.equal((await stateOf(id))?.state, 'notConnected');
    assert.deepEqual(await server.control.processes(), []);
  });

  it('C3: another command line ends the old process, and the new one waits for a yes', async () => {
    const id = freshId();
    const before = cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text: 'before' }] }));
    const after = cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text: 'after' }] }, 'modern'));
    const ours = await configure({ [id]: before.entry });
    await ours.connect(id);
    const uri = ours.documentUri(id, 'c://d');
    await show(uri);
    await untilText(uri, 'before');
    await configure({ [id]: after.entry });
    await until('the old process is gone', async () => (await before.control.processes()).every(({ alive }) => !alive));
    await waitsForConsent(id, 'Not allowed yet: its configuration has changed (the arguments).');
    assert.equal(vscode.window.activeTextEditor?.document.getText(), 'before', 'the tab shows what it knew');
    assert.deepEqual(await after.control.processes(), []);
    await configure({ [id]: before.entry });
    await until('it waits no more', async () => (await stateOf(id))?.state !== 'failed');
    await ours.connect(id);
    assert.equal((await stateOf(id))?.state, 'connected', 'what ran before may run again');
    await configure({});
    assert.equal(await stateOf(id), undefined);
  });

  it('C3: another address is not contacted before a yes', async () => {
    const id = freshId();
    const one = cleanup.add(await httpServer({ resources: [{ uri: 'c://d', text: 'one' }] }));
    const two = cleanup.add(await httpServer({ resources: [{ uri: 'c://d', text: 'two' }] }, 'modern'));
    const ours = await configure({ [id]: one.entry });
    await ours.connect(id);
    await show(ours.documentUri(id, 'c://d'));
    await untilText(ours.documentUri(id, 'c://d'), 'one');
    await configure({ [id]: two.entry });
    await waitsForConsent(id, 'Not allowed yet: its configuration has changed (the address).');
    assert.deepEqual(await two.requests(), []);
  });

  it('a time limit that is too long for any clock is no limit of a moment', async () => {
    const id = freshId();
    const server = cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text: 'x' }] }));
    const settings = vscode.workspace.getConfiguration('mcpResources');
    await settings.update('startTimeout', { [id]: 1e9 }, vscode.ConfigurationTarget.Global);
    try {
      const ours = await configure({ [id]: server.entry });
      await ours.connect(id);
      assert.equal((await stateOf(id))?.state, 'connected');
    } finally {
      await settings.update('startTimeout', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('C4: comments and trailing commas are read, and a broken entry does not drop the others', async () => {
    const good = cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text: 'x' }] }));
    const [id, bad] = [freshId(), freshId()];
    writeConfig(`{
      // a comment
      "servers": {
        ${JSON.stringify(bad)}: { "type": "carrier-pigeon", "url": 5 },
        /* another */
        ${JSON.stringify(id)}: ${JSON.stringify(good.entry)},
      },
    }`);
    await until('both entries', async () => userServers(await api()).length === 2);
    const broken = await stateOf(bad);
    assert.equal(broken?.state, 'failed');
    assert.match(broken.error ?? '', /carrier-pigeon/);
    assert.equal((await (await api()).resources(id)).length, 1);
  });

  it('C4: a colon that is missing ends no server, is told with its line, and starts nothing that is none', async () => {
    const server = cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text: 'x' }] }));
    const [first, id] = [freshId(), freshId()];
    const text = `{ "servers": {\n  "${first}": { "command": "no-such", "args": [] },\n  "${id}": ${JSON.stringify(server.entry)} } }`;
    writeConfig(text);
    await until('both', async () => userServers(await api()).length === 2);
    const ours = await api();
    await ours.connect(id);
    writeConfig(text.replace(`"${first}": {`, `"${first}" {`));
    await until('the fault is told', async () => userServers(await api()).length === 3);
    const fault = ours.servers().find(({ error }) => error?.includes('is not valid JSON'));
    assert.match(fault?.error ?? '', /The file is not valid JSON: a colon is missing \(user mcp\.json.*, line 2\)\./);
    assert.deepEqual(new Set(userServers(ours).map((one) => one.id)), new Set([fault?.id, first, id]));
    assert.equal((await stateOf(id))?.state, 'connected');
    assert.equal((await server.control.processes()).filter(({ alive }) => alive).length, 1);
    writeConfig(text);
    await until('it is mended', async () => userServers(await api()).length === 2);
    assert.equal((await stateOf(id))?.state, 'connected');
  });

  it('C5: a server that never answers does not delay another', async () => {
    const stalled = cleanup.add(stdioServer({ methods: { '*': { never: true } }, probe: 'ignore' }));
    const good = cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text: 'x' }] }));
    const [slow, fast] = [freshId(), freshId()];
    const ours = await configure({ [slow]: stalled.entry, [fast]: good.entry });
    const waiting = ours.connect(slow);
    waiting.catch(() => undefined);
    const begun = Date.now();
    assert.equal((await ours.resources(fast)).length, 1);
    assert.ok(Date.now() - begun < 2000, 'the good one is listed within two seconds');
    assert.equal((await stateOf(slow))?.state, 'connecting');
  });

  it('C5: the time to start is a setting, and the failure says so', async () => {
    const stalled = cleanup.add(stdioServer({ methods: { '*': { never: true } }, probe: 'ignore' }));
    const id = freshId();
    const settings = vscode.workspace.getConfiguration('mcpResources');
    await settings.update('startTimeout', { [id]: 1 }, vscode.ConfigurationTarget.Global);
    try {
      const ours = await configure({ [id]: stalled.entry });
      await assert.rejects(ours.connect(id), /did not answer within 1 s.*startTimeout/);
      assert.equal((await stateOf(id))?.state, 'failed');
    } finally {
      await settings.update('startTimeout', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('V7: a broken server says why, and is started again on demand', async () => {
    const id = freshId();
    const ours = await configure({ [id]: { command: 'no-such-command-here', args: [] } });
    await assert.rejects(ours.connect(id), /"no-such-command-here" was not found/);
    const failed = await stateOf(id);
    assert.equal(failed?.state, 'failed');
    assert.match(failed.error ?? '', /Check that it is installed/);
  });

  it('C1: an empty variable does not cost the environment', async () => {
    const id = freshId();
    // By name: found through the inherited PATH, as `npx` would be.
    const ours = await configure({
      [id]: { command: 'node', args: ['-e', 'setTimeout(() => {}, 60000)'], env: { A: '', VSCODE_TEST: null } },
    });
    ours.connect(id).catch(() => undefined);
    await until('it is starting', async () => (await stateOf(id))?.state === 'connecting');
    await configure({});
  });

  it('the setting wins over the workspace, the workspace over the user, and each follows edits', async () => {
    const id = freshId();
    const [user, workspace, setting] = ['user', 'workspace', 'setting'].map((text) =>
      cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text }] })),
    );
    const settings = vscode.workspace.getConfiguration('mcpResources');
    const sourceIs = (source: string) =>
      until(`from the ${source}`, async () => (await stateOf(id))?.source === source);
    try {
      await configure({ [id]: user!.entry });
      writeWorkspaceConfig({ [id]: workspace!.entry });
      await sourceIs('workspace');
      await settings.update('servers', { [id]: setting!.entry }, vscode.ConfigurationTarget.Global);
      await sourceIs('setting');
      const ours = await api();
      await ours.connect(id);
      const uri = ours.documentUri(id, 'c://d');
      assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), 'setting');
      await settings.update('servers', undefined, vscode.ConfigurationTarget.Global);
      await sourceIs('workspace');
      writeWorkspaceConfig({});
      await sourceIs('user');
    } finally {
      await settings.update('servers', undefined, vscode.ConfigurationTarget.Global);
      writeConfig('{}');
      writeWorkspaceConfig({});
    }
    await until('nothing is left', async () => (await stateOf(id)) === undefined);
  });

  it('C3: the folder’s files of other tools count after .vscode/mcp.json, and follow edits', async () => {
    const [one, two] = [freshId(), freshId()];
    const folder = process.env.MCP_RESOURCES_TEST_WORKSPACE ?? '';
    const files = ['.mcp.json', '.cursor/mcp.json'].map((name) => join(folder, name));
    const write = (file: string, servers: Record<string, string>): void => {
      mkdirSync(dirname(file), { recursive: true });
      const entries = Object.entries(servers).map(([name, type]) => [name, { type }] as const);
      writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
    };
    // An unknown type is repeated in the error: it tells which file counts.
    const counts = (id: string, type: string) =>
      until(`${type} counts`, async () => (await stateOf(id))?.error?.includes(`"${type}"`) ?? false);
    try {
      write(files[1]!, { [one]: 'cursor', [two]: 'cursor' });
      await counts(one, 'cursor');
      write(files[0]!, { [one]: 'claude' });
      await counts(one, 'claude');
      await counts(two, 'cursor');
      write(files[0]!, { [one]: 'edited' });
      await counts(one, 'edited');
      writeWorkspaceConfig({ [one]: { type: 'vscode' } });
      await counts(one, 'vscode');
    } finally {
      files.forEach((file) => rmSync(file, { force: true }));
      writeWorkspaceConfig({});
    }
    await until('nothing is left', async () => (await api()).servers().length === 0);
  });

  it('a server that is to connect by itself does', async () => {
    const id = freshId();
    const server = cleanup.add(stdioServer({ resources: [{ uri: 'c://d', text: 'x' }] }));
    const settings = vscode.workspace.getConfiguration('mcpResources');
    await settings.update('autoConnect', [id], vscode.ConfigurationTarget.Global);
    try {
      await configure({ [id]: server.entry });
      await until('it is connected', async () => (await stateOf(id))?.state === 'connected');
    } finally {
      await settings.update('autoConnect', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('S11: a visible document that is not live is read again in the interval that was set, and only then', async () => {
    const id = freshId();
    const resources = [{ uri: 'p://p', text: 'before' }];
    const server = cleanup.add(stdioServer({ resources, capabilities: { resources: {} } }));
    const settings = vscode.workspace.getConfiguration('mcpResources');
    const ours = await configure({ [id]: server.entry });
    await ours.connect(id);
    const uri = ours.documentUri(id, 'p://p');
    await show(uri);
    await settings.update('pollInterval', { [id]: 1 }, vscode.ConfigurationTarget.Global);
    try {
      await server.control.set('p://p', 'after', { notify: false });
      await untilText(uri, 'after');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const reads = async () => (await server.control.requests('resources/read')).length;
      const closed = await reads();
      // Longer than two intervals, as seen by another resource of the server.
      await ours.resources(id);
      await until('time has passed', async () => Date.now() - (await lastRead(server)) > 2500);
      assert.equal(await reads(), closed);
    } finally {
      await settings.update('pollInterval', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('the sample server serves every kind of resource', async () => {
    await vscode.commands.executeCommand('mcpResources.trySampleServer');
    const ours = await api();
    await until('it is connected', async () => (await stateOf('sample'))?.state === 'connected');
    const resources = await ours.resources('sample');
    assert.ok(resources.length >= 5);
    const counter = resources.find(({ uri }) => uri.includes('counter'));
    assert.ok(counter);
    const uri = ours.documentUri('sample', counter.uri);
    await show(uri);
    const first = vscode.window.activeTextEditor?.document.getText();
    await until('the counter ticks', () => vscode.window.activeTextEditor?.document.getText() !== first);
    await vscode.commands.executeCommand('mcpResources.removeSampleServer');
    await until('it is gone', async () => (await stateOf('sample')) === undefined);
  });
});
