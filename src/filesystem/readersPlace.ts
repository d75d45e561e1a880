import * as vscode from 'vscode';
import { lineMap } from '../content/lineMap';
import type { ResourceDocuments } from './resourceDocuments';

/** Larger texts are not kept to compare with. Characters. */
const LARGEST = 4_000_000;

/**
 * Keeps selection, scroll position and folding where a refresh replaces the lines that they are on: VS Code takes over a
 * new text as one edit from the first to the last difference, and forgets all that lies between.
 */
export class ReadersPlace implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  /** What the visible documents said last. */
  private texts = new Map<string, string>();
  /** The first lines of what is folded, as far as it was in view. */
  private readonly folds = new WeakMap<vscode.TextEditor, ReadonlySet<number>>();

  constructor(private readonly documents: ResourceDocuments) {
    this.subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.follow()),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.noteFolds(textEditor)),
      vscode.workspace.onDidChangeTextDocument((event) => this.refreshed(event)),
    ];
    this.follow();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.texts.clear();
  }

  private follow(): void {
    const previous = this.texts;
    this.texts = new Map();
    for (const { document } of vscode.window.visibleTextEditors) {
      const key = document.uri.toString();
      if (this.documents.resourceOf(document.uri)) {
        this.texts.set(key, previous.get(key) ?? document.getText());
      }
    }
  }

  private noteFolds(editor: vscode.TextEditor): void {
    const ranges = editor.visibleRanges;
    const [first, last] = [ranges[0]?.start.line ?? 0, ranges.at(-1)?.end.line ?? 0];
    const elsewhere = [...(this.folds.get(editor) ?? [])].filter((line) => line < first || line > last);
    this.folds.set(editor, new Set([...elsewhere, ...ranges.slice(0, -1).map(({ end }) => end.line)]));
  }

  private refreshed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const key = document.uri.toString();
    const before = this.texts.get(key);
    if (before === undefined || contentChanges.length === 0) {
      return;
    }
    const after = document.getText();
    this.texts.set(key, after);
    if (Math.max(before.length, after.length) > LARGEST) {
      return;
    }
    const isReplaced = (line: number): boolean =>
      contentChanges.some(({ range }) => range.start.line <= line && line <= range.end.line);
    const lineOf = lineMap(before, after);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) {
        this.restore(editor, isReplaced, lineOf);
      }
    }
  }

  /** The editor's state is still the one before the change: VS Code tells of what the change did to it afterwards. */
  private restore(
    editor: vscode.TextEditor,
    isReplaced: (line: number) => boolean,
    lineOf: (line: number) => number,
  ): void {
    const folds = [...(this.folds.get(editor) ?? [])];
    const moved = ({ line, character }: vscode.Position): vscode.Position =>
      new vscode.Position(lineOf(line), character);
    const { selections, visibleRanges } = editor;
    const top = visibleRanges[0]?.start.line ?? 0;
    // Who reads at the very top wants to see what comes in above.
    const line = top === 0 ? 0 : lineOf(top);
    const scroll = (): void => {
      const revealed = new vscode.Position(line === 0 ? 0 : line + scrollMargin(editor), 0);
      editor.revealRange(new vscode.Range(revealed, revealed), vscode.TextEditorRevealType.AtTop);
    };
    const isMoved = selections.some(({ anchor, active }) => isReplaced(anchor.line) || isReplaced(active.line));
    if (isMoved) {
      // Scrolls to what is selected.
      editor.selections = selections.map(({ anchor, active }) => new vscode.Selection(moved(anchor), moved(active)));
    }
    // VS Code keeps the distance from the top in pixels, whatever is added or removed above.
    if (isMoved || line !== top || isReplaced(top)) {
      scroll();
    }
    this.folds.set(editor, new Set(folds.map(lineOf)));
    const unfolded = folds.filter(isReplaced).map(lineOf);
    // The command acts on the active editor only.
    if (unfolded.length > 0 && editor === vscode.window.activeTextEditor) {
      const fold = { selectionLines: unfolded, levels: 1, direction: 'down' };
      void vscode.commands.executeCommand('editor.fold', fold).then(scroll);
    }
  }
}

/** How many lines VS Code leaves above a line that is revealed at the top. */
function scrollMargin({ document }: vscode.TextEditor): number {
  const settings = vscode.workspace.getConfiguration('editor', document);
  const sticky = settings.get('stickyScroll.enabled') ? settings.get('stickyScroll.maxLineCount', 5) : 0;
  return Math.max(sticky, settings.get('cursorSurroundingLines', 0));
}
