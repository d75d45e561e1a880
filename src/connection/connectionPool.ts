import { Emitter } from '../base/events';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { isOfWorkspace, type ServerDefinition } from '../config/serverDefinition';
import type { ConnectionHost } from './connectionHost';
import { NotConfigured } from './notConfigured';
import { ServerConnection } from './serverConnection';

/** A resource: which server, and the server's own string for it. */
export interface ResourceRef {
  readonly serverId: string;
  readonly uri: string;
}

/** One string per resource, for maps. */
export function keyOf(ref: ResourceRef): string {
  return JSON.stringify([ref.serverId, ref.uri]);
}

/** The connections of all configured servers, in the order of the configuration. Follows its changes. */
export class ConnectionPool implements Disposable {
  private connections = new Map<string, { connection: ServerConnection; listeners: DisposableStore }>();
  private endings = new Set<Promise<void>>();
  private readonly serversEmitter = new Emitter<void>();
  private readonly stateEmitter = new Emitter<ServerConnection>();
  private readonly updatedEmitter = new Emitter<ResourceRef>();
  private readonly listsEmitter = new Emitter<ServerConnection>();
  private readonly settledEmitter = new Emitter<ResourceRef>();
  private readonly accountEmitter = new Emitter<ServerConnection>();

  /** Servers came, went or were redefined. */
  readonly onDidChangeServers = this.serversEmitter.event;
  readonly onDidChangeState = this.stateEmitter.event;
  readonly onDidUpdateResource = this.updatedEmitter.event;
  /** A server says that its lists have changed. */
  readonly onDidChangeLists = this.listsEmitter.event;
  /** A subscription was answered or has ended. */
  readonly onDidSettleSubscription = this.settledEmitter.event;
  /** A person signed in to a server, or out. */
  readonly onDidChangeAccount = this.accountEmitter.event;

  constructor(private readonly host: ConnectionHost) {}

  get all(): readonly ServerConnection[] {
    return [...this.connections.values()].map(({ connection }) => connection);
  }

  get(serverId: string): ServerConnection | undefined {
    return this.connections.get(serverId)?.connection;
  }

  /** The connection of a server; throws NotConfigured when none of that id is. */
  require(serverId: string): ServerConnection {
    const connection = this.get(serverId);
    if (!connection) {
      throw new NotConfigured(serverId);
    }
    return connection;
  }

  /**
   * Takes over a new list of definitions. A server whose definition is the same keeps its session; a changed one ends
   * and, where it was running, is started again; one that is gone ends.
   */
  update(definitions: readonly ServerDefinition[]): void {
    const previous = this.connections;
    const next: typeof previous = new Map();
    const restarts: ServerConnection[] = [];
    let changed = definitions.length !== previous.size;
    for (const definition of definitions) {
      const old = previous.get(definition.id);
      if (old && startsTheSame(old.connection.definition, definition)) {
        changed ||= old.connection.definition !== definition;
        old.connection.definition = definition;
        next.set(definition.id, old);
        continue;
      }
      changed = true;
      const created = this.create(definition);
      next.set(definition.id, created);
      if (old && ['connected', 'connecting'].includes(old.connection.state.kind)) {
        restarts.push(created.connection);
      }
    }
    const order = [...previous.keys()].join('\n') !== [...next.keys()].join('\n');
    if (!changed && !order) {
      return;
    }
    this.connections = next;
    const ended = [...previous].filter(([id, old]) => next.get(id) !== old).map(([, old]) => this.retire(old));
    this.serversEmitter.fire();
    void this.startAfter(ended, restarts);
  }

  /** The old processes must have let go of ports and files before the new ones start. */
  private async startAfter(ended: readonly Promise<void>[], connections: readonly ServerConnection[]): Promise<void> {
    await Promise.all(ended);
    for (const connection of connections) {
      // Its failure is its state.
      connection.connect('background').catch(() => undefined);
    }
  }

  /** Connects those of the servers (`*` stands for all) that nobody has connected or stopped yet. */
  connectIdle(serverIds: readonly string[]): void {
    for (const connection of this.all) {
      const wanted = serverIds.includes('*') || serverIds.includes(connection.id);
      if (wanted && connection.state.kind === 'notConnected') {
        // Its failure is its state, and shown.
        connection.connect('background').catch(() => undefined);
      }
    }
  }

  /** Resolves once every session and process is gone. */
  async end(): Promise<void> {
    const entries = [...this.connections.values()];
    this.connections = new Map();
    entries.forEach((entry) => void this.retire(entry));
    await Promise.all(this.endings);
    for (const emitter of [this.serversEmitter, this.stateEmitter, this.updatedEmitter, this.listsEmitter]) {
      emitter.dispose();
    }
    this.settledEmitter.dispose();
    this.accountEmitter.dispose();
  }

  dispose(): void {
    void this.end();
  }

  private create(definition: ServerDefinition): { connection: ServerConnection; listeners: DisposableStore } {
    const connection = new ServerConnection(definition, this.host);
    const listeners = new DisposableStore();
    listeners.add(connection.onDidChangeState(() => this.stateEmitter.fire(connection)));
    listeners.add(connection.onDidChangeAccount(() => this.accountEmitter.fire(connection)));
    listeners.add(connection.onDidUpdateResource((uri) => this.updatedEmitter.fire({ serverId: connection.id, uri })));
    listeners.add(connection.onDidChangeLists(() => this.listsEmitter.fire(connection)));
    listeners.add(
      connection.subscriptions.onDidSettle((uri) => this.settledEmitter.fire({ serverId: connection.id, uri })),
    );
    return { connection, listeners };
  }

  private retire({
    connection,
    listeners,
  }: {
    connection: ServerConnection;
    listeners: DisposableStore;
  }): Promise<void> {
    listeners.dispose();
    const ending = connection.end().finally(() => this.endings.delete(ending));
    this.endings.add(ending);
    return ending;
  }
}

/**
 * Whether two definitions start the same thing from the same place. Where a person's own were found does not matter; one
 * of a workspace never takes over what was started for another.
 */
function startsTheSame(a: ServerDefinition, b: ServerDefinition): boolean {
  const matter = ({ launch, inputs, error, source }: ServerDefinition): string => {
    const place = isOfWorkspace(source) ? (source.file ?? source.label) : undefined;
    return JSON.stringify([launch, inputs, error, source.folder, readsVariablesAs(source), place]);
  };
  return a === b || matter(a) === matter(b);
}

/** The dialect, as far as it gives variables another meaning. */
function readsVariablesAs({ dialect }: ServerDefinition['source']): string {
  return dialect === 'claude' ? dialect : 'vscode';
}
