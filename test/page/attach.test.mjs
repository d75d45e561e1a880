import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = Buffer.from('%PDF-1.4\n%\u00ff', 'latin1').toString('base64');
const paragraph = `${'A sentence of some length that says nothing of importance. '.repeat(10).trim()}\n\n`;

describe('attaching to chat', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const fixtures = fixtureServers({
    lib: {
      era: 'legacy',
      scenario: {
        resources: [
          { uri: 'lib://guide/one.md', title: 'One', text: '# One', mimeType: 'text/markdown' },
          { uri: 'lib://guide/two.md', title: 'Two', text: '# Two', mimeType: 'text/markdown' },
          { uri: 'lib://api/three.txt', title: 'Three', text: 'three', mimeType: 'text/plain' },
          {
            uri: 'lib://api/pack',
            title: 'Pack',
            contents: [
              { uri: 'lib://api/pack/a', text: 'part a', mimeType: 'text/plain' },
              { uri: 'lib://api/pack/b', text: 'part b', mimeType: 'text/plain' },
            ],
          },
          {
            uri: 'lib://misc/logo.png',
            title: 'Logo',
            mimeType: 'image/png',
            contents: [{ blob: png, mimeType: 'image/png' }],
          },
          {
            uri: 'lib://misc/paper.pdf',
            title: 'Paper',
            mimeType: 'application/pdf',
            contents: [{ blob: pdf, mimeType: 'application/pdf' }],
          },
          { uri: 'lib://misc/long.txt', title: 'Long', text: paragraph.repeat(700), mimeType: 'text/plain' },
          { uri: 'lib://misc/sly.txt', title: 'Sly', text: 'fine\nhi\u{e0041}\u{e0042}\u200b', mimeType: 'text/plain' },
          {
            uri: 'lib://misc/gone.txt',
            title: 'Gone',
            mimeType: 'text/plain',
            error: { code: -32002, message: 'Resource not found' },
          },
        ],
        templates: [{ uriTemplate: 'lib://notes/{name}', title: 'Note', mimeType: 'text/plain', text: 'note {uri}' }],
      },
    },
    fifty: {
      era: 'modern',
      scenario: {
        resources: Array.from({ length: 50 }, (_, index) => ({
          uri: `fifty://${index}.txt`,
          title: `Page ${index}`,
          mimeType: 'text/plain',
          ...(index % 25 === 7 ? { error: { code: -32603, message: 'out of order' } } : { text: `page ${index}` }),
        })),
      },
    },
    still: {
      era: 'legacy',
      scenario: {
        capabilities: { resources: {} },
        templates: [{ uriTemplate: 'leaf://{name}', title: 'Leaf', mimeType: 'text/plain', text: 'leaf {uri}' }],
      },
    },
  });
  const { lib, fifty, still } = fixtures.servers;

  before(async () => {
    window = await openWindow({
      settings: { 'workbench.editor.enablePreview': false, 'files.simpleDialog.enable': true },
      prepare: fixtures.configure,
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('lib');
    await workbench.expand('lib');
    await workbench.waitForRow('One');
  });

  afterEach(async () => {
    for (const chip of await workbench.chatChips()) {
      await workbench.removeChatChip(chip);
    }
    await workbench.clearNotifications();
  });

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const shot = (/** @type {string} */ name) => workbench.screenshot(path.join(root, `dist-test/attach-${name}.png`));
  /** @param {string} label */
  const fromMenu = async (label, item = 'Attach to Chat') => {
    await workbench.contextMenu(label);
    await workbench.chooseFromMenu(item);
  };
  /** @param {readonly string[]} names */
  const chips = async (...names) => {
    for (const name of names) {
      await workbench.waitForChatChip(name);
    }
    assert.deepEqual((await workbench.chatChips()).toSorted(), names.toSorted());
  };
  const statusBar = () => window.page.locator('.part.statusbar').innerText();
  const offered = (/** @type {string[]} */ ...wanted) =>
    until(`offered: ${wanted}`, async () => (await workbench.choices()).join() === wanted.join());
  const question = (/** @type {string} */ words) =>
    until('the question', async () => (await workbench.dialogText())?.includes(words));
  const readsOf = async (/** @type {typeof lib} */ server) =>
    (await server.control.requests('resources/read')).map(({ params }) => String(params?.uri));

  it('A6: one from the tree; bytes and estimated tokens are said, and nothing pops up', async () => {
    await workbench.clickInlineAction('One', 'Attach to Chat');
    await chips('one.md');
    await until('its size is said', async () => /Attached: 5 B, ~\d tokens/.test(await statusBar()));
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('A8: several that are selected in the tree, by one action', async () => {
    await workbench.clickRow('One');
    await workbench.clickRow('Two', { add: true });
    await workbench.clickRow('Three', { add: true });
    await workbench.clickInlineAction('Two', 'Attach to Chat');
    await chips('one.md', 'two.md', 'three.txt');
    await until('their number is said', async () => (await statusBar()).includes('3 attached'));
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('a resource of several parts, and one part of it', async () => {
    await workbench.clickInlineAction('Pack', 'Attach to Chat');
    await chips('All Parts.md');
    await workbench.expand('Pack');
    await workbench.waitForRow('a.txt');
    await workbench.clickInlineAction('a.txt', 'Attach to Chat');
    await chips('All Parts.md', 'a.txt');
  });

  it('from the editor', async () => {
    await workbench.clickRow('Three');
    await workbench.waitForEditorText('three');
    await workbench.clickEditorAction('Attach Active Resource to Chat');
    await chips('three.txt');
  });

  it('a template, filled in for it, and an instance of one', async () => {
    await workbench.expand('Templates');
    await workbench.waitForRow('Note');
    await fromMenu('Note');
    await window.page.locator('.quick-input-widget input[type=text]').first().waitFor();
    await window.page.keyboard.type('monday');
    await until('it can be used', async () => (await workbench.choices())[0] === 'Use “monday”');
    await workbench.press('Enter');
    await chips('monday.txt');
    await workbench.removeChatChip('monday.txt');
    await workbench.waitForRow('monday');
    await workbench.clickInlineAction('monday', 'Attach to Chat');
    await chips('monday.txt');
    await workbench.clickRow('Templates');
    await workbench.press('ArrowLeft');
  });

  it('a template, filled in for it, is read once, also where nothing is subscribed', async () => {
    await workbench.clickRow('lib');
    await workbench.press('ArrowLeft');
    await workbench.expand('still');
    await workbench.expand('Templates');
    await workbench.waitForRow('Leaf');
    await fromMenu('Leaf');
    await workbench.enter('one');
    await chips('one.txt');
    assert.deepEqual(await readsOf(still), ['leaf://one']);
    await workbench.clickRow('still');
    await workbench.press('ArrowLeft');
    await workbench.expand('lib');
    await workbench.waitForRow('One');
  });

  it('from “Browse…”', async () => {
    await window.page.keyboard.press('Control+Shift+Alt+M');
    const input = window.page.locator('.quick-input-widget input[type=text]').first();
    await input.fill('two');
    await until('it is active', async () => (await workbench.choices())[0] === 'Two');
    await workbench.press('Shift+Alt+A');
    await chips('two.md');
  });

  it('from a link, after a yes', async () => {
    await fromMenu('Two', 'Copy as Markdown Link');
    await workbench.runCommand('Developer: Open URL');
    const input = window.page.locator('.quick-input-widget input[type=text]').first();
    await input.fill('');
    await workbench.press('Control+V');
    const link = await until('the link', async () => /\((\S+)\)$/.exec(await input.inputValue())?.[1]);
    await workbench.enter(String(link));
    await question('to open this URI');
    await workbench.answerDialog('Open');
    await question('A link wants to open');
    await workbench.answerDialog('Attach to Chat');
    await chips('two.md');
  });

  it('A8: a folder, and a server of which the filter leaves some', async () => {
    await workbench.runCommand('MCP Resources: Sort and Group Resources…');
    await workbench.choose('Folders by URI');
    await workbench.waitForRow('lib://guide');
    await fromMenu('lib://guide');
    await chips('one.md', 'two.md');
    await workbench.runCommand('MCP Resources: Sort and Group Resources…');
    await workbench.choose('One list');
    await workbench.waitForRow('One');
    await workbench.runCommand('MCP Resources: Filter Resources…');
    await window.page.locator('.quick-input-title').getByText('Filter Resources').waitFor();
    await window.page.keyboard.type('three');
    await workbench.press('Enter');
    await until('it is filtered', async () => !(await workbench.rows()).some(({ label }) => label === 'One'));
    await fromMenu('lib');
    await chips('one.md', 'two.md', 'three.txt');
    await workbench.runCommand('MCP Resources: Clear Filter');
    await workbench.waitForRow('One');
  });

  it('A1: an image that the chat would drop is told, with another way', async () => {
    await workbench.clickInlineAction('Logo', 'Attach to Chat');
    const { message, buttons } = await workbench.waitForNotification('Not attached: logo.png');
    assert.match(message, /drops images.*copy it in its viewer and paste it/);
    assert.deepEqual(buttons, ['Open', 'Copy Reference']);
    assert.deepEqual(await workbench.chatChips(), []);
    await workbench.answerNotification('Not attached', 'Open');
    await workbench.waitForTab('logo.png');
  });

  it('A5: a PDF goes by name, type and size', async () => {
    await workbench.clickInlineAction('Paper', 'Attach to Chat');
    await chips('About paper.pdf.txt');
    await window.page.locator('.chat-attached-context-attachment').getByText('About paper.pdf.txt').click();
    const text = await workbench.waitForEditorText('Type: application/pdf');
    assert.match(text, /Server: lib[^]*Name: paper\.pdf[^]*Size: 11 bytes/);
    assert.ok(!text.includes(pdf.slice(0, 8)));
  });

  it('A6: much is asked about: cancel, the first part at the end of a paragraph, or all of it', async () => {
    const asked = 'That is much for a chat.';
    await workbench.clickInlineAction('Long', 'Attach to Chat');
    await question(asked);
    await shot('question');
    assert.match(
      (await workbench.dialogText()) ?? '',
      /Attach [\d.]+ [kM]B, ~\d+k tokens\? [^]*long\.txt[^]*The first part: about \d+ kB, ~32k tokens\./,
    );
    await workbench.answerDialog('Cancel');
    assert.deepEqual(await workbench.chatChips(), []);
    await workbench.clickInlineAction('Long', 'Attach to Chat');
    await question(asked);
    await workbench.answerDialog('Attach the First Part');
    const [chip] = await until('a chip', async () => {
      const now = await workbench.chatChips();
      return now.length > 0 && now;
    });
    assert.match(chip, /^long \(first \d+ kB\)\.txt$/);
    await workbench.removeChatChip(chip);
    await workbench.clickInlineAction('Long', 'Attach to Chat');
    await question(asked);
    await workbench.answerDialog('Attach All');
    await chips('long.txt');
  });

  it('characters that nobody sees are said, and shown where they are', async () => {
    await workbench.clickInlineAction('Sly', 'Attach to Chat');
    await chips('sly.txt');
    const { message } = await workbench.waitForNotification('characters here that you do not see');
    assert.match(
      message,
      /sly\.txt: 2 tag characters \(first in line 2\), 1 zero-width characters \(first in line 2\)/,
    );
    await workbench.answerNotification('that you do not see', 'Show');
    await workbench.waitForTab('sly.txt');
  });

  it('A8: fifty at once say how far they are, and can be cancelled: nothing is attached then', async () => {
    await workbench.expand('fifty');
    await workbench.waitForRow('Page 0');
    await fifty.control.fault('resources/read', { never: true });
    await fromMenu('fifty');
    const { message, buttons } = await workbench.waitForNotification('Attaching to chat');
    assert.match(message, /0 of 50 read/);
    assert.deepEqual(buttons, ['Cancel']);
    await workbench.answerNotification('Attaching to chat', 'Cancel');
    await until('the progress is gone', async () => (await workbench.notifications()).length === 0);
    await until('the server is told', async () =>
      (await fifty.control.log()).some(({ method }) => method === 'notifications/cancelled'),
    );
    await fifty.control.fault('resources/read', null);
    assert.deepEqual(await workbench.chatChips(), []);
  });

  it('A8: fifty at once: one read each, what failed is told in one message', async () => {
    const before = (await readsOf(fifty)).length;
    await fromMenu('fifty');
    const { message, buttons } = await workbench.waitForNotification('48 of 50 attached. Not attached: ');
    assert.match(message, /7\.txt, 32\.txt \(.*out of order.*\)/);
    assert.deepEqual(buttons, []);
    assert.equal((await workbench.notifications()).length, 1);
    const reads = (await readsOf(fifty)).slice(before);
    const twice = reads.filter((uri, index) => reads.indexOf(uri) !== index);
    assert.deepEqual([twice, new Set(reads).size], [[], 50]);
    await shot('fifty');
    assert.equal((await workbench.chatChips()).length, 48);
  });

  it('A7: what has changed since it was attached says so, until it is attached again', async () => {
    const words = async () => (await workbench.rows()).find(({ label }) => label === 'Three')?.description ?? '';
    await workbench.closeEditors();
    await workbench.clickInlineAction('Three', 'Attach to Chat');
    await chips('three.txt');
    await lib.control.set('lib://api/three.txt', 'three, and more');
    await until('it says so', async () => (await words()).includes('changed since attached'));
    await shot('changed');
    await workbench.clickInlineAction('Three', 'Attach to Chat');
    await until('it no longer says so', async () => !(await words()).includes('changed since attached'));
  });

  it('A13: for agents that cannot read our documents the text itself is copied, or saved with a manifest', async () => {
    await fromMenu('One', 'Copy as Context');
    await until('its size is said', async () => /Copied: \d+ B, ~\d+ tokens/.test(await statusBar()));
    await workbench.runCommand('File: New Untitled Text File');
    await workbench.press('Control+V');
    assert.match(await workbench.waitForEditorText('End of data'), /MCP resource: `lib:\/\/guide\/one\.md`[^]*# One/);
    await workbench.clickRow('Logo');
    await workbench.waitForTab('logo.png');
    await workbench.clickRow('Pack', { add: true });
    await fromMenu('Pack', 'Save Snapshot to Workspace…');
    await offered('mcp-snapshots', 'Another Folder…');
    await shot('snapshot-folder');
    await workbench.press('Enter');
    const folder = path.join(window.folder, 'mcp-snapshots');
    const file = path.join(folder, 'mcp-snapshot.json');
    await until('it is said', async () => /3 files saved to mcp-snapshots(?! ·)/.test(await statusBar()));
    await until('the manifest', () => existsSync(file) && readFileSync(file, 'utf8').endsWith('}\n'));
    const { files } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(
      files.map(({ file: name, server, uri, part, bytes }) => [name, server, uri, part, bytes]),
      [
        ['logo.png', 'lib', 'lib://misc/logo.png', undefined, Buffer.from(png, 'base64').length],
        ['a.txt', 'lib', 'lib://api/pack', 'lib://api/pack/a', 6],
        ['b.txt', 'lib', 'lib://api/pack', 'lib://api/pack/b', 6],
      ],
    );
    assert.ok(readFileSync(path.join(folder, 'logo.png')).equals(Buffer.from(png, 'base64')));
    for (const { sha256, readAt } of files) {
      assert.match(sha256, /^[0-9a-f]{64}$/);
      assert.ok(Date.now() - Date.parse(readAt) < 600_000);
    }
  });

  it('V10: where names are taken, it is said how many files got a number; the folder is proposed again', async () => {
    const input = window.page.locator('.quick-input-widget input[type=text]').first();
    const saveHere = async () => {
      await until('the dialog proposes the folder', async () => (await input.inputValue()) === `${window.folder}/`);
      await window.page.locator('.quick-input-widget .monaco-button').getByText('Save Here', { exact: true }).click();
    };
    const said = (/** @type {RegExp} */ words) => until(String(words), async () => words.test(await statusBar()));
    const saved = () => readdirSync(window.folder).filter((name) => /^[ab]\b.*\.txt$/.test(name));
    // Pack alone: a menu acts on what is selected, where its row is among them.
    await workbench.clickRow('Pack');
    await workbench.waitForTab('All Parts.md');
    await fromMenu('Pack', 'Save Snapshot to Workspace…');
    await offered('mcp-snapshots', 'Another Folder…');
    await workbench.choose('Another Folder…');
    await saveHere();
    await said(/2 files saved to \/(?![^·\n]* ·)/);
    await fromMenu('Pack', 'Save Snapshot to Workspace…');
    await until('that folder is proposed first', async () => {
      const [first, ...others] = await workbench.choices();
      return first !== 'mcp-snapshots' && others.join() === 'mcp-snapshots,Another Folder…';
    });
    await workbench.press('Enter');
    await said(/2 files saved to \/[^·]* · 2 got numbers: their names were taken/);
    assert.deepEqual(saved().sort(), ['a (2).txt', 'a.txt', 'b (2).txt', 'b.txt']);

    rmSync(path.join(window.folder, 'b.txt'));
    writeFileSync(path.join(window.folder, 'a.txt'), 'mine');
    await fromMenu('Pack', 'Save Resource As…');
    await saveHere();
    await said(/2 files saved to \/[^·]* · 1 got a number: its name was taken/);
    assert.equal(readFileSync(path.join(window.folder, 'a.txt'), 'utf8'), 'mine');
  });
});
