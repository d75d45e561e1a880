import type * as vscode from 'vscode';

/** Changes come in bursts: the first of one is waited for this long. Milliseconds. */
const GATHER_MS = 50;
/** From one refresh to the next: VS Code puts off what comes within 200 ms of the last, time and again. Milliseconds. */
const PACE_MS = 300;

/** Refreshes nodes soon after a change, and no more often than VS Code can show. */
export class PacedRefresh<T> implements vscode.Disposable {
  private readonly pending = new Set<T>();
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private refreshedAt = -Infinity;

  constructor(private readonly refresh: (node: T) => void) {}

  /** Asks for a refresh of a node; it comes `paceMs` after the last one at the soonest. */
  trigger(node: T, paceMs = PACE_MS): void {
    this.pending.add(node);
    const now = performance.now();
    const dueAt = Math.max(now + GATHER_MS, this.refreshedAt + paceMs);
    if (dueAt < this.dueAt) {
      this.dueAt = dueAt;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), dueAt - now);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private run(): void {
    this.dueAt = Infinity;
    this.refreshedAt = performance.now();
    const nodes = [...this.pending];
    this.pending.clear();
    nodes.forEach((node) => this.refresh(node));
  }
}
