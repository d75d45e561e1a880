import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { configureServers } from './fixtureServers.mjs';
import { sheetOf } from './sheet.mjs';

const { fixtureLaunch } = createRequire(import.meta.url)(path.join(root, 'dist-test/server/fixtureClient.js'));

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const longJson = JSON.stringify({ list: Array.from({ length: 40 }, (_, index) => ({ index })) });

/** One resource per odd shape: how it is listed, and what a person sees after a click on it. */
const shapes = [
  { title: 'Plain text', text: 'plain words', seen: { text: 'plain words' } },
  { title: 'Empty text', text: '', seen: { tab: '1' } },
  { title: 'Nothing', contents: [], seen: { note: 'The server returned nothing' } },
  {
    title: 'Text in a blob',
    contents: [{ blob: Buffer.from('blob words').toString('base64'), mimeType: 'text/plain' }],
    seen: { text: 'blob words' },
  },
  {
    title: 'Latin-1 text',
    contents: [{ blob: Buffer.from('café', 'latin1').toString('base64'), mimeType: 'text/plain;charset=iso-8859-1' }],
    seen: { text: 'café' },
  },
  {
    title: 'Several parts',
    contents: [
      { uri: 'part:1', text: 'first part', mimeType: 'text/plain' },
      { uri: 'part:2', text: 'second part', mimeType: 'text/plain' },
    ],
    seen: { text: 'second part' },
  },
  {
    title: 'Two types',
    contents: [
      { blob: png, mimeType: 'image/png' },
      { text: 'the text of two', mimeType: 'text/plain' },
    ],
    seen: { text: 'the text of two' },
  },
  { title: 'Empty directory', mimeType: 'inode/directory', contents: [], seen: { message: 'is an empty directory' } },
  {
    title: 'Image called octets',
    mimeType: 'image/png',
    contents: [{ blob: png, mimeType: 'application/octet-stream' }],
    seen: { image: true },
  },
  { title: 'Image called text', contents: [{ blob: png, mimeType: 'text/plain' }], seen: { image: true } },
  { title: 'One-line JSON', mimeType: 'application/json', text: longJson, seen: { note: 'Show Formatted' } },
  {
    title: 'PDF',
    contents: [{ blob: Buffer.from('%PDF-1.4\n%\u00ff').toString('base64'), mimeType: 'application/pdf' }],
    seen: { message: 'No viewer for application/pdf' },
  },
  {
    title: 'Archive',
    contents: [{ bytes: 500, mimeType: 'application/zip' }],
    seen: { message: 'No viewer for application/zip' },
  },
  { title: 'Null item', contents: [{ raw: null }], seen: { message: 'could not be read' } },
  { title: 'Missing', error: { code: -32002, message: 'Resource not found' }, seen: { message: 'not found' } },
  {
    title: 'Broken',
    error: { code: -32603, message: 'the disk is on fire' },
    seen: { message: 'the disk is on fire' },
  },
  {
    title: '[x](command:workbench.action.quit) $(bug)\n\u202Ename',
    text: 'inert words',
    seen: { text: 'inert words' },
  },
];

for (const era of ['legacy', 'modern']) {
  describe(`every odd shape, as a person sees it (${era})`, () => {
    /** @type {import('../host/pageWindow.mjs').PageWindow} */
    let window;
    /** @type {import('../host/workbench.mjs').Workbench} */
    let workbench;
    const pictures = [];
    const resources = shapes.map((shape, index) => ({
      uri: `shape:${index}`,
      name: shape.title,
      ...shape,
      seen: undefined,
    }));
    const server = fixtureLaunch({ era, scenario: { resources } });

    before(async () => {
      const { command, args, env } = server;
      window = await openWindow({
        prepare: (prepared) => configureServers(prepared, { shapes: { command, args, env } }),
      });
      workbench = window.workbench;
      await workbench.openView('MCP Resources');
      await workbench.waitForRow('shapes');
      await workbench.expand('shapes');
      await workbench.waitForRow('Plain text');
    });

    after(async () => {
      await window?.close();
      await server.dispose();
      const file = path.join(root, `dist-test/shapes-${era}.png`);
      await sheetOf(pictures, file);
      assert.ok(existsSync(file));
    });

    shapes.forEach(({ title, seen }, index) => {
      it(`${index}: ${title.replace(/[^\w ]/g, '.')}`, async () => {
        const label = title.replace(/[\n\u202E]+/g, ' ');
        await workbench.clickRow(label);
        if (seen.text !== undefined) await workbench.waitForEditorText(seen.text);
        if (seen.tab !== undefined) await workbench.waitForTab(seen.tab);
        if (seen.note !== undefined) {
          await window.page.locator('.codelens-decoration').getByText(seen.note).first().waitFor();
        }
        if (seen.message !== undefined) await workbench.waitForNotification(seen.message);
        if (seen.image === true) {
          const frame = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe');
          await frame.locator('img').waitFor();
        }
        const file = path.join(window.host.folder, `shape-${index}.png`);
        await workbench.screenshot(file);
        pictures.push({ title, picture: readFileSync(file) });
        await workbench.clearNotifications();
        await workbench.closeEditors();
      });
    });
  });
}
