import { createRequire } from 'node:module';
import path from 'node:path';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { configureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

describe('published servers, as a person uses them', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  const require = createRequire(import.meta.url);
  /** @type {typeof import('../server/published/published')} */
  const { publishedHome } = require(path.join(root, 'dist-test/server/published/published.js'));
  const home = publishedHome();

  before(async () => {
    const names = ['everything', 'everything-2025'];
    const servers = Object.fromEntries(names.map((name) => [name, home.launch(name)]));
    window = await openWindow({ prepare: (workspace) => configureServers(workspace, servers) });
    await window.workbench.openView('MCP Resources');
    await window.workbench.waitForRow('everything-2025');
  });

  after(async () => {
    await window?.close();
    home.dispose();
  });

  it('T11: server-everything: both templates open what they lead to', async () => {
    const { workbench, page } = window;
    await workbench.expand('everything');
    await workbench.waitForRow('Templates');
    await workbench.expand('Templates');
    await workbench.clickRow('Dynamic Text Resource');
    await until('the first row', async () => (await workbench.choices())[0] === 'Type a value for resourceId');
    await page.keyboard.type('7');
    await until('the typed row', async () => (await workbench.choices())[0] === 'Use “7”');
    await workbench.press('Enter');
    await workbench.waitForEditorText('Resource 7: This is a plaintext resource');
    await workbench.clickRow('Dynamic Blob Resource');
    await until('the first row', async () => (await workbench.choices())[0] === 'Type a value for resourceId');
    await page.keyboard.type('8');
    await until('the typed row', async () => (await workbench.choices())[0] === 'Use “8”');
    await workbench.press('Enter');
    await workbench.waitForEditorText('Resource 8: This is a base64 blob');
    // The server refuses what is no number, in words of its own.
    await workbench.clickRow('Dynamic Text Resource');
    await until('the first row', async () => (await workbench.choices())[0] === 'Type a value for resourceId');
    await page.keyboard.type('seven');
    await until('the typed row', async () => (await workbench.choices())[0] === 'Use “seven”');
    await workbench.press('Enter');
    const { buttons } = await workbench.waitForNotification('demo://resource/dynamic/text/seven');
    assert.ok(buttons.includes('Edit Values'), buttons.join());
    await workbench.screenshot(path.join(root, 'dist-test/templates-everything.png'));
  });

  it('L1: server-everything of 2025: a hundred resources in ten pages, filtered, browsed and attached', async () => {
    const { workbench, page } = window;
    await workbench.dismissNoise();
    await workbench.expand('everything-2025');
    await workbench.waitForRow('Resource 1');
    await workbench.runCommand('MCP Resources: Filter Resources…');
    await page.locator('.quick-input-title').getByText('Filter Resources').waitFor();
    await page.keyboard.type('resource 97');
    await workbench.waitForRow('Resource 97');
    const sidebar = page.locator('.part.sidebar');
    await sidebar
      .locator('.monaco-list-row[aria-label^="MCP server everything-2025"]')
      .getByText('1 of 100 shown')
      .waitFor();
    await page.keyboard.press('Enter');
    await workbench.clickRow('Resource 97');
    await workbench.waitForEditorText('Resource 97: This is a plaintext resource');
    await workbench.runCommand('MCP Resources: Clear Filter');
    await workbench.waitForRow('Resource 1');
    await page.keyboard.press('Control+Shift+Alt+M');
    await page.locator('.quick-input-title').getByText('107').waitFor();
    await page.keyboard.type('resource 63');
    const first = page.locator('.quick-input-widget .monaco-list-row').first();
    await first.getByText('Resource 63', { exact: true }).waitFor();
    await workbench.press('Shift+Alt+A');
    await workbench.waitForChatChip('63.txt');
    await workbench.screenshot(path.join(root, 'dist-test/published-hundred.png'));
  });
});
