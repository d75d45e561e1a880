import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { configureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const { fixtureLaunch } = createRequire(import.meta.url)(path.join(root, 'dist-test/server/fixtureClient.js'));

const latin = Buffer.from('café\r\n', 'latin1');
const linking = ['links.txt', 'links.md'];
const pdf = Buffer.from('%PDF-1.4\n%\u00ff', 'latin1');

describe('saving and opening by other ways', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const other = fixtureLaunch({
    era: 'modern',
    scenario: {
      resources: [
        { uri: 'other://listed', name: 'Listed', text: 'found by the list' },
        { uri: 'other://pages/7', text: 'found by the template', listed: false },
        { uri: 'other://secret', text: 'found by asking', listed: false },
      ],
      templates: [{ uriTemplate: 'other://pages/{number}', name: 'Page' }],
    },
  });
  const server = fixtureLaunch({
    era: 'legacy',
    scenario: {
      resources: [
        {
          uri: 'save://../../etc/passwd',
          name: 'Latin',
          contents: [{ blob: latin.toString('base64'), mimeType: 'text/plain;charset=iso-8859-1' }],
        },
        {
          uri: 'save://paper',
          name: 'Paper',
          contents: [{ blob: pdf.toString('base64'), mimeType: 'application/pdf' }],
        },
        { uri: 'save://hidden', text: 'found by its address', listed: false },
      ],
    },
  });

  before(async () => {
    window = await openWindow({
      settings: { 'files.simpleDialog.enable': true, 'mcpResources.servers': { wrong: { command: 7 } } },
      prepare: (prepared) => {
        configureServers(prepared, { files: server, other });
        const link = `mcp-resource://${Buffer.from('mcp.config.usrlocal.other').toString('hex')}/other/listed`;
        for (const name of linking) {
          writeFileSync(path.join(prepared.folder, name), `A [link](${link}) of VS Code.\n`);
        }
      },
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('files');
    await workbench.expand('files');
    await workbench.waitForRow('Latin');
  });

  after(async () => {
    await window?.close();
    await server.dispose();
    await other.dispose();
  });

  /** Waits for the open file dialog to propose such a name: it fills its box step by step, and overwrites what is typed before. */
  const proposed = async (name) => {
    const input = window.page.locator('.quick-input-widget input[type=text]');
    await until(`the file dialog proposes ${name} in the workspace`, async () => {
      const file = await input.inputValue();
      return path.posix.dirname(file) === window.folder && name.test(path.posix.basename(file));
    });
  };

  /** Accepts a file name in the file dialog that is open. */
  const saveTo = async (name) => {
    const file = path.join(window.folder, name);
    await workbench.enter(file);
    await until(`${name} is written`, () => existsSync(file) && statSync(file).size > 0);
    return readFileSync(file);
  };

  it('V10: “Save Resource As…” writes the exact bytes, and proposes a safe name', async () => {
    await workbench.clickRow('Latin');
    await workbench.waitForEditorText('café');
    await workbench.runCommand('MCP Resources: Save Resource As…');
    await proposed(/^passwd(\.txt)?$/);
    assert.deepEqual(await saveTo('copy.txt'), latin);
    await window.page.locator('.part.statusbar').getByText('Saved: copy.txt', { exact: true }).waitFor();
  });

  it('F7: typing into a document says that it is read-only, and how to get a copy', async () => {
    await window.page.locator('.part.editor .monaco-editor .view-lines').first().click();
    await window.page.keyboard.type('x');
    const message = window.page.locator('.monaco-editor-overlaymessage');
    await message.waitFor();
    assert.match(await message.innerText(), /MCP server is read-only here.*Save Resource As/);
    await window.page.keyboard.press('Escape');
  });

  it('R20: a PDF without a viewer opens no tab of garbage, but can be saved', async () => {
    await workbench.clickRow('Paper');
    await workbench.waitForNotification('No viewer for application/pdf');
    await workbench.answerNotification('No viewer for application/pdf', 'Save As…');
    await proposed(/\.pdf$/);
    assert.deepEqual(await saveTo('paper.pdf'), pdf);
  });

  const openByUri = async () => {
    await workbench.runCommand('MCP Resources: Open Resource by URI…');
    await pickerTitle('Open Resource by URI');
  };
  /** @param {string} text */
  const pickerTitle = (text) => window.page.locator('.quick-input-title').getByText(text, { exact: true }).waitFor();

  it('R17: a resource that is not listed is opened by its URI; V12: the box is empty and says what for', async () => {
    await openByUri();
    assert.equal(await window.page.locator('.quick-input-widget input[type=text]').inputValue(), '');
    await workbench.enter('save://hidden');
    await workbench.waitForEditorText('found by its address');
  });

  it('R17: of several servers the one that lists a URI, or a template for it, is not asked for', async () => {
    await workbench.expand('other');
    await workbench.waitForRow('Listed');
    await openByUri();
    await workbench.enter('other://listed');
    await workbench.waitForEditorText('found by the list');
    await openByUri();
    await workbench.enter('other://pages/7');
    await workbench.waitForEditorText('found by the template');
  });

  it('R17: where it is not clear, the server is asked for; one that cannot connect is not offered', async () => {
    await openByUri();
    await workbench.enter('other://secret');
    await pickerTitle('Which server has other://secret?');
    assert.deepEqual(await workbench.choices(), ['files', 'other']);
    await workbench.choose('other');
    await workbench.waitForEditorText('found by asking');
  });

  it('R17: a link of VS Code names its server', async () => {
    const id = Buffer.from('mcp.config.usrlocal.files').toString('hex');
    await openByUri();
    await workbench.enter(`mcp-resource://${id}/save/hidden`);
    await workbench.waitForEditorText('found by its address');
  });

  for (const name of linking) {
    it(`such a link in ${name} opens our document by a click`, async () => {
      await workbench.closeEditors();
      await window.page.keyboard.press('Control+P');
      const box = window.page.locator('.quick-input-widget input[type=text]');
      await box.fill(name);
      await window.page.locator('.quick-input-list .label-name').getByText(name, { exact: true }).waitFor();
      await box.press('Enter');
      await workbench.waitForTab(name);
      await workbench.followFirstLink();
      await workbench.waitForEditorText('found by the list');
      await workbench.screenshot(path.join(root, `dist-test/saving-${name}.png`));
    });
  }

  it('a copied link names the resource', async () => {
    const menu = await workbench.contextMenu('Latin');
    assert.ok(menu.includes('Copy as Markdown Link') && menu.includes('Save Resource As…'));
    await window.page.keyboard.press('Escape');
  });
});
