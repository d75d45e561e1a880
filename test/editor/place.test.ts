import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { until } from '../until';
import { Cleanup, configure, freshId, show, stdioServer, untilText } from './ours';

describe('a refresh keeps the reader’s place', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const lines = Array.from({ length: 300 }, (_, index) =>
    index % 20 === 0 ? `# Chapter ${index / 20}` : `line ${index} of the text`,
  );

  /** The document with a chapter folded above, something selected, and scrolled to the middle. */
  const begin = async () => {
    const server = cleanup.add(
      stdioServer({ resources: [{ uri: 'p://doc.md', text: lines.join('\n'), mimeType: 'text/markdown' }] }),
    );
    const id = freshId();
    const api = await configure({ [id]: server.entry });
    await api.connect(id);
    const uri = api.documentUri(id, 'p://doc.md');
    const editor = await show(uri);
    await until('it is subscribed', async () => (await server.control.requests('resources/subscribe')).length > 0);
    editor.selection = new vscode.Selection(155, 2, 155, 8);
    await until('a chapter is folded above', async () => {
      // Scrolls to what is selected, too.
      await vscode.commands.executeCommand('editor.fold', { selectionLines: [120], levels: 1, direction: 'down' });
      return editor.visibleRanges.length === 2;
    });
    await until('the text is scrolled', () => {
      editor.revealRange(new vscode.Range(110, 0, 110, 0), vscode.TextEditorRevealType.AtTop);
      const [first, ...later] = editor.visibleRanges;
      return later.length === 1 && first!.start.line > 100 && first!.start.line <= 110;
    });
    const update = async (changed: readonly string[]) => {
      const text = changed.join('\n');
      await server.control.set('p://doc.md', text);
      await untilText(uri, text);
    };
    return { editor, update };
  };
  /** What the reader has of the text: what is selected, which line is the first in view, which are hidden. */
  const placeOf = ({ document, selection, visibleRanges }: vscode.TextEditor) => ({
    selected: `${document.lineAt(selection.start.line).text} ${selection.start.character}-${selection.end.character}`,
    first: document.lineAt(visibleRanges[0]!.start.line).text,
    foldedBefore: visibleRanges.slice(1).map(({ start }) => document.lineAt(start.line).text),
  });

  const changes: Record<string, (text: readonly string[]) => string[]> = {
    'lines added above': (text) => ['new first', 'new second', ...text],
    'a change above and lines added below': (text) => ['other first', ...text.slice(1), 'the end'],
    'lines added above and below': (text) => ['new first', 'new second', ...text, 'the end'],
    'a change between every few lines': (text) => text.map((line, at) => (at % 20 === 7 ? `${line}!` : line)),
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`S1: selection, scroll position and folding survive: ${name}`, async () => {
      const { editor, update } = await begin();
      const before = placeOf(editor);
      await update(change(lines));
      let now = before;
      await until('the place is kept', () => {
        now = placeOf(editor);
        return isDeepStrictEqual(now, before);
      }).catch(() => undefined);
      assert.deepEqual(now, before);
    });
  }

  it('S1: who reads at the very top sees what comes in above', async () => {
    const { editor, update } = await begin();
    await vscode.commands.executeCommand('cursorTop');
    await until('the top is in view', () => editor.visibleRanges[0]!.start.line === 0);
    await update(['the newest', ...lines]);
    await until('the newest line is in view', () => editor.visibleRanges[0]!.start.line === 0);
    assert.equal(editor.document.lineAt(editor.selection.active).text, lines[0]);
  });

  it('S1: where the line itself is another one, the cursor stays in its place', async () => {
    const { editor, update } = await begin();
    await update(lines.map((line) => `${line}!`));
    await until('the cursor is back', () => editor.selection.active.isEqual(new vscode.Position(155, 8)));
    await until('it is scrolled to where it was', () => editor.visibleRanges[0]!.start.line > 100);
  });
});
