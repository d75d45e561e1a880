import * as vscode from 'vscode';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import { visibleResources } from './changeMarks';
import type { ResourceDocuments } from './resourceDocuments';

interface PollingOptions {
  readonly pool: ConnectionPool;
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
  /** Milliseconds between two reads of a server's resources; `undefined`: they are not polled. */
  intervalMs(serverId: string): number | undefined;
}

/** A poll that fails waits this many times longer at most. */
const LONGEST_FACTOR = 8;

/** Reads what is visible and not live again and again, for servers whose person has asked for it. Off by default. */
export class Polling implements vscode.Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly options: PollingOptions) {
    const update = (): void => this.update();
    this.subscriptions = [
      vscode.window.tabGroups.onDidChangeTabs(update),
      vscode.window.tabGroups.onDidChangeTabGroups(update),
      vscode.workspace.onDidChangeConfiguration(update),
    ];
    update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.timers.forEach((timer) => {
      clearTimeout(timer);
    });
    this.timers.clear();
  }

  private update(): void {
    const visible = new Map(visibleResources(this.options.documents).map((ref) => [keyOf(ref), ref]));
    for (const [key, timer] of this.timers) {
      if (!visible.has(key)) {
        clearTimeout(timer);
        this.timers.delete(key);
      }
    }
    for (const [key, ref] of visible) {
      if (!this.timers.has(key) && this.options.intervalMs(ref.serverId) !== undefined) {
        this.plan(ref, 1);
      }
    }
  }

  private plan(ref: ResourceRef, factor: number): void {
    const interval = this.options.intervalMs(ref.serverId);
    if (interval === undefined) {
      this.timers.delete(keyOf(ref));
      return;
    }
    // A tenth of jitter: resources of one server are not asked for in step.
    const pause = interval * factor * (0.9 + Math.random() / 5);
    const timer = setTimeout(() => {
      void this.poll(ref).then((succeeded) => {
        if (this.timers.get(keyOf(ref)) === timer) {
          this.plan(ref, succeeded ? 1 : Math.min(LONGEST_FACTOR, factor * 2));
        }
      });
    }, pause);
    this.timers.set(keyOf(ref), timer);
  }

  /** Whether the resource was read, or needs no reading. Its failure is shown where every failed read is. */
  private async poll(ref: ResourceRef): Promise<boolean> {
    const connection = this.options.pool.get(ref.serverId);
    if (connection?.state.kind !== 'connected' || connection.subscriptions.liveness(ref.uri) === 'live') {
      return true;
    }
    try {
      await this.options.content.read(ref, { purpose: 'refresh', initiative: 'background' });
      return true;
    } catch {
      return false;
    }
  }
}
