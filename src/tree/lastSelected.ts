import type * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import type { TreeNode } from './nodes';

const KEY = 'mcpResources.selected';

/** Which resource was selected last, remembered per workspace until the view has shown it again. */
export class LastSelected {
  /** What the window before had selected; gone once it was shown, or something else was selected. */
  wanted: ResourceRef | undefined;

  constructor(private readonly memory: vscode.Memento) {
    const { serverId, uri } = Object(memory.get(KEY)) as Partial<Record<keyof ResourceRef, unknown>>;
    this.wanted = typeof serverId === 'string' && typeof uri === 'string' ? { serverId, uri } : undefined;
  }

  note([node]: readonly TreeNode[]): void {
    if (node?.kind === 'resource') {
      this.wanted = undefined;
      void this.memory.update(KEY, { serverId: node.server.connection.id, uri: node.entry.uri });
    }
  }
}
