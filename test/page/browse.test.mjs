import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const browseKey = 'Control+Shift+Alt+M';

describe('“Browse…” without servers', () => {
  it('says so, and offers to add one', async () => {
    const window = await openWindow();
    try {
      await window.workbench.openView('MCP Resources');
      await window.workbench.welcome();
      await window.page.keyboard.press(browseKey);
      const { buttons } = await window.workbench.waitForNotification('No MCP servers are configured.');
      assert.deepEqual(buttons, ['Add Server…']);
    } finally {
      await window.close();
    }
  });
});

describe('“Browse…”: one picker over the resources of all servers', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const fixtures = fixtureServers({
    docs: {
      era: 'modern',
      scenario: {
        resources: [
          {
            uri: 'docs://guide/start.md',
            title: 'Getting started',
            name: 'start',
            text: '# Start',
            mimeType: 'text/markdown',
          },
          { uri: 'docs://guide/users.md', name: 'Users', text: 'all users', mimeType: 'text/plain' },
          { uri: 'docs://api/users.md', name: 'Users', text: 'the users API', mimeType: 'text/plain' },
          { uri: 'docs://api/orders.md', name: '', text: 'the orders API', mimeType: 'text/plain' },
          {
            uri: 'docs://evil',
            title: '$(flame) [x](command:y)',
            text: 'evil',
            description: 'Burns the $(house) down',
          },
        ],
        templates: [{ uriTemplate: 'docs://api/{name}.md', title: 'An API by its name' }],
        // Its first page comes when it has been connected for a while.
        methods: { 'resources/list': { delay: 700, times: 1 } },
      },
    },
    many: {
      era: 'legacy',
      scenario: {
        resources: Array.from({ length: 5000 }, (_, index) => ({
          uri: `many://reports/${index}.txt`,
          name: `Report ${index}`,
          text: `report number ${index}`,
          mimeType: 'text/plain',
        })),
        pageSize: 100,
      },
    },
    broken: { era: 'legacy', scenario: { stdio: { exitAtStart: 3 } } },
  });

  before(async () => {
    window = await openWindow({
      // An entry that has to be mended is in no row: nothing can be done about it here.
      settings: { 'workbench.editor.enablePreview': false, 'mcpResources.servers': { wrong: { command: 7 } } },
      prepare: (workspace) => fixtures.configure(workspace),
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('many');
  });

  afterEach(async () => {
    while (await picker().isVisible()) {
      await window.page.keyboard.press('Escape');
    }
  });

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const picker = () => window.page.locator('.quick-input-widget');
  const input = () => picker().locator('.quick-input-filter input[type=text]');
  const title = () => picker().locator('.quick-input-title').innerText();
  const shot = (name) => workbench.screenshot(path.join(root, `dist-test/browse-${name}.png`));
  const press = (key) => window.page.keyboard.press(key);

  /** The rows that are scrolled into view, from top to bottom. */
  const rows = async () => {
    const found = await picker()
      .locator('.monaco-list-row')
      .evaluateAll((elements) =>
        elements.map((element) => ({
          index: Number(element.getAttribute('data-index')),
          label: element.querySelector('.label-name')?.textContent ?? '',
          description: (element.querySelector('.label-description')?.textContent ?? '').replaceAll('\u00a0', ' '),
          detail: element.querySelector('.quick-input-list-label-meta')?.textContent ?? '',
          // Hidden ones keep the text of the row that was there before.
          group: element.querySelector('.quick-input-list-separator:not([style*="display: none"])')?.textContent ?? '',
          active: element.classList.contains('focused'),
        })),
      );
    return found.sort((a, b) => a.index - b.index);
  };
  const labels = async () => (await rows()).map(({ label }) => label);
  const active = async () => (await rows()).find((row) => row.active);

  /** @param {string} text */
  const untilTitle = (text) =>
    until(`the title says “${text}”`, async () => (await picker().isVisible()) && (await title()).includes(text)).catch(
      async (error) => {
        await shot('failed');
        throw new Error(`${error.message}; it says “${await title().catch(() => 'nothing')}”`);
      },
    );
  /** @param {string} label */
  const untilActive = (label) =>
    until(`“${label}” is active`, async () => (await active())?.label === label).catch(async (error) => {
      await shot('failed');
      throw new Error(`${error.message}; the rows are ${JSON.stringify(await rows())}`);
    });
  /** @param {string[]} wanted */
  const untilRows = (...wanted) =>
    until(`the rows are ${wanted.join(', ')}`, async () => (await labels()).join() === wanted.join()).catch(
      async (error) => {
        await shot('failed');
        const [typed, found] = [await input().inputValue(), JSON.stringify(await rows())];
        throw new Error(`${error.message}; with “${typed}” they are ${found}`);
      },
    );
  const open = async () => {
    await press(browseKey);
    await picker()
      .waitFor()
      .catch(async (error) => {
        await shot('failed');
        throw error;
      });
  };
  const requests = async (name) => (await fixtures.servers[name].control.requests()).map(({ method }) => method);

  it('V12: opens by its key, empty, with a title that says what it lists; nothing is connected by itself', async () => {
    await open();
    await untilTitle('MCP resources: no server is connected');
    assert.equal(await input().inputValue(), '');
    await untilActive('Connect docs');
    assert.deepEqual(await labels(), ['Connect docs', 'Connect many', 'Connect broken']);
    await shot('not-connected');
    assert.deepEqual(await requests('docs'), []);
  });

  it('connects a server from the picker, which stays open while its resources come', async () => {
    await open();
    await untilActive('Connect docs');
    await input().fill('doc');
    await untilRows('No resource matches.', 'Connect docs');
    await untilActive('Connect docs');
    await press('Enter');
    await untilTitle('Resources of docs: 5 · 2 not connected');
    // What found the server finds nothing in it, and is gone.
    await untilActive('Getting started');
    assert.equal(await input().inputValue(), '');
    await shot('connected');
  });

  it('V3: each row says its server', async () => {
    await open();
    await untilActive('Getting started');
    for (const { label, description } of await rows()) {
      assert.ok(label.startsWith('Connect') || description.startsWith('docs · docs://'), `${label}: ${description}`);
    }
  });

  it('V2: a label is the title, the name or the last part of the URI; equal labels have their URIs; signs stay signs', async () => {
    await open();
    await untilActive('Getting started');
    assert.deepEqual(
      (await rows()).slice(0, 6).map(({ label, description }) => [label, description]),
      [
        ['Getting started', 'docs · docs://guide/start.md'],
        ['Users', 'docs · docs://guide/users.md'],
        ['Users', 'docs · docs://api/users.md'],
        ['orders.md', 'docs · docs://api/orders.md'],
        ['$ (flame) [x] (command:y)', 'docs · docs://evil'],
        ['An API by its name', 'docs · docs://api/{name}.md'],
      ],
    );
  });

  it('what failed says why, in its row', async () => {
    await open();
    await untilActive('Getting started');
    await input().fill('zzz');
    await untilActive('No resource matches.');
    assert.deepEqual(await labels(), ['No resource matches.']);
    await press('Enter');
    await press('End');
    await untilActive('No resource matches.');
    await input().fill('brok');
    await untilRows('No resource matches.', 'Connect broken');
    await untilActive('Connect broken');
    await press('Enter');
    await until('the reason', async () => (await active())?.description.includes('3')).catch(async (error) => {
      throw new Error(`${error.message}; the rows are ${JSON.stringify(await rows())}`);
    });
    await shot('failed-server');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('the status bar counts what failed beside its warning', async () => {
    const status = window.page.locator('.part.statusbar').getByText('MCP: 2 failed', { exact: true });
    await status.waitFor();
    assert.match(String(await status.getAttribute('aria-label')), /Servers connected: 1, failed: 2/);
  });

  it('streams in 5,000 resources, 200 at a time, and keeps the active row meanwhile', async () => {
    await open();
    await untilActive('Getting started');
    await press('ArrowDown');
    await press('ArrowDown');
    await press('ArrowUp');
    await press('ArrowUp');
    await press('ArrowUp');
    await press('ArrowUp');
    await untilActive('Connect many');
    await press('Enter');
    await untilActive('Report 0');
    assert.equal((await active())?.group, 'many');
    await shot('streaming');
    await input().fill('users');
    await untilActive('Users');
    await press('ArrowDown');
    const second = await active();
    await untilTitle('Resources of 2 servers: 5,005 · 1 not connected');
    assert.deepEqual((await active())?.description, second?.description);
    await input().fill('');
    await untilTitle('200 shown, type to narrow');
    await untilActive('Getting started');
    await shot('many');
  });

  it('ranks what is typed, opens by Enter, and the next time the last used come first, without any request', async () => {
    await open();
    await untilTitle('5,005');
    const before = [...(await requests('docs')), ...(await requests('many'))];
    await input().pressSequentially('report 4999');
    await untilActive('Report 4999');
    await shot('typed');
    await input().fill('burns');
    await untilActive('$ (flame) [x] (command:y)');
    assert.equal((await active())?.detail, 'Burns the $ (house) down');
    await shot('described');
    const now = [...(await requests('docs')), ...(await requests('many'))];
    assert.deepEqual(now, before);
    await input().fill('report 4999');
    await untilActive('Report 4999');
    await press('Enter');
    await workbench.waitForTab('4999.txt');
    await workbench.waitForEditorText('report number 4999');
    await open();
    await untilActive('Report 4999');
    assert.equal((await active())?.group, 'recently used');
    await shot('recent');
  });

  it('attaches three by keyboard alone: what is selected stays while something else is searched', async () => {
    await open();
    await untilTitle('5,005');
    await press(browseKey);
    await untilTitle('Select what to attach');
    await window.page.keyboard.type('getting');
    await untilRows('Getting started');
    await press('ArrowDown');
    await untilActive('Getting started');
    await press('Space');
    await untilSelected(1);
    // Past the button “OK”.
    await press('Shift+Tab');
    await press('Shift+Tab');
    await press('Control+A');
    await window.page.keyboard.type('report 4321');
    await untilRows('Report 4321', 'Getting started');
    await press('Shift+Alt+S');
    await untilSelected(2);
    await shot('also-selected');
    await press('Control+A');
    await window.page.keyboard.type('api users');
    await untilRows('Users', 'Getting started', 'Report 4321');
    await press('Shift+Alt+S');
    await untilSelected(3);
    await press('Control+A');
    await press('Delete');
    await until('all rows', async () => (await rows()).length > 5);
    await shot('several');
    await press('Enter');
    await workbench.waitForChatChip('start.md').catch(async (error) => {
      await shot('failed');
      throw error;
    });
    await workbench.waitForChatChip('4321.txt');
    await workbench.waitForChatChip('users.md');
    // In the order in which they were selected.
    assert.deepEqual(await workbench.chatChips(), ['start.md', '4321.txt', 'users.md']);
    await shot('attached');
    assert.deepEqual(await workbench.notifications(), []);
    assert.equal(await picker().isVisible(), false);
  });

  it('keys open to the side and copy what is active', async () => {
    await workbench.dismissNoise();
    await open();
    await input().fill('report 77');
    await untilActive('Report 77');
    await press('Shift+Alt+O');
    await workbench.waitForEditorText('report number 77');
    await until(
      'two groups',
      async () => (await window.page.locator('.part.editor .editor-group-container').count()) === 2,
    );
    await shot('side');
    await open();
    await input().fill('report 79');
    await untilActive('Report 79');
    await press('Shift+Alt+C');
    await picker().waitFor({ state: 'hidden' });
    await window.page.locator('.part.statusbar').getByText('Copied', { exact: true }).waitFor();
    await open();
    await input().fill('');
    await press('Control+V');
    await until('the URI was copied', async () => (await input().inputValue()) === 'many://reports/79.txt');
  });

  it('a key attaches what is active', async () => {
    await workbench.dismissNoise();
    await open();
    await input().fill('report 78');
    await untilActive('Report 78');
    await press('Shift+Alt+A');
    await workbench.waitForChatChip('78.txt');
  });

  it('buttons of a row do the same; one of the title selects several', async () => {
    await workbench.dismissNoise();
    await open();
    await input().fill('orders');
    await untilActive('orders.md');
    const buttons = picker().locator('.monaco-list-row.focused .quick-input-list-entry-action-bar .action-label');
    const names = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert.deepEqual(names, ['Attach to Chat', 'Open to the Side', 'Copy URI']);
    await buttons.first().click();
    await workbench.waitForChatChip('orders.md');
    await open();
    await picker().locator('.quick-input-titlebar .action-label[aria-label="Select Several"]').click();
    await untilTitle('Select what to attach');
    await picker().locator('.quick-input-titlebar .action-label[aria-label="Select One"]').click();
    await untilTitle('Resources of 2 servers');
    await untilActive('orders.md');
  });

  it('what was opened from the tree counts as used, also after a reload', async () => {
    await workbench.expand('docs');
    await workbench.clickRow('orders.md');
    await workbench.waitForEditorText('the orders API');
    await open();
    await untilActive('orders.md');
    await press('Escape');
    await workbench.reload();
    await workbench.waitForEditorText('the orders API');
    await workbench.waitForRow('docs');
    const [first] = await until('it comes first, once its tab has connected the server', async () => {
      if (!(await picker().isVisible())) {
        // An editor that is restored late takes the focus, and the picker closes: it is opened again.
        await press(browseKey);
        await picker()
          .waitFor({ timeout: 5000 })
          .catch(() => undefined);
      }
      const found = await rows();
      return found[0]?.label === 'orders.md' && found;
    });
    assert.equal(first?.group, 'recently used');
  });

  /** @param {number} count */
  const untilSelected = (count) =>
    until(`${count} selected`, async () =>
      (await picker().locator('.quick-input-count').innerText()).startsWith(`${count} `),
    );
});
