import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

describe('pins, from the package', () => {
  const fixtures = fixtureServers({
    docs: {
      era: 'legacy',
      scenario: {
        resources: [
          { uri: 'docs://alpha', title: 'Alpha', mimeType: 'text/plain', text: 'alpha '.repeat(400) },
          { uri: 'docs://beta', title: 'Beta', mimeType: 'text/markdown', text: '# beta' },
          { uri: 'docs://gamma', title: 'Gamma', mimeType: 'text/plain', text: 'gamma' },
          { uri: 'docs://delta', title: 'Delta', mimeType: 'text/plain', text: 'delta' },
        ],
        templates: [{ uriTemplate: 'docs://day/{day}', name: 'Day', mimeType: 'text/plain', text: 'the day {uri}' }],
      },
    },
  });
  const { control } = fixtures.servers.docs;

  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;

  before(async () => {
    window = await openWindow({ prepare: fixtures.configure });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.expand('docs');
    await workbench.waitForRow('Gamma');
  });

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const pane = () =>
    window.page
      .locator('.part.sidebar .pane')
      .filter({ has: window.page.locator('.pane-header[aria-label^="Pinned"]') });

  /** The pins as they are read: label and description. */
  const pins = () =>
    pane()
      .locator('.monaco-list-row')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [row.querySelector('.label-name'), row.querySelector('.label-description')]
            .map((part) => part?.textContent ?? '')
            .join(' | '),
        ),
      );

  const total = async () => (await pane().locator('.pane-header .description').allInnerTexts()).join('');

  /** @param {RegExp} pattern */
  const untilPins = (pattern) =>
    until(`pins like ${pattern}`, async () => pattern.test((await pins()).join('\n'))).catch(async (error) => {
      throw new Error(`${error.message}; there are ${JSON.stringify(await pins())}`);
    });

  /** @param {string} label */
  const pin = async (label) => {
    await workbench.contextMenu(label);
    await workbench.chooseFromMenu('Pin');
  };

  /** @param {string} label */
  const unpin = async (label) => {
    await pane().locator('.monaco-list-row').filter({ hasText: label }).first().click({ button: 'right' });
    await workbench.chooseFromMenu('Unpin');
  };

  /** @param {string} name */
  const shot = async (name) => {
    if (process.env.PINS_SHOTS) {
      await workbench.screenshot(`${process.env.PINS_SHOTS}/${name}.png`);
    }
  };

  it('there is no view of pins before something is pinned; then it shows what and how much', async () => {
    assert.equal(await pane().count(), 0);
    await pin('Alpha');
    // The view that appears would close a menu that was opened meanwhile.
    await untilPins(/^Alpha \| /);
    await pin('Beta');
    await untilPins(/^Alpha \| docs · ~\d+ tokens\nBeta \| docs · ~\d+ tokens$/);
    assert.match(await total(), /^~\d+ tokens$/);
    const menu = await workbench.contextMenu('Alpha');
    await window.page.keyboard.press('Escape');
    assert.ok(menu.includes('Unpin') && !menu.includes('Pin'), menu.join());
  });

  it('A12: nothing is attached by itself; a key attaches all that is pinned', async () => {
    assert.deepEqual(await workbench.chatChips(), []);
    await workbench.press('Control+Shift+Alt+P');
    await workbench.waitForChatChip('alpha.txt');
    await workbench.waitForChatChip('beta.md');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('A7: what has changed since it was attached is marked, and one click attaches it again', async () => {
    await control.set('docs://alpha', 'alpha, but otherwise');
    await untilPins(/^Alpha \| changed · docs · ~\d tokens\nBeta \| docs · ~\d tokens$/);
    await until('the view says so', async () => /^~\d+ tokens · 1 changed$/.test(await total()));
    const row = pane().locator('.monaco-list-row').filter({ hasText: 'Alpha' });
    assert.match((await row.getAttribute('aria-label')) ?? '', /^Alpha, pinned, changed · docs · ~\d tokens/);
    await shot('changed');
    await window.page.mouse.move(150, 4);
    await row.hover();
    await row.locator('.actions .action-label[aria-label="Attach to Chat"]').click();
    await untilPins(/^Alpha \| docs · ~\d tokens\n/);
  });

  it('A10: pins outlive a reload, wait for their server, and know what was attached before', async () => {
    await control.set('docs://beta', '# beta, attached in another version');
    await untilPins(/Beta \| changed/);
    // An expanded server connects by itself.
    await workbench.clickRow('docs');
    await workbench.reload();
    await workbench.openView('MCP Resources');
    await untilPins(/^Alpha \| waits for its server · docs\nBeta \| waits for its server · docs$/);
    await shot('waiting');
    await workbench.expand('docs');
    // The server says again what it said at first: "Alpha" was attached in its later version, "Beta" in its first.
    await untilPins(/^Alpha \| changed · docs · ~\d+ tokens\nBeta \| docs · ~\d+ tokens$/);
  });

  it('what was made from a template can be pinned', async () => {
    await workbench.expand('Templates');
    await workbench.clickRow('Day');
    await workbench.enter('1');
    await workbench.waitForEditorText('the day docs://day/1');
    await pin('1');
    await untilPins(/\n1 \| docs · ~\d+ tokens$/);
    await shot('template');
  });

  it('several that are selected in the tree are pinned by one action, and unpinned by one', async () => {
    /** @param {readonly string[]} labels */
    const select = async (...labels) => {
      for (const [index, label] of labels.entries()) {
        await workbench.clickRow(label, { add: index > 0 });
      }
    };
    const before = (await pins()).length;
    // "Beta" is pinned already: it stays as it is.
    await select('Beta', 'Gamma', 'Delta');
    await pin('Gamma');
    await untilPins(/\nGamma \| docs · ~\d+ tokens?\nDelta \| docs · ~\d+ tokens?$/);
    assert.equal((await pins()).length, before + 2);
    await select('Gamma', 'Delta');
    await workbench.contextMenu('Delta');
    await workbench.chooseFromMenu('Unpin');
    await until('both are no longer pinned', async () => (await pins()).length === before);
    const menu = await workbench.contextMenu('Delta');
    assert.ok(menu.includes('Pin') && !menu.includes('Unpin'), menu.join());
    await window.page.keyboard.press('Escape');
  });

  it('a server has its whole menu while resources are selected, and what is chosen there is for it alone', async () => {
    await workbench.clickRow('Gamma');
    await workbench.clickRow('Delta', { add: true });
    const menu = await workbench.contextMenu('docs');
    for (const item of ['Stop Server', 'Restart Server', 'Refresh', 'Show Log', 'Open Configuration', 'Hide Server']) {
      assert.ok(menu.includes(item), `${item} in ${menu.join()}`);
    }
    const before = (await control.requests('resources/list')).length;
    await workbench.chooseFromMenu('Refresh');
    await until('it is listed again', async () => (await control.requests('resources/list')).length > before);
    await workbench.clickRow('Gamma');
    await workbench.waitForEditorText('gamma');
  });

  it('an open document has Pin in its menu, or Unpin where it is pinned, and so has the palette', async () => {
    const menu = async () => {
      await workbench.clickEditorAction('More Actions...');
      const items = window.page.locator('.monaco-menu .action-menu-item .action-label');
      await items.first().waitFor();
      return (await items.allInnerTexts()).filter((item) => /^(Unp|P)in$/.test(item));
    };
    assert.deepEqual(await menu(), ['Pin']);
    await workbench.chooseFromMenu('Pin');
    await untilPins(/\nGamma \| docs · /);
    assert.deepEqual(await menu(), ['Unpin']);
    await window.page.keyboard.press('Escape');
    await workbench.clickRow('Delta');
    await workbench.waitForEditorText('delta');
    assert.deepEqual(await menu(), ['Pin']);
    await window.page.keyboard.press('Escape');
    await workbench.clickRow('Gamma');
    await workbench.waitForEditorText('gamma');
    await workbench.runCommand('MCP Resources: Unpin');
    await until('it is no longer pinned', async () => !(await pins()).some((row) => row.startsWith('Gamma')));
    assert.deepEqual(await menu(), ['Pin']);
    await window.page.keyboard.press('Escape');
  });

  it('a pin whose resource vanished says so; pins can be taken away, and with the last one the view goes', async () => {
    await control.remove('docs://beta');
    await untilPins(/Beta \| not found · /);
    for (const label of ['Beta', 'Alpha', '1']) {
      await unpin(label);
      await until(
        `${label} is no longer pinned`,
        async () => !(await pins()).some((row) => row.startsWith(`${label} |`)),
      );
    }
    await until('the view is gone', async () => (await pane().count()) === 0);
  });
});
