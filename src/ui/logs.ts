import * as vscode from 'vscode';
import type { Log } from '../base/log';

/** One log for the extension, and one per server, made when it is first written to or shown. */
export class Logs implements vscode.Disposable {
  readonly main = vscode.window.createOutputChannel('MCP Resources', { log: true });
  private readonly servers = new Map<string, vscode.LogOutputChannel>();

  /** The log of a server. Making it costs nothing; the channel appears with its first line. */
  of(serverId: string): Log {
    const write =
      (level: Exclude<keyof Log, 'traces'>) =>
      (message: string): void =>
        this.channel(serverId)[level](message);
    return {
      traces: () => this.channel(serverId).logLevel === vscode.LogLevel.Trace,
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
  }

  show(serverId?: string): void {
    (serverId === undefined ? this.main : this.channel(serverId)).show(true);
  }

  dispose(): void {
    this.main.dispose();
    for (const channel of this.servers.values()) {
      channel.dispose();
    }
  }

  private channel(serverId: string): vscode.LogOutputChannel {
    const known = this.servers.get(serverId);
    if (known) {
      return known;
    }
    const created = vscode.window.createOutputChannel(`MCP Resources: ${serverId}`, { log: true });
    this.servers.set(serverId, created);
    return created;
  }
}
