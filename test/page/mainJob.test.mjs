import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { openWindow } from '../host/pageWindow.mjs';
import { until } from './until.mjs';

describe('the main job, from the package', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;

  before(async () => {
    window = await openWindow({ settings: { 'workbench.editor.enablePreview': false } });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
  });

  after(() => window?.close());

  it('V9: without servers the view says what resources are, and offers the sample server', async () => {
    const welcome = await workbench.welcome();
    assert.match(welcome, /documents, data and pictures/);
    assert.match(welcome, /Try the Sample Server/);
    assert.match(welcome, /Add a Server/);
  });

  it('one click shows the sample server with its resources, and its first page', async () => {
    await workbench.clickWelcome('Try the Sample Server');
    await workbench.waitForTab('welcome.md');
    assert.match(await workbench.waitForEditorText('Welcome to MCP Resources'), /resource/);
    await workbench.waitForRow('Templates');
    const labels = (await workbench.rows()).map(({ label }) => label);
    assert.deepEqual(labels, [
      'sample',
      'Welcome',
      'Planets',
      'Night Sky',
      'Question and Answer',
      'Counter',
      'Templates',
    ]);
    assert.deepEqual(await workbench.tabs(), ['welcome.md']);
  });

  it('V5: a node has open, attach and refresh, and a menu with the rest', async () => {
    assert.deepEqual(await workbench.inlineActions('Planets'), ['Open Resource', 'Attach to Chat', 'Refresh']);
    const menu = await workbench.contextMenu('Planets');
    await window.page.keyboard.press('Escape');
    assert.deepEqual(menu.filter(Boolean), [
      'Open Resource',
      'Open to the Side',
      'Show Changes',
      'Attach to Chat',
      'Copy as Context',
      'Pin',
      'Refresh',
      'Search in Contents…',
      'Copy URI',
      'Copy as Markdown Link',
      'Copy Reference',
      'Save Resource As…',
      'Save Snapshot to Workspace…',
    ]);
  });

  it('a resource opens beside what is open', async () => {
    await workbench.contextMenu('Planets');
    await workbench.chooseFromMenu('Open to the Side');
    await workbench.waitForTab('planets.json');
    const groups = window.page.locator('.part.editor .editor-group-container');
    await until('two groups', async () => (await groups.count()) === 2);
    assert.match(await groups.nth(1).innerText(), /planets\.json/);
    await workbench.closeEditors();
  });

  it('V3: the tooltip says URI, server, type and size', async () => {
    const tooltip = await workbench.tooltip('Planets');
    for (const part of ['sample://planets', 'Server: sample', 'application/json', 'kB']) {
      assert.ok(tooltip.includes(part), `${part} in ${tooltip}`);
    }
    // Away from the tree, or the tooltip would lie over the next rows.
    await window.page.mouse.move(800, 400);
    await window.page.locator('.monaco-hover').first().waitFor({ state: 'hidden' });
  });

  it('the counter ticks in the open editor', async () => {
    await workbench.clickRow('Counter');
    const first = await workbench.waitForEditorText('Counter: ');
    await until('another number', async () => {
      const now = await workbench.editorText();
      return now?.includes('Counter: ') && now !== first;
    });
  });

  it('a picture opens as a picture', async () => {
    await workbench.clickRow('Night Sky');
    await workbench.waitForTab('night-sky.png');
    await window.page.frameLocator('iframe.webview.ready').frameLocator('iframe').locator('img').waitFor();
  });

  it('attaching shows the chip in the chat box, several at once', async () => {
    await workbench.clickRow('Planets');
    await workbench.clickRow('Welcome', { add: true });
    await workbench.clickInlineAction('Welcome', 'Attach to Chat');
    await workbench.waitForChatChip('planets.json');
    await workbench.waitForChatChip('welcome.md');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('A1: an image is dropped by the chat: that is said', async () => {
    await workbench.clickInlineAction('Night Sky', 'Attach to Chat');
    await workbench.waitForNotification('drops images');
    // Its server means it for the user: that is no question where it cannot be attached.
    assert.equal(await workbench.dialogText(), undefined);
  });

  it('F2: after a reload three tabs and a Markdown preview come back by themselves', async () => {
    await workbench.dismissNoise();
    await workbench.clickRow('Welcome');
    await workbench.waitForEditorText('Welcome to MCP Resources');
    await workbench.runCommand('Markdown: Open Preview');
    await preview().waitFor();
    for (const [label, text] of [
      ['Planets', 'Mercury'],
      ['Counter', 'Counter: '],
    ]) {
      await workbench.clickRow(label);
      await workbench.waitForEditorText(text);
    }
    await workbench.reload();
    await workbench.waitForTab('planets.json');
    await workbench.waitForEditorText('Counter: ');
    await window.page.locator('.tab[data-resource-name="planets.json"]').click();
    await workbench.waitForEditorText('Mercury');
    await window.page.locator('.tab[data-resource-name="welcome.md"]').first().click();
    await workbench.waitForEditorText('Welcome to MCP Resources');
    await window.page.locator('.tab', { hasText: 'Preview welcome.md' }).click();
    await preview().waitFor();
    assert.deepEqual(await workbench.notifications(), []);
  });

  const preview = () =>
    window.page
      .frameLocator('iframe.webview.ready')
      .last()
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Welcome to MCP Resources' });
});
