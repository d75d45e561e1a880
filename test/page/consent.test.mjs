import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { configureServers, fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

/** @type {typeof import('../server/fixtureClient')} */
const { startFixture } = createRequire(import.meta.url)(path.join(root, 'dist-test/server/fixtureClient.js'));

/** @typedef {import('../host/workbench.mjs').Workbench} Workbench */

/**
 * Writes a folder's `.vscode/mcp.json`.
 * @param {string} folder
 * @param {Record<string, object>} servers
 */
function configureFolder(folder, servers) {
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ servers }));
}

/** @param {Workbench} workbench */
const question = (workbench) => until('the question', async () => (await workbench.dialogText()) ?? '');

/**
 * @param {Workbench} workbench
 * @param {string} server
 */
const waits = (workbench, server) =>
  until(`${server} waits`, async () =>
    (await workbench.rows()).some(({ label, description }) => label === server && description === 'Not allowed yet'),
  );

describe('consent before a server starts', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {Workbench} */
  let workbench;
  /** @type {import('../server/fixtureClient').HttpFixture} */
  let cloud;
  const resources = [{ uri: 'a://plan', name: 'Plan', text: 'the plan' }];
  const fixtures = fixtureServers({
    docs: { era: 'legacy', scenario: { resources } },
    mine: { era: 'modern', scenario: { resources: [{ uri: 'a://plan', name: 'Mine', text: 'my plan' }] } },
  });
  const launch = fixtures.servers.docs;
  const docs = {
    command: launch.command,
    args: ['--title=two words', ...launch.args],
    env: {
      ...launch.env,
      API_TOKEN: 'zq9-secret',
      NODE_OPTIONS: '--max-http-header-size=20000',
      PIP_INDEX_URL: 'https://me:zq9-pass@pip.example',
    },
    cwd: '.',
    envFile: '.env',
  };
  const many = Array.from({ length: 12 }, (_, index) => `UV_${index}`);
  /** @type {Record<string, object>} */
  let servers;
  const processes = async () => (await launch.control.processes()).filter(({ alive }) => alive);

  before(async () => {
    cloud = await startFixture({
      era: 'modern',
      scenario: { resources: [{ uri: 'a://sky', name: 'Sky', text: 'x' }] },
    });
    servers = {
      docs,
      cloud: { type: 'http', url: cloud.url, headers: { 'X-Team': 'zq9-team' }, oauth: { clientId: 'our-client' } },
      lan: { type: 'http', url: 'http://192.168.7.7:9/mcp' },
    };
    window = await openWindow({
      settings: { 'mcpResources.autoConnect': ['*'] },
      prepare: (prepared) => {
        configureFolder(prepared.folder, servers);
        writeFileSync(
          path.join(prepared.folder, '.env'),
          ['FILE_TOKEN=zq9-file', 'NODE_PATH=zq8-path', ...many.map((name) => `${name}=1`)].join('\n'),
        );
        configureServers(prepared, { mine: fixtures.servers.mine });
      },
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
  });

  afterEach(async () => {
    assert.equal(await workbench.dialogText(), undefined, 'no dialog is left');
    await workbench.press('Escape');
  });

  after(async () => {
    await window?.close();
    await cloud?.stop();
    await fixtures.dispose();
  });

  it('what comes with the folder waits, although all are to connect by themselves; the user’s own starts', async () => {
    for (const server of ['docs', 'cloud', 'lan']) {
      await waits(workbench, server);
    }
    await until('the user’s own is started', async () => (await fixtures.servers.mine.control.processes()).length > 0);
    assert.equal(await workbench.dialogText(), undefined);
    assert.deepEqual(await workbench.notifications(), []);
    assert.deepEqual([await processes(), await cloud.requests()], [[], []]);
    assert.deepEqual(await workbench.inlineActions('docs'), ['Allow…', 'Show Log']);
  });

  it('X9: the dialog shows command, arguments, folder and environment names before anything runs', async () => {
    await workbench.expand('docs');
    const text = await question(workbench);
    assert.match(text, /Allow server "docs" to run this program\?/);
    const lines = text.split('\n').map((line) => line.trim());
    for (const line of [
      `Command: ${docs.command}`,
      `Folder: ${window.folder}`,
      `Environment variables: ${Object.keys(docs.env).join(', ')}`,
      'Environment variable that decides what runs: NODE_OPTIONS=--max-http-header-size=20000',
      'Environment variable that decides what runs: PIP_INDEX_URL=https://••••••@pip.example',
      'Environment file: .env',
      `Variables in that file: FILE_TOKEN, NODE_PATH, ${many.join(', ')}`,
      'Variable in that file that decides what runs: NODE_PATH=zq8-path',
      'Variable in that file that decides what runs: UV_8=1',
      '3 more that decide what runs are not shown here.',
      'Configured in: .vscode/mcp.json',
    ]) {
      assert.ok(lines.includes(line), `${line} in ${text}`);
    }
    assert.ok(
      lines.some((line) => line.startsWith('Arguments: "--title=two words" ')),
      text,
    );
    assert.ok(text.includes(launch.args[0] ?? '-'), text);
    assert.ok(!text.includes('zq9'), 'no value');
    assert.ok(!text.includes('Changed'));
    await workbench.screenshot(path.join(root, 'dist-test/consent-process.png'));
    await workbench.answerDialog('Cancel');
    await waits(workbench, 'docs');
    await workbench.waitForRow('Not allowed yet: it comes from .vscode/mcp.json, and starts only after you said yes.');
    assert.deepEqual(await workbench.notifications(), []);
    assert.deepEqual(await processes(), []);
  });

  it('X9: of an address the dialog shows URL and header names, and that it is near', async () => {
    await workbench.clickInlineAction('cloud', 'Allow…');
    const text = await question(workbench);
    assert.match(text, /Allow a connection to server "cloud"\?/);
    assert.ok(text.includes(`Address: ${cloud.url}\n`), text);
    assert.match(text, /This is an address of the computer that the extension runs on\./);
    assert.match(text, /Headers: X-Team\n+Client id to sign in with: our-client\n/);
    assert.ok(!text.includes('zq9') && !text.includes('not encrypted'), text);
    assert.deepEqual(await cloud.requests(), []);
    await workbench.answerDialog('Allow');
    await workbench.expand('cloud');
    await workbench.waitForRow('Sky');

    await workbench.clickInlineAction('lan', 'Allow…');
    const near = await question(workbench);
    assert.match(near, /Address: http:\/\/192\.168\.7\.7:9\/mcp\n/);
    assert.match(near, /This is an address of a private network\.\n+The connection to this address is not encrypted\./);
    await workbench.answerDialog('Cancel');
    await waits(workbench, 'lan');
  });

  it('Diagnose and the report say what is so, and the configuration is one click away', async () => {
    await workbench.contextMenu('docs');
    await workbench.chooseFromMenu('Diagnose…');
    await until('the line', async () => (await workbench.choices())[0] === 'You have not allowed it to start.');
    await workbench.choose('You have not allowed it to start.');
    await question(workbench);
    await workbench.answerDialog('Show Configuration');
    await workbench.waitForTab('mcp.json');
    await workbench.waitForEditorText('"docs"');
    assert.deepEqual(await processes(), []);
    await workbench.closeEditors();
    await workbench.runCommand('MCP Resources: Copy Diagnostics');
    await workbench.waitForNotification('The diagnostics are on the clipboard');
    const report = String(await window.page.evaluate('navigator.clipboard.readText()'));
    assert.match(
      report,
      /Server docs\n.*configured in: \.vscode\/mcp\.json\n {2}state: waiting \(Not allowed yet: it comes from/,
    );
    assert.doesNotMatch(report, /error: Not allowed yet|failed: Not allowed yet/);
    await workbench.clearNotifications();
  });

  it('a yes starts it, and is remembered: a restored tab and the tree need none again', async () => {
    await workbench.clickRow('Not allowed yet: it comes from .vscode/mcp.json, and starts only after you said yes.');
    await question(workbench);
    await until('the tree says so', async () =>
      (await workbench.rows()).some(
        ({ label, description }) => label === 'docs' && description === 'waiting for your answer',
      ),
    );
    const rows = (await workbench.rows()).map(({ label }) => label);
    assert.ok(!rows.some((label) => label.startsWith('The list failed')), rows.join('\n'));
    await workbench.answerDialog('Allow');
    await workbench.waitForRow('Plan');
    await workbench.clickRow('Plan');
    await workbench.waitForEditorText('the plan');
    assert.equal((await processes()).length, 1);
    await workbench.runCommand('View: Keep Editor');
    await workbench.reload();
    await workbench.waitForEditorText('the plan');
    await workbench.waitForRow('Sky');
    assert.equal(await workbench.dialogText(), undefined);
  });

  it('a changed definition waits with its open tab, and the dialog says what changed', async () => {
    // Too long to be shown whole: what is at its end is seen all the same.
    const args = [`--title=${'other '.repeat(500)}`, ...launch.args];
    const next = { ...docs, args, env: { ...docs.env, API_TOKEN: 'zq9-other' } };
    servers = { ...servers, docs: next };
    configureFolder(window.folder, servers);
    await waits(workbench, 'docs');
    assert.equal(await workbench.dialogText(), undefined);
    await until('the old process is gone', async () => (await processes()).length === 0);
    await workbench.waitForRow(
      'Not allowed yet: its configuration has changed (the arguments, the environment variables).',
    );
    await workbench.reload();
    await waits(workbench, 'docs');
    // VS Code never shows why an editor failed to open: the status bar does.
    await workbench.waitForEditorText('could not be opened');
    const why = 'Not up to date: Not allowed yet: its configuration has changed';
    await window.page.locator(`.part.statusbar [aria-label*="${why}"]`).first().waitFor();
    assert.equal(await workbench.dialogText(), undefined, 'neither a restored tab nor an open node asks');
    assert.deepEqual(await processes(), []);

    await workbench.runCommand('MCP Resources: Refresh Active Resource');
    await question(workbench);
    const asked = Date.now();
    await until('it has been asked for longer than a reading without progress', async () => {
      assert.deepEqual(await workbench.notifications(), [], 'no progress beside the question');
      return Date.now() - asked > 2000;
    });
    await workbench.answerDialog('Cancel');
    await waits(workbench, 'docs');
    assert.deepEqual(await workbench.notifications(), []);

    writeFileSync(path.join(window.folder, '.env'), 'OTHER_TOKEN=zq9-new\nNODE_PATH=zq8-other\n');
    await workbench.clickInlineAction('docs', 'Allow…');
    const text = await question(workbench);
    assert.match(
      text,
      /allowed it: the arguments, the environment variables, what the environment file sets\.\n+New or changed in the environment file: NODE_PATH=zq8-other, OTHER_TOKEN\n+Some variables are no longer set in the environment file\.\n/,
    );
    assert.match(text, /Arguments: "--title=other .* … .*\([\d,]+ characters in all/);
    assert.ok(text.includes(` ${launch.args.at(-1)} (`), text);
    assert.ok(!text.includes('zq9'), 'no value');
    await workbench.answerDialog('Allow');
    await workbench.waitForRow('Plan');
    await workbench.waitForEditorText('the plan');
    assert.equal((await processes()).length, 1);
  });

  it('X4: a copy of an allowed server, and one that shadows a trusted one, have no yes of their own', async () => {
    const { command, args, env } = fixtures.servers.mine;
    const running = async () => (await fixtures.servers.mine.control.processes()).filter(({ alive }) => alive);
    await until('the user’s own runs', async () => (await running()).length === 1);
    configureFolder(window.folder, { ...servers, copy: servers.docs, mine: { command, args, env } });
    await waits(workbench, 'copy');
    await waits(workbench, 'mine');
    await until('what ran under the name is gone', async () => (await running()).length === 0);
    assert.equal(await workbench.dialogText(), undefined);
    assert.equal((await processes()).length, 1);
    configureFolder(window.folder, servers);
    await until('the user’s own counts again', async () => (await running()).length === 1);
    assert.equal(await workbench.dialogText(), undefined);
  });

  it('Reset Trust says of how many servers, stops them, and each is asked about anew', async () => {
    await workbench.runCommand('MCP Resources: Reset Trust');
    assert.match(await question(workbench), /Forget that 3 servers may start\?/);
    await workbench.answerDialog('Cancel');
    assert.equal((await processes()).length, 1);
    await workbench.runCommand('MCP Resources: Reset Trust');
    await question(workbench);
    await workbench.answerDialog('Reset Trust');
    await until('it is stopped', async () => (await processes()).length === 0);
    await workbench.clickInlineAction('docs', 'Start Server');
    assert.match(await question(workbench), /Allow server "docs" to run this program\?/);
    await workbench.answerDialog('Cancel');
    await workbench.waitForRow('Not allowed yet: trust was reset.');
    await workbench.clickInlineAction('mine', 'Start Server');
    await question(workbench);
    await workbench.answerDialog('Cancel');
    await waits(workbench, 'mine');
  });
});

describe('consent in a folder that was just trusted', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  after(() => window?.close());

  it('X1: granting trust starts nothing yet and takes no reload; a yes starts the one server it was said to', async () => {
    window = await openWindow({
      workspace: 'restricted',
      settings: { 'security.workspace.trust.enabled': true, 'mcpResources.autoConnect': ['*'] },
    });
    const { workbench, folder } = window;
    const started = () => existsSync(path.join(folder, 'started'));
    await workbench.openView('MCP Resources');
    assert.match(await workbench.welcome(), /This folder is not trusted/);
    await workbench.grantTrust();
    await workbench.closeEditors();
    await workbench.screenshot(path.join(root, 'dist-test/consent-trust.png'));
    for (const server of ['evil-too', 'evil', 'evil-mcp', 'evil-cursor']) {
      await waits(workbench, server);
    }
    await workbench.clickInlineAction('evil-too', 'Allow…');
    assert.match(await question(workbench), /Configured in: workspace setting mcpResources\.servers/);
    assert.equal(started(), false);
    await workbench.answerDialog('Allow');
    await until('it was started', started);
    await waits(workbench, 'evil');
  });
});

describe('consent in a multi-root workspace', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  const fixtures = fixtureServers({
    one: { era: 'legacy', scenario: { resources: [{ uri: 'a://a', name: 'One', text: 'of one' }] } },
    two: { era: 'modern', scenario: { resources: [{ uri: 'a://a', name: 'Two', text: 'of two' }] } },
  });
  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  it('each folder’s server of one name has a yes of its own, and an edit of one leaves the other alone', async () => {
    /** @param {'one' | 'two'} name */
    const entry = (name) => {
      const { command, args, env } = fixtures.servers[name];
      return { command, args, env };
    };
    window = await openWindow({
      workspace: 'multi',
      prepare: ({ folder }) => {
        configureFolder(path.join(folder, 'one'), { docs: entry('one') });
        configureFolder(path.join(folder, 'two'), { docs: entry('two') });
      },
    });
    const { workbench, folder } = window;
    await workbench.openView('MCP Resources');
    await workbench.expand('one/docs');
    assert.ok((await question(workbench)).includes(`Folder: ${path.join(folder, 'one')}`));
    await workbench.answerDialog('Allow');
    await workbench.waitForRow('One');
    await workbench.expand('two/docs');
    await question(workbench);
    await workbench.answerDialog('Allow');
    await workbench.waitForRow('Two');
    await workbench.clickRow('Two');
    await workbench.waitForEditorText('of two');
    await workbench.clickRow('One');
    await workbench.waitForEditorText('of one');
    configureFolder(path.join(folder, 'one'), { docs: { ...entry('one'), cwd: '..' } });
    await waits(workbench, 'one/docs');
    await workbench.clickRow('Two');
    await workbench.waitForEditorText('of two');
    assert.equal((await fixtures.servers.two.control.processes()).length, 1);
  });
});
