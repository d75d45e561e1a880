import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

describe('ten thousand resources in the tree', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    uri: `docs://shelf-${index % 10}/book-${String(index).padStart(5, '0')}`,
    name: `Book ${index}`,
    text: `the text of book ${index}`,
    mimeType: 'text/plain',
    size: index,
    annotations: { priority: (index % 100) / 100 },
  }));
  const memo = { uri: 'memo:one', name: 'Memo', text: 'a memo', mimeType: 'text/plain' };
  const fixtures = fixtureServers({
    large: { era: 'legacy', scenario: { resources: many, pageSize: 1000 } },
    small: { era: 'modern', scenario: { resources: [memo] } },
  });
  const { large } = fixtures.servers;

  before(async () => {
    window = await openWindow({
      settings: { 'workbench.editor.enablePreview': false },
      prepare: fixtures.configure,
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('small');
    await workbench.expand('small');
    await workbench.waitForRow('Memo');
    await workbench.waitForRow('large');
  });

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const shot = (name) => workbench.screenshot(path.join(root, `dist-test/scale-${name}.png`));
  const sidebar = () => window.page.locator('.part.sidebar');
  const row = (label) => sidebar().locator(`.monaco-list-row[aria-label^="${label}"]`).first();
  const labels = async () => (await workbench.rows()).map(({ label }) => label);
  const openFilter = async () => {
    await workbench.runCommand('MCP Resources: Filter Resources…');
    await window.page.locator('.quick-input-title').getByText('Filter Resources').waitFor();
  };
  it('L16: shows the first of them soon, and never hands all of them to the workbench', async () => {
    const begun = Date.now();
    await workbench.expand('large');
    await workbench.waitForRow('Book 0');
    await shot('expanded');
    assert.ok(Date.now() - begun < 10_000, `${Date.now() - begun} ms`);
    await until('all are listed', async () => (await large.control.requests('resources/list')).length === 10);
    // Above the server that is configured last stands what shows the next chunk.
    const isOpen = async () => (await workbench.rows()).find(({ label }) => label === 'large')?.expanded;
    // A click gives the tree the focus, and folds the node.
    await workbench.clickRow('large');
    await until('it is folded', async () => (await isOpen()) === false);
    await window.page.keyboard.press('ArrowRight');
    await until('it is open', isOpen);
    await window.page.keyboard.press('End');
    await workbench.waitForRow('Show the next 500…');
    await shot('more');
  });

  it('V1: filters as one types; what is left out is said, and Escape brings back what was', async () => {
    await openFilter();
    await window.page.keyboard.type('book 4321');
    await workbench.waitForRow('Book 4321');
    await until('nothing else', async () => !(await labels()).includes('Book 0'));
    await sidebar().getByText('Filtered by "book 4321": 1 of 10,001 resources shown.').waitFor();
    await row('MCP server large').getByText('1 of 10,000 shown').waitFor();
    await shot('filter');
    await window.page.keyboard.press('Escape');
    await workbench.waitForRow('Book 0');
    await openFilter();
    await window.page.keyboard.type('9999');
    await window.page.keyboard.press('Enter');
    await workbench.waitForRow('Book 9999');
  });

  it('the filter and what is expanded are remembered by the next window', async () => {
    await workbench.reload();
    await workbench.waitForRow('Book 9999');
    assert.ok(!(await labels()).includes('Book 0'));
    await workbench.clickRow('Book 9999');
    await workbench.waitForEditorText('the text of book 9999');
    await workbench.runCommand('MCP Resources: Clear Filter');
    await workbench.waitForRow('Book 0');
  });

  it('Reveal Active shows a resource that lies beyond the first chunk', async () => {
    await workbench.runCommand('MCP Resources: Reveal Active Resource in Tree');
    await until('it is selected', async () =>
      (await workbench.rows()).some(({ label, selected }) => label === 'Book 9999' && selected),
    );
    await shot('revealed');
  });

  it('V4: sorts by priority; V11: groups into folders by URI', async () => {
    await window.page.keyboard.press('Home');
    await workbench.runCommand('MCP Resources: Sort and Group Resources…');
    await workbench.choose('Priority');
    await workbench.waitForRow('Book 99');
    await workbench.runCommand('MCP Resources: Sort and Group Resources…');
    await workbench.choose('Folders by URI');
    await workbench.waitForRow('docs://shelf-9');
    await shot('folders');
    await workbench.expand('docs://shelf-9');
    await workbench.waitForRow('Book 99');
    // What a filter finds shows, though its folder is folded without the filter.
    await openFilter();
    await window.page.keyboard.type('book 4321');
    await workbench.waitForRow('Book 4321');
    await shot('filtered-folders');
    await window.page.keyboard.press('Escape');
    await workbench.waitForRow('Book 99');
    await until('its folder is folded again', async () => !(await labels()).includes('Book 4321'));
    await workbench.runCommand('MCP Resources: Sort and Group Resources…');
    await workbench.choose('One list');
    await workbench.runCommand('MCP Resources: Sort and Group Resources…');
    await workbench.choose('As the server lists them');
    await workbench.waitForRow('Book 0');
  });

  it('F15: a resource dragged to the editor area by the mouse opens there', async () => {
    await workbench.closeEditors();
    const { mouse } = window.page;
    const centre = async (locator) => {
      const { x, y, width, height } = await locator.boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await mouse.move(...(await centre(row('Book 3'))));
    await mouse.down();
    await mouse.move(...(await centre(window.page.locator('.part.editor'))), { steps: 20 });
    await window.page.locator('.editor-group-overlay-indicator').waitFor();
    await mouse.up();
    await workbench.waitForEditorText('the text of book 3');
    await shot('dragged');
  });

  it('V1: a server is hidden, which is said, and shown again', async () => {
    // Folds it.
    await workbench.clickRow('large');
    await workbench.contextMenu('small');
    await workbench.chooseFromMenu('Hide Server');
    await sidebar().getByText('1 server is hidden.').waitFor();
    assert.ok(!(await labels()).includes('small'));
    await shot('hidden');
    await workbench.runCommand('MCP Resources: Show Hidden Servers…');
    await window.page.locator('.quick-input-title').getByText('Show Hidden Servers').waitFor();
    await window.page.keyboard.press('Enter');
    await workbench.waitForRow('small');
  });

  it('the next window selects what was selected', async () => {
    await workbench.clickRow('Memo');
    await workbench.waitForEditorText('a memo');
    await workbench.reload();
    await until('it is selected', async () =>
      (await workbench.rows()).some(({ label, selected }) => label === 'Memo' && selected),
    );
  });
});
