import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { configureServers, fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

/** One red point. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('what servers say about their resources', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const days = (count) => new Date(Date.now() - count * 86_400_000).toISOString();
  const fixtures = fixtureServers({
    notes: {
      era: 'modern',
      scenario: {
        resources: [
          {
            uri: 'n://report',
            name: 'Report',
            text: 'the report',
            mimeType: 'text/plain',
            size: 8000,
            annotations: { audience: ['user'], priority: 0.8, lastModified: days(3) },
          },
          {
            uri: 'n://stamp.png',
            name: 'Stamp',
            mimeType: 'image/png',
            contents: [{ blob: picture.slice(picture.indexOf(',') + 1), mimeType: 'image/png' }],
            annotations: { audience: ['user'] },
          },
          { uri: 'n://notes', name: 'Notes', text: 'the notes', mimeType: 'text/plain' },
          {
            uri: 'n://logo',
            name: 'Logo',
            text: 'a logo',
            mimeType: 'text/plain',
            extra: { icons: [{ src: picture }] },
          },
          {
            uri: 'n://far',
            name: 'Far',
            text: 'far away',
            mimeType: 'text/plain',
            extra: {
              icons: [{ src: 'https://nohost.invalid/icon.png' }, { src: 'data:image/svg+xml;base64,PHN2Zy8+' }],
            },
          },
        ],
      },
    },
  });

  before(async () => {
    window = await openWindow({
      settings: { 'workbench.editor.enablePreview': false },
      prepare: fixtures.configure,
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('notes');
    await workbench.expand('notes');
    await workbench.waitForRow('Report');
  });

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const shot = (name) => workbench.screenshot(path.join(root, `dist-test/annotations-${name}.png`));
  const row = (label) =>
    window.page
      .locator('.part.sidebar .monaco-list-row')
      .filter({ has: window.page.getByText(label, { exact: true }) });

  it('V4: the tooltip has audience, priority, age and size, with the share of a context window', async () => {
    const text = await workbench.tooltip('Report');
    await shot('tooltip');
    for (const words of ['Meant for: user', 'Priority: 0.8', '3 days ago', '8.0 kB, ~2k tokens']) {
      assert.ok(text.replaceAll('\u00a0', ' ').includes(words), `${words} in ${text}`);
    }
  });

  it('an icon that came with the list is shown; what would have to be fetched, or is no picture, is not', async () => {
    const iconOf = (label) =>
      row(label)
        .locator('.custom-view-tree-node-item-icon')
        .evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).backgroundImage);
    await until('the picture', async () => (await iconOf('Logo')).includes('data:image/png'));
    const other = await iconOf('Far').catch(() => 'none');
    assert.ok(!/nohost|svg\+xml;base64,PHN2Zy8/.test(other), other);
    await shot('icons');
  });

  it('V4: what is meant for the user alone is attached only after a yes', async () => {
    await workbench.clickRow('Notes');
    await workbench.waitForEditorText('the notes');
    await workbench.clickRow('Report', { add: true });
    await workbench.clickInlineAction('Report', 'Attach to Chat');
    await until('the question', async () => (await workbench.dialogText())?.includes('Meant for the user'));
    await shot('question');
    await workbench.answerDialog('Attach the Others');
    await workbench.waitForChatChip('notes.txt');
    assert.deepEqual(await workbench.chatChips(), ['notes.txt']);
    await workbench.clickInlineAction('Report', 'Attach to Chat');
    await until('the question', async () => (await workbench.dialogText())?.includes('Meant for the user'));
    await workbench.answerDialog('Attach Anyway');
    await workbench.waitForChatChip('report.txt');
  });

  it('V4: nothing is asked about what cannot be attached at all', async () => {
    const before = await workbench.chatChips();
    await workbench.clickRow('Stamp');
    await workbench.waitForTab('stamp.png');
    await workbench.clickInlineAction('Stamp', 'Attach to Chat');
    const { message } = await workbench.waitForNotification('Not attached: stamp.png');
    assert.match(message, /drops images/);
    assert.equal(await workbench.dialogText(), undefined);
    assert.deepEqual(await workbench.chatChips(), before);
    await workbench.clearNotifications();
  });

  it('F15: a resource dropped on the chat box is attached as well', async () => {
    const before = await workbench.chatChips();
    const { mouse } = window.page;
    const centre = async (locator) => {
      const { x, y, width, height } = await locator.boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await mouse.move(...(await centre(row('Logo').first())));
    await mouse.down();
    const chat = window.page
      .locator('.part.auxiliarybar .interactive-input-part, .part.auxiliarybar .chat-input-container')
      .first();
    await mouse.move(...(await centre(chat)), { steps: 20 });
    await shot('dragged');
    await mouse.up();
    await until('one more', async () => (await workbench.chatChips()).length > before.length);
    await shot('dropped');
  });

  it('where the server of an open document is no longer configured, adding one is offered', async () => {
    await workbench.clickRow('Notes');
    await workbench.waitForEditorText('the notes');
    configureServers(window, {});
    await until('the welcome page', async () => (await workbench.welcome()).length > 0);
    await workbench.runCommand('MCP Resources: Refresh Active Resource');
    const { buttons } = await workbench.waitForNotification('No server named "notes" is configured.');
    assert.deepEqual(buttons, ['Add Server…']);
    await workbench.answerNotification('No server named', 'Add Server…');
    await window.page.locator('.quick-input-title').getByText('Where is the server to be configured?').waitFor();
    await window.page.keyboard.press('Escape');
  });
});
