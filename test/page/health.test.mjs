import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

describe('why a server is empty or not updating', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const fixtures = fixtureServers({
    mute: {
      era: 'legacy',
      scenario: { resources: [{ uri: 'a://x', name: 'X', text: 'x' }], capabilities: { resources: {} } },
    },
    well: { era: 'legacy', scenario: { resources: [{ uri: 'w://one', name: 'Only', text: 'one' }] } },
    tools: { era: 'modern', scenario: { capabilities: { tools: {} } } },
    clash: {
      era: 'legacy',
      scenario: { stdio: { exitAtStart: 3, stderr: ['Error: listen EADDRINUSE: address already in use :::3000'] } },
    },
  });

  before(async () => {
    window = await openWindow({ prepare: (workspace) => fixtures.configure(workspace) });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('mute');
  });

  afterEach(() => workbench.press('Escape'));

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  /** @param {string} server */
  const diagnose = async (server) => {
    await workbench.contextMenu(server);
    await workbench.chooseFromMenu('Diagnose…');
    const title = window.page.locator('.quick-input-title');
    await title.getByText(`Why is “${server}” empty or not updating?`).waitFor();
    // Each line has a second one below it that says more.
    return (await workbench.choices()).filter((_, index) => index % 2 === 0).map((answer) => answer.trim());
  };

  it('a server that is not connected is started from the answer', async () => {
    assert.deepEqual(await diagnose('mute'), ['It is not connected.']);
    assert.match((await workbench.pickerText()) ?? '', /→ Start Server/);
    await workbench.choose('It is not connected.');
    await until('it is connected', async () => (await fixtures.servers.mute.control.processes()).length > 0);
    await workbench.expand('mute');
    await workbench.waitForRow('X');
    await workbench.press('Escape');
    const connected = await diagnose('mute');
    assert.deepEqual(connected.slice(0, 2), [
      'The server does not tell when a resource changes.',
      'The server does not tell when its list changes.',
    ]);
    assert.ok(connected.includes('VS Code may run a process of its own of this server.'));
    assert.match(connected.at(-1) ?? '', /^It speaks version 20\d\d-\d\d-\d\d of the protocol\.$/);
  });

  it('where nothing is wrong it is said how much is listed and open, in plain words', async () => {
    await workbench.expand('well');
    await workbench.waitForRow('Only');
    await diagnose('well');
    const words = (await workbench.pickerText()) ?? '';
    assert.match(words, /Nothing wrong was found\.\s+Resources listed: 1\. None is open\./);
    assert.match(words, /For each open resource the server is asked to tell when it changes\./);
  });

  it('a server without resources says what it may be for', async () => {
    await workbench.expand('tools');
    await workbench.waitForRow('This server offers no resources.');
    assert.equal((await diagnose('tools'))[0], 'This server offers no resources.');
  });

  it('a port that is taken is recognised in the words of the server', async () => {
    await workbench.expand('clash');
    await until('it has failed', async () =>
      (await workbench.rows()).some(({ label }) => label.startsWith('Its process exited')),
    );
    const lines = await diagnose('clash');
    assert.deepEqual(lines, [
      'The connection failed.',
      'A port that it needs is taken, maybe by another process of the same server.',
      'It can be tried again.',
      'VS Code may run a process of its own of this server.',
    ]);
    const before = (await fixtures.servers.clash.control.processes()).length;
    const said = (await workbench.pickerText()) ?? '';
    assert.match(
      said,
      /The connection failed\.\s*→ Show Log\s*Its process exited with code 3: Error: listen EADDRINUSE/,
    );
    assert.match(said, /It can be tried again\.\s*→ Start Server/);
    await workbench.choose('The connection failed.');
    await until(
      'the log is there',
      async () => await window.page.locator('.output-view-content, .part.panel').first().isVisible(),
    );
    assert.equal((await fixtures.servers.clash.control.processes()).length, before, 'nothing is started');
  });

  it('the report is copied', async () => {
    await workbench.runCommand('MCP Resources: Copy Diagnostics');
    await workbench.waitForNotification(
      'The diagnostics are on the clipboard, without secrets. Errors in them may name folders and addresses.',
    );
    const text = await window.page.evaluate('navigator.clipboard.readText()');
    assert.match(
      String(text),
      /^MCP Resources \d+\.\d+\.\d+, .*\n.*trusted: true\ntools of the chat: .*\n\nServer mute\n {2}transport: stdio/,
    );
    assert.match(String(text), /Server clash\n(.*\n)* {2}last warnings and errors:\n/);
    assert.ok(!String(text).includes('fixture.js'), 'no command line');
  });
});
