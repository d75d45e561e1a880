import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const idle = { command: 'node', args: ['-e', ''] };

/**
 * @param {string} file
 * @param {unknown} content
 */
function write(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

describe('where servers are configured', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const offer = '2 servers found in Cursor’s configuration';

  before(async () => {
    window = await openWindow({
      prepare: ({ folder, host }) => {
        write(path.join(folder, '.vscode/mcp.json'), { servers: { both: idle, 'of the workspace': idle } });
        write(path.join(host.userDir, 'mcp.json'), { servers: { both: idle, 'of the user': idle } });
        const home = path.join(host.folder, 'home');
        write(path.join(home, '.cursor/mcp.json'), { mcpServers: { both: idle, 'of Cursor': idle } });
        write(path.join(home, '.config/Claude/claude_desktop_config.json'), { mcpServers: { 'of Claude': idle } });
      },
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('of the user');
  });
  after(() => window?.close());

  const labels = async () => (await workbench.rows()).map(({ label }) => label);
  /** @param {string[]} wanted */
  const waitForRows = (wanted) =>
    until(wanted.join(), async () => JSON.stringify(await labels()) === JSON.stringify(wanted));

  it('C13: the list is that of VS Code, with nothing proposed; a name in two places is there once', async () => {
    await window.page.keyboard.press('Escape');
    await workbench.runCommand('MCP: List Servers');
    const theirs = (await workbench.choices()).filter((label) => /^(both|of )/.test(label));
    await window.page.keyboard.press('Escape');
    const ours = (await labels()).filter((label) => /^(both|of )/.test(label));
    assert.deepEqual(theirs.sort(), ours.sort());
    assert.match(await workbench.tooltip('both'), /Configured in: \.vscode\/mcp\.json/);
    assert.match(await workbench.tooltip('both'), /Also in, without effect: user mcp\.json/);
    assert.match(await workbench.tooltip('both'), /Why: the workspace counts before your own mcp\.json/);
  });

  it('other tools’ servers are offered without a word elsewhere, and used after a yes', async () => {
    const claude = '1 server found in Claude Desktop’s configuration';
    await waitForRows(['both', 'of the workspace', 'of the user', offer, claude]);
    assert.deepEqual(await workbench.notifications(), []);
    assert.equal(await workbench.dialogText(), undefined);
    assert.deepEqual(await workbench.inlineActions(claude), ['Do Not Offer']);
    await workbench.clickInlineAction(claude, 'Do Not Offer');
    await waitForRows(['both', 'of the workspace', 'of the user', offer]);
    await workbench.clickRow(offer);
    const choices = (await workbench.choices()).filter((label) => !label.startsWith('/'));
    assert.deepEqual(choices, ['Cursor', 'Claude Desktop']);
    await window.page.keyboard.press('Enter');
    await waitForRows(['both', 'of the workspace', 'of the user', 'of Cursor']);
  });

  it('the answer is remembered, and can be taken back', async () => {
    await workbench.reload();
    await workbench.openView('MCP Resources');
    await waitForRows(['both', 'of the workspace', 'of the user', 'of Cursor']);
    await workbench.runCommand('MCP Resources: Use Servers of Other Tools…');
    await workbench.choose('Cursor');
    await window.page.keyboard.press('Enter');
    await waitForRows(['both', 'of the workspace', 'of the user']);
  });

  it('the user’s file can lie elsewhere', async () => {
    const { host } = window;
    write(path.join(host.folder, 'home/elsewhere.json'), { servers: { 'from elsewhere': idle } });
    write(path.join(host.dataDir, 'data/Machine/settings.json'), { 'mcpResources.userConfigPath': '~/elsewhere.json' });
    await waitForRows(['both', 'of the workspace', 'from elsewhere']);
  });

  it('without servers the welcome page says what was found', async () => {
    const { host, folder } = window;
    write(path.join(host.folder, 'home/.codeium/windsurf/mcp_config.json'), { mcpServers: { 'of Windsurf': idle } });
    write(path.join(host.folder, 'home/elsewhere.json'), {});
    write(path.join(folder, '.vscode/mcp.json'), {});
    await until('the welcome page', async () => (await workbench.welcome()).includes('Use Servers of Other Tools'));
    await workbench.clickWelcome('Use Servers of Other Tools');
    await workbench.choices();
    await window.page.keyboard.press('Enter');
    await waitForRows(['of Windsurf']);
  });
});

describe('a server whose configuration asks for something', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const fixtures = fixtureServers({
    docs: { era: 'legacy', scenario: { resources: [{ uri: 'a://plan', name: 'Plan', text: 'x' }] } },
  });

  before(async () => {
    window = await openWindow({
      prepare: ({ host }) => {
        const { command, args, env } = fixtures.servers.docs;
        const docs = { command, args: [...args, '--era', '${input:era}'], env };
        const other = { command, args: ['${command:mcpResources.noSuchCommand}'] };
        const inputs = [{ id: 'era', type: 'promptString', description: 'The era to speak', password: true }];
        // A port that nobody can ask for by HTTP.
        const [away, broken] = [{ url: 'http://127.0.0.1:1/mcp' }, { command: 7 }];
        write(path.join(host.userDir, 'mcp.json'), { servers: { docs, other, away, broken }, inputs });
      },
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
  });
  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const box = () => window.page.locator('.quick-input-widget input').first();

  it('shows “Input needed” when it is expanded, and asks nothing', async () => {
    await workbench.expand('docs');
    await workbench.waitForRow('Input needed: "The era to speak".');
    assert.equal((await workbench.rows()).find(({ label }) => label === 'docs')?.description, 'Input needed');
    assert.deepEqual(await workbench.inlineActions('docs'), ['Enter Input…', 'Show Log']);
    assert.equal(await box().isVisible(), false);
  });

  it('goes on once a person enters it, and does not ask again', async () => {
    await workbench.clickInlineAction('docs', 'Enter Input…');
    await box().waitFor();
    assert.equal(await box().getAttribute('type'), 'password');
    await workbench.enter('legacy');
    await workbench.waitForRow('Plan');
    await workbench.clickInlineAction('docs', 'Stop Server');
    await workbench.waitForRow('Stopped. Start the server to see its resources.');
    await workbench.clickInlineAction('docs', 'Start Server');
    await workbench.waitForRow('Plan');
  });

  it('asks again after “Forget Stored Inputs”; Escape brings up no message', async () => {
    await workbench.runCommand('MCP Resources: Forget Stored Inputs');
    await until('the question', async () => (await workbench.dialogText()) !== undefined);
    await workbench.answerDialog('Forget');
    await workbench.clickInlineAction('docs', 'Stop Server');
    await workbench.waitForRow('Stopped. Start the server to see its resources.');
    await workbench.clickInlineAction('docs', 'Start Server');
    await box().waitFor();
    await window.page.keyboard.press('Escape');
    await workbench.waitForRow('Input needed: "The era to speak" was not given.');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('asks in a dialog before a command runs, with the command and the server', async () => {
    await workbench.expand('other');
    await workbench.waitForRow(
      'Input needed: the command "mcpResources.noSuchCommand" waits for you to start the server.',
    );
    await workbench.clickInlineAction('other', 'Enter Input…');
    await until('the question', async () => (await workbench.dialogText()) !== undefined);
    assert.match(
      (await workbench.dialogText()) ?? '',
      /Run the command "mcpResources\.noSuchCommand" for server "other"\?/,
    );
    await workbench.answerDialog('Cancel');
    await workbench.waitForRow('Input needed: the command "mcpResources.noSuchCommand" was not allowed to run.');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('says of a broken entry what is wrong, not its name again, leads there, and says of an address that it was not reached', async () => {
    const broken = (await workbench.rows()).find(({ label }) => label === 'broken');
    assert.match(broken?.description ?? '', /^"command" must be a string, but it is a number/);
    await workbench.expand('broken');
    let said = '';
    await until('the error below it', async () => {
      const labels = (await workbench.rows()).map(({ label }) => label);
      said = labels.find((label) => label.startsWith('Server "broken": "command" must be')) ?? '';
      return said !== '';
    });
    await workbench.clickRow(said);
    await workbench.waitForTab('mcp.json');
    const at = readFileSync(path.join(window.host.userDir, 'mcp.json'), 'utf8').indexOf('"broken"');
    await window.page
      .locator('.statusbar-item')
      .getByText(`Ln 1, Col ${at + 1}`, { exact: true })
      .waitFor();
    await workbench.clickInlineAction('away', 'Start Server');
    const { message } = await workbench.waitForNotification('could not be reached');
    assert.equal(
      message,
      'The server "away" could not be reached. The port of the server\'s address is blocked for HTTP. Use another one.',
    );
  });
});
