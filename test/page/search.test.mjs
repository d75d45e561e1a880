import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const tale = Array.from({ length: 200 }, (_, index) =>
  index === 149 ? '  the needle lies here, and a second Needle' : `line ${index + 1}`,
).join('\n');

describe('searching in contents, as a person does', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const { servers, configure, dispose } = fixtureServers({
    old: {
      era: 'legacy',
      scenario: {
        resources: [
          { uri: 'o://tale', title: 'A tale', text: tale, mimeType: 'text/markdown' },
          { uri: 'o://plain', title: 'Plain', text: 'nothing of that kind' },
          {
            uri: 'o://parts',
            title: 'Parts',
            contents: [
              { uri: 'part:1', text: 'hay', mimeType: 'text/plain' },
              { uri: 'part:2', text: 'hay\nhay needle', mimeType: 'text/plain' },
            ],
          },
          { uri: 'o://odd', title: 'Odd', text: '$(bug) \u202E[x](command:y) needle' },
          { uri: 'o://broken', title: 'Broken', error: { code: -32603, message: 'the disk is on fire' } },
          { uri: 'o://picture', title: 'Picture', contents: [{ bytes: 200, mimeType: 'image/png' }] },
        ],
      },
    },
    new: {
      era: 'modern',
      scenario: {
        resources: [
          { uri: 'n://one', title: 'One', text: 'a needle', mimeType: 'text/plain' },
          { uri: 'n://never', title: 'Never', text: 'needle', never: true },
        ],
      },
    },
  });

  before(async () => {
    window = await openWindow({ prepare: configure });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    for (const [server, resource] of [
      ['old', 'Picture'],
      ['new', 'Never'],
    ]) {
      await workbench.waitForRow(server);
      await workbench.expand(server);
      await workbench.waitForRow(resource);
    }
    await workbench.hideChat();
  });

  after(async () => {
    await window?.close();
    await dispose();
  });

  const shot = (name) => workbench.screenshot(path.join(root, `dist-test/search-${name}.png`));
  const pane = () => window.page.locator('.part.sidebar .pane').filter({ hasText: 'Search Results' });
  const message = async () => (await pane().locator('.message').first().innerText()).replaceAll('\u00a0', ' ');
  const saying = (words) => until(`the view says “${words}”`, async () => (await message()).includes(words));
  const resultRows = async () =>
    pane()
      .locator('.monaco-list-row')
      .evaluateAll((rows) =>
        rows
          .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
          .map((row) => [
            row.querySelector('.label-name')?.textContent.replaceAll('\u00a0', ' '),
            row.querySelector('.label-description')?.textContent ?? '',
          ]),
      );
  const searchFor = async (server, text) => {
    const menu = await workbench.contextMenu(server);
    assert.ok(menu.includes('Search in Contents…'), menu.join());
    await workbench.chooseFromMenu('Search in Contents…');
    await window.page.locator('.quick-input-title').getByText('Search in Contents').waitFor();
    await shot(`box-${server}`);
    await workbench.enter(text);
  };
  const titleAction = async (title) => {
    await pane().locator('.pane-header').hover();
    await pane().locator(`.pane-header .action-label[aria-label="${title}"]`).click();
  };
  const position = () =>
    window.page
      .locator('.statusbar-item')
      .filter({ hasText: /^Ln \d+/ })
      .innerText();

  it('there is no view of results before the first search', async () => {
    assert.equal(await pane().count(), 0);
  });

  it('shows matches below their resources, what failed, and how much was searched', async () => {
    await searchFor('old', 'needle');
    await saying('4 matches in 3 of 6 resources. 1 could not be searched. 1 without text.');
    await workbench.waitForRow('1 could not be searched');
    const rows = await resultRows();
    assert.deepEqual(rows, [
      ['A tale', '2 · old'],
      ['the needle lies here, and a second Needle', ''],
      ['…lies here, and a second Needle', ''],
      ['Parts', '2.txt · 1 · old'],
      ['hay needle', ''],
      ['Odd', '1 · old'],
      ['$(bug) [x](command:y) needle', ''],
      ['1 could not be searched', ''],
    ]);
    const highlights = await pane().locator('.monaco-list-row .highlight').allInnerTexts();
    assert.deepEqual(highlights, ['needle', 'Needle', 'needle', 'needle']);
    await workbench.expand('1 could not be searched');
    await until('the reason', async () => {
      const [label, description] = (await resultRows()).at(-1);
      return label === 'Broken' && description.includes('the disk is on fire');
    });
    await shot('results');
  });

  it('a match opens its document with the match selected', async () => {
    await pane().locator('.monaco-list-row').nth(2).click();
    await workbench.waitForEditorText('the needle lies here');
    await until('the second match is selected', async () => /Ln 150, Col 44 \(6 selected\)/.test(await position()));
    await shot('match');
  });

  it('a match whose text has moved opens where it is now', async () => {
    await servers.old.control.set('o://tale', `one more line\n${tale}`);
    await workbench.closeEditors();
    await pane().locator('.monaco-list-row').nth(1).click();
    await until('the match is selected', async () => /Ln 151, Col 13 \(6 selected\)/.test(await position()));
  });

  it('a match in a part opens that part', async () => {
    await pane().locator('.monaco-list-row').nth(4).click();
    await workbench.waitForTab('2.txt');
    await until('the match is selected', async () => /Ln 2, Col 11 \(6 selected\)/.test(await position()));
  });

  it('F15: a result and a match are dragged to the editor area, as resources are', async () => {
    for (const [index, tab] of [
      [3, '2.txt'],
      [1, 'tale.md'],
    ]) {
      await workbench.closeEditors();
      const row = await pane().locator('.monaco-list-row').nth(index).boundingBox();
      const area = await window.page.locator('.part.editor').boundingBox();
      await window.page.mouse.move(row.x + 60, row.y + row.height / 2);
      await window.page.mouse.down();
      await window.page.mouse.move(area.x + area.width / 2, area.y + area.height / 2, { steps: 20 });
      await window.page.locator('.editor-group-overlay-indicator').waitFor();
      await window.page.mouse.up();
      await workbench.waitForTab(tab);
    }
  });

  it('remembers what was searched for, shows a search under way, and stops it', async () => {
    await shot('before');
    await workbench.contextMenu('new');
    await workbench.chooseFromMenu('Search in Contents…');
    const input = window.page.locator('.quick-input-widget input[type=text]');
    await until('the last text', async () => (await input.inputValue()) === 'needle');
    await window.page.locator('.quick-input-widget .action-label[aria-label^="Match Case: off"]').click();
    await window.page.locator('.quick-input-widget .action-label[aria-label^="Match Case: on"]').waitFor();
    await shot('box');
    await input.press('Enter');
    await saying('Searching… 1 of 2 resources, 1 match.');
    await shot('running');
    await titleAction('Stop Search');
    await saying('1 match in 1 of 2 resources. Cancelled (1 searched).');
    await shot('cancelled');
  });

  it('searches again, and is cleared away', async () => {
    await servers.new.control.set('n://one', 'a needle and a needle and a Needle');
    await titleAction('Search Again');
    await saying('Searching… 1 of 2 resources, 2 matches.');
    await titleAction('Clear Search Results');
    await until('the view is gone', async () => (await pane().count()) === 0);
  });

  it('several selected resources are searched together; the palette chooses among servers', async () => {
    await workbench.clickRow('Plain');
    await workbench.clickRow('One', { add: true });
    await searchFor('One', 'n');
    // With the case matched, as it was chosen last.
    await saying('7 matches in 2 of 2 resources.');
    await workbench.runCommand('MCP Resources: Search in Contents…');
    await window.page.locator('.quick-input-title').getByText('choose a server').waitFor();
    assert.deepEqual((await workbench.choices()).sort(), ['new', 'old']);
    await workbench.choose('old');
    await workbench.enter('no such words');
    await saying('No matches in 6 resources.');
    await shot('none');
  });
});
