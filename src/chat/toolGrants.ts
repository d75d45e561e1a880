import { createHash } from 'node:crypto';
import type { ServerDefinition } from '../config/serverDefinition';
import type { ResourceRef } from '../connection/connectionPool';

/** For what a person lets tools read without asking again. The window's ends with it. */
export type GrantScope = 'resource' | 'server' | 'window';

/** Where grants are kept. `vscode.Memento` fits it. */
export interface GrantStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'mcpResources.toolGrants';

/**
 * What a person has allowed the tools of the chat to read. Kept per server and exact URI, or per server; a server that is
 * started otherwise than it was is another one, whatever its name.
 */
export class ToolGrants {
  private window = false;
  private kept: ReadonlySet<string>;

  constructor(
    private readonly storage: GrantStorage,
    private readonly definitionOf: (serverId: string) => ServerDefinition | undefined,
  ) {
    const stored = storage.get(KEY);
    this.kept = new Set(Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []);
  }

  allowsServer(serverId: string): boolean {
    return this.window || this.kept.has(this.serverKey(serverId));
  }

  allows(ref: ResourceRef): boolean {
    return this.allowsServer(ref.serverId) || this.allowsExactly(ref);
  }

  /** Allowed for itself, not with others. */
  allowsExactly(ref: ResourceRef): boolean {
    return this.kept.has(this.resourceKey(ref));
  }

  async grant(scope: GrantScope, ref: ResourceRef): Promise<void> {
    if (scope === 'window') {
      this.window = true;
      return;
    }
    const key = scope === 'server' ? this.serverKey(ref.serverId) : this.resourceKey(ref);
    this.kept = new Set([...this.kept, key]);
    await this.storage.update(KEY, [...this.kept]);
  }

  /** From now on everything is asked for again. */
  async forget(): Promise<void> {
    this.window = false;
    this.kept = new Set();
    await this.storage.update(KEY, undefined);
  }

  /** In one line, for a report. */
  get summary(): string {
    return `${this.kept.size} servers and resources allowed, ${this.window ? 'all' : 'no others'} in this window`;
  }

  private serverKey(serverId: string): string {
    return JSON.stringify(['server', serverId, this.printOf(serverId)]);
  }

  private resourceKey({ serverId, uri }: ResourceRef): string {
    return JSON.stringify(['resource', serverId, uri, this.printOf(serverId)]);
  }

  /** What the server is started by, hashed: it may hold secrets. */
  private printOf(serverId: string): string {
    const { launch, source } = this.definitionOf(serverId) ?? {};
    return createHash('sha256')
      .update(JSON.stringify([launch, source?.folder]))
      .digest('hex')
      .slice(0, 24);
  }
}
