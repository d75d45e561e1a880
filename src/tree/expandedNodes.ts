import * as vscode from 'vscode';
import type { TreeNode } from './nodes';

const KEY = 'mcpResources.expanded';
/** More are not remembered. */
const MOST = 500;
/** Writing waits this long for more to come. Milliseconds. */
const SAVE_MS = 500;

/** Which nodes are expanded, remembered per workspace: VS Code forgets it with the window. */
export class ExpandedNodes implements vscode.Disposable {
  private readonly ids: Set<string>;
  private readonly items = new WeakMap<TreeNode, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly memory: vscode.Memento) {
    const remembered: unknown = memory.get(KEY);
    this.ids = new Set(Array.isArray(remembered) ? remembered.filter((id) => typeof id === 'string') : []);
  }

  /** Gives the item of a node that was expanded its state back. */
  restore(node: TreeNode, item: vscode.TreeItem): vscode.TreeItem {
    if (item.id !== undefined) {
      this.items.set(node, item.id);
      if (item.collapsibleState === vscode.TreeItemCollapsibleState.Collapsed && this.ids.has(item.id)) {
        item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
      }
    }
    return item;
  }

  note(node: TreeNode, expanded: boolean): void {
    const id = this.items.get(node);
    if (id === undefined) {
      return;
    }
    this.ids.delete(id);
    if (expanded) {
      this.ids.add(id);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.save();
  }

  private save(): void {
    void this.memory.update(KEY, [...this.ids].slice(-MOST));
  }
}
