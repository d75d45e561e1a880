import type { Memento } from '../../src/base/memento';
import { Catalog } from '../../src/catalog/catalog';
import type { Launch, ServerDefinition } from '../../src/config/serverDefinition';
import type { BackoffOptions } from '../../src/connection/backoff';
import type { ConnectionHost, Root } from '../../src/connection/connectionHost';
import { ConnectionPool } from '../../src/connection/connectionPool';
import { EraMemory } from '../../src/connection/eraMemory';
import type { InputHandler } from '../../src/connection/inputRequest';
import { launchTarget, thisMachine } from '../../src/connection/launchTarget';
import { LaunchVariables, type VariableHost } from '../../src/connection/launchVariables';
import type { GroupListener } from '../../src/connection/processTree';
import type { SignInHost } from '../../src/connection/signInHost';
import type { ServerConnection } from '../../src/connection/serverConnection';
import type { StoreTimes } from '../../src/content/storeTimes';
import { ContentStore } from '../../src/content/contentStore';
import type { FixtureLaunch } from '../server/fixtureClient';
import { nobodySignsIn } from './signInPerson';

/** The extension's core without an editor: what the composition root builds, up to the content store. */
export interface Core {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  /** Everything that was logged, one line per entry. */
  readonly lines: string[];
  connection(id: string): ServerConnection;
  end(): Promise<void>;
}

export interface CoreOptions {
  backoff?: BackoffOptions;
  startTimeoutMs?: number;
  requestTimeoutMs?: number;
  listsAnyway?: boolean;
  input?: InputHandler;
  signIn?: SignInHost;
  /** What variables of a configuration ask of the editor and the person. */
  variables?: VariableHost;
  /** Keeps each message of the wire in the log. */
  traces?: boolean;
  /** Folders that are shared with every server. */
  roots?: readonly Root[];
  /** What was found of eras in earlier windows. */
  eras?: EraMemory;
  groups?: GroupListener;
  /** Pauses of the store. */
  times?: Partial<StoreTimes>;
  /** Whether somebody looks at a resource; at all unless said. */
  isInView?: () => boolean;
  /** Which definitions may start; all unless said. */
  consent?: ConnectionHost['consent'];
  /** Why nothing may start. */
  refusal?: () => string | undefined;
}

export function startCore(servers: Record<string, Launch>, options: CoreOptions = {}): Core {
  const lines: string[] = [];
  const write =
    (level: string, serverId: string) =>
    (message: string): void => {
      lines.push(`${level} [${serverId}] ${message}`);
    };
  const variables = options.variables && new LaunchVariables(options.variables);
  const pool = new ConnectionPool({
    refusal: options.refusal ?? (() => undefined),
    consent: options.consent ?? (() => Promise.resolve()),
    target: async (definition, by) =>
      launchTarget(definition, { ...thisMachine(), ...(await variables?.of(definition, by)) }),
    startTimeoutMs: () => options.startTimeoutMs ?? 20_000,
    requestTimeoutMs: () => options.requestTimeoutMs ?? 10_000,
    listsAnyway: () => options.listsAnyway ?? false,
    input: options.input ?? { ask: () => Promise.reject(new Error('Nobody is there to be asked.')) },
    signIn: options.signIn ?? nobodySignsIn(),
    sharedRoots: () => options.roots,
    clientVersion: '0.0.0',
    eras: options.eras ?? new EraMemory(memento()),
    groups: options.groups,
    backoff: options.backoff ?? { firstMs: 10, longestMs: 100, attempts: 8 },
    logFor: (id) => ({
      traces: () => options.traces === true,
      trace: write('trace', id),
      debug: write('debug', id),
      info: write('info', id),
      warn: write('warn', id),
      error: write('error', id),
    }),
  });
  const catalog = new Catalog(pool);
  const content = new ContentStore(pool, catalog, { times: options.times, isInView: options.isInView });
  pool.update(Object.entries(servers).map(([name, launch]) => definition(name, launch)));
  return {
    pool,
    catalog,
    content,
    lines,
    connection: (id) => pool.require(id),
    async end() {
      content.dispose();
      catalog.dispose();
      await pool.end();
    },
  };
}

/** What the editor remembers, for as long as a test lasts. */
export function memento(entries = new Map<string, unknown>()): Memento {
  return {
    get: (key) => entries.get(key),
    update: (key, value) => Promise.resolve(void entries.set(key, value)),
  };
}

export function definition(name: string, launch: Launch): ServerDefinition {
  return { id: name, name, source: { kind: 'setting', label: 'test' }, launch, shadows: [] };
}

export function stdio({ command, args, env }: Pick<FixtureLaunch, 'command' | 'args' | 'env'>): Launch {
  return { type: 'stdio', command, args, env };
}

export function http(url: string, headers: Record<string, string> = {}): Launch {
  return { type: 'http', url, headers };
}
