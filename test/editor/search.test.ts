import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/ids';
import { until } from '../until';
import { api, Cleanup, configure, freshId, stdioServer } from './ours';
import { page } from './page';

describe('Search in Contents', () => {
  const cleanup = new Cleanup();
  afterEach(async () => {
    await vscode.commands.executeCommand(commandIds.clearSearch);
    await cleanup.run();
  });

  interface Row {
    readonly label: string;
    readonly description: string;
  }

  for (const era of ['legacy', 'modern'] as const) {
    it(`finds what a resource says and opens it there (${era})`, async function () {
      if (!page) {
        // The text is typed into a box, which only the page can do.
        this.skip();
      }
      const text = `${'line\n'.repeat(30)}here is the Needle\n`;
      const resources = [
        { uri: 'e://one', title: 'One', text },
        { uri: 'e://two', title: 'Two', text: 'needle' },
        { uri: 'e://three', title: 'Three', text: 'needle' },
      ];
      const server = cleanup.add(stdioServer({ resources }, era));
      const id = freshId();
      const found = await configure({ [id]: server.entry });
      await found.resources(id);
      const resource = (uri: string, title: string) => ({
        kind: 'resource',
        server: { kind: 'server', connection: { id } },
        entry: { uri, name: title, title },
      });
      const selected = [resource('e://one', 'One'), resource('e://two', 'Two')];
      const searched = vscode.commands.executeCommand(commandIds.search, selected[0], selected);
      await page.call('enter', 'needle');
      await searched;
      await page.call('waitForRow', 'here is the Needle');
      const rows = await page.call<Row[]>('rows');
      // The rows of both trees, mixed.
      const shown = rows.map(({ label, description }) => `${label} ${description}`.trim());
      for (const row of [`One 1 · ${id}`, 'here is the Needle', `Two 1 · ${id}`, 'needle']) {
        assert.ok(shown.includes(row), `${row} in ${JSON.stringify(shown)}`);
      }
      assert.ok(!shown.includes(`Three 1 · ${id}`));
      assert.equal((await server.control.requests('resources/read')).length, 2);
      await page.call('clickRow', 'here is the Needle');
      const wanted = found.documentUri(id, 'e://one').toString();
      const editor = await until('the document', () => {
        const active = vscode.window.activeTextEditor;
        return active?.document.uri.toString() === wanted && !active.selection.isEmpty ? active : null;
      });
      assert.equal(editor.document.getText(editor.selection), 'Needle');
      assert.equal(editor.selection.start.line, 30);
    });
  }

  it('does nothing where nothing was searched for, and its other commands are harmless', async () => {
    await api();
    for (const command of [commandIds.searchAgain, commandIds.stopSearch, commandIds.clearSearch]) {
      await vscode.commands.executeCommand(command);
    }
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });
});
