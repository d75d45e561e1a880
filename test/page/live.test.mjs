import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { configureServers, fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

describe('what is current, what has changed, what is not live', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const resources = [
    { uri: 'live://one', name: 'One', text: 'one, at first', mimeType: 'text/plain' },
    { uri: 'live://two', name: 'Two', text: 'two, at first', mimeType: 'text/plain' },
    { uri: 'live://unread', name: 'Unread', text: 'unread', mimeType: 'text/plain' },
  ];
  const fixtures = fixtureServers({
    live: { era: 'modern', scenario: { resources } },
    quiet: {
      era: 'legacy',
      scenario: { resources: [{ uri: 'quiet://q', name: 'Quiet', text: 'quiet' }], capabilities: { resources: {} } },
    },
  });
  const { live, quiet } = fixtures.servers;

  before(async () => {
    window = await openWindow({
      settings: { 'workbench.editor.enablePreview': false },
      prepare: fixtures.configure,
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    for (const [server, resource] of [
      ['live', 'Two'],
      ['quiet', 'Quiet'],
    ]) {
      await workbench.waitForRow(server);
      await workbench.expand(server);
      await workbench.waitForRow(resource);
    }
  });

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const shot = (name) => workbench.screenshot(path.join(root, `dist-test/live-${name}.png`));
  const row = (label) =>
    window.page.locator(`.part.sidebar .monaco-list-row[aria-label^="${label}"] .label-name`).first();
  const tabOf = (name) => window.page.locator(`.tab[data-resource-name="${name}"] .label-name`).first();
  const colour = (locator) =>
    locator.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).color);
  const badge = () => window.page.locator('.part.activitybar .badge-content').getByText('1', { exact: true });

  /** @param {string[]} versions */
  const diffShows = async (...versions) => {
    const diff = window.page.locator('.monaco-diff-editor');
    await diff.waitFor();
    await until(`“${versions.join('” and “')}” side by side`, async () => {
      const text = (await diff.innerText()).replaceAll('\u00a0', ' ');
      return versions.every((version) => text.includes(version));
    });
  };
  /** @param {string} words */
  const statusSays = (words) => window.page.locator(`.statusbar-item a[aria-label*="${words}"]`).waitFor();

  it('a hidden tab that changes is marked, on its node, its tab and the view, until it is seen', async () => {
    await workbench.clickRow('One');
    await workbench.waitForEditorText('one, at first');
    await workbench.clickRow('Two');
    await workbench.waitForEditorText('two, at first');
    await until('somebody listens', async () => (await live.control.set('live://one', 'one, changed')) > 0);
    await badge().waitFor();
    await until('the node and the tab have another colour', async () => {
      const [one, two, tab] = await Promise.all([colour(row('One')), colour(row('Two')), colour(tabOf('one.txt'))]);
      return one !== two && tab !== two;
    });
    await shot('changed');
    await workbench.clickRow('One');
    await workbench.waitForEditorText('one, changed');
    await badge().waitFor({ state: 'detached' });
  });

  it('“Show Changes” compares what was seen last with what the server says now', async () => {
    await workbench.runCommand('MCP Resources: Show Changes');
    await diffShows('one, at first', 'one, changed');
    await shot('diff');
    await workbench.runCommand('View: Close Editor');
  });

  it('the left side of a diff stays what was seen last when it was opened, until it is opened anew', async () => {
    await workbench.clickRow('Two');
    await workbench.waitForEditorText('two, at first');
    // What is shown on the screen is not yet known to the extension: a command on it is.
    const mark = await live.control.mark();
    await workbench.runCommand('MCP Resources: Refresh Active Resource');
    const isRead = ({ method, params }) => method === 'resources/read' && params?.uri === 'live://two';
    await until('“Two” is active', async () => (await live.control.log()).slice(mark).some(isRead));
    await live.control.set('live://one', 'one, second');
    await badge().waitFor();
    await workbench.contextMenu('One');
    await workbench.chooseFromMenu('Show Changes');
    await diffShows('one, changed', 'one, second');
    for (const next of ['one, third', 'one, fourth']) {
      await live.control.set('live://one', next);
      await diffShows('one, changed', next);
    }
    await workbench.runCommand('View: Close Editor');
    await workbench.contextMenu('One');
    await workbench.chooseFromMenu('Show Changes');
    await diffShows('one, third', 'one, fourth');
    await workbench.runCommand('View: Close Editor');
  });

  it('“Show Changes” of what was never read says that there is nothing to compare, and later since when', async () => {
    for (const words of [
      'There is nothing to compare live://unread with yet: no earlier version of it is known.',
      'live://unread has not changed since it was first read in this window.',
    ]) {
      await workbench.contextMenu('Unread');
      await workbench.chooseFromMenu('Show Changes');
      await workbench.waitForNotification(words);
      await workbench.clearNotifications();
    }
  });

  it('L14: list_changed shows the new resource within a second, and keeps what is expanded and selected', async () => {
    await workbench.clickRow('Two');
    const begun = Date.now();
    await live.control.add({ uri: 'live://three', name: 'Three', text: 'three' });
    await workbench.waitForRow('Three');
    assert.ok(Date.now() - begun < 5000);
    const rows = await workbench.rows();
    assert.equal(rows.find(({ label }) => label === 'live')?.expanded, true);
    assert.equal(rows.find(({ label }) => label === 'quiet')?.expanded, true);
    assert.equal(rows.find(({ label }) => label === 'Two')?.selected, true);
  });

  it('S10: a server without live updates says so in the status, with the time of the last read', async () => {
    await workbench.clickRow('Quiet');
    await workbench.waitForEditorText('quiet');
    const status = window.page.locator('.part.statusbar').getByText('quiet: not live');
    await status.waitFor();
    await shot('not-live');
    await quiet.control.set('quiet://q', 'quiet, but newer', { notify: false });
    await workbench.runCommand('MCP Resources: Refresh Active Resource');
    await workbench.waitForEditorText('quiet, but newer');
  });

  it('V8: stop, start and restart from the tree; a server that dies is tried again and its tab follows', async () => {
    await workbench.clickRow('Two');
    await workbench.waitForEditorText('two, at first');
    await live.control.exit(1);
    await until('it is back', async () => (await live.control.processes()).some(({ alive }) => alive));
    await until('the tab follows again', async () => {
      await live.control.set('live://two', 'two, after the crash').catch(() => 0);
      return (await workbench.editorText())?.includes('two, after the crash');
    });
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.clickInlineAction('live', 'Stop Server');
    await workbench.waitForRow('Stopped. Start the server to see its resources.');
    await shot('stopped');
    await workbench.clickInlineAction('live', 'Start Server');
    await workbench.waitForRow('Two');
    assert.ok((await workbench.contextMenu('live')).includes('Restart Server'));
    await workbench.chooseFromMenu('Restart Server');
    await workbench.waitForRow('Two');
  });

  it('the status of a stopped server says so, and a click on it starts the server', async () => {
    await workbench.clickRow('Two');
    await statusSays('Live: the server tells');
    await workbench.clickInlineAction('live', 'Stop Server');
    await statusSays('the server is stopped');
    await shot('status-stopped');
    await window.page.locator('.part.statusbar').getByText('live: stopped').click();
    await statusSays('Live: the server tells');
  });

  it('the tab of a diff is closed after a reload, since what it compared with is not kept', async () => {
    await live.control.set('live://two', 'two, before the reload');
    await workbench.waitForEditorText('two, before the reload');
    await workbench.runCommand('MCP Resources: Show Changes');
    await diffShows('two, before the reload');
    const diffTab = window.page.locator('.part.editor .tab').filter({ hasText: 'last seen ↔ now' });
    await diffTab.waitFor();
    await workbench.reload();
    await workbench.waitForTab('two.txt');
    await diffTab.waitFor({ state: 'detached' });
    await workbench.waitForTab('two.txt');
  });

  it('a server that is taken out of the configuration is not live any more, and nothing of it is counted', async () => {
    await workbench.clickRow('One');
    await workbench.waitForEditorText('one, ');
    await statusSays('Live: the server tells');
    await workbench.clickRow('Two');
    await workbench.waitForEditorText('two, ');
    await statusSays('Live: the server tells');
    await live.control.set('live://one', 'one, unseen');
    await badge().waitFor();
    configureServers(window, { quiet });
    await statusSays('the server is not configured');
    await badge().waitFor({ state: 'detached' });
    await shot('removed');
  });
});
