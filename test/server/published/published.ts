// Servers that others published, and what is special about each. `install.mjs` has to have run before.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testRoot } from '../testRoot';

/** Files that a server needs, and a home folder that it may write to. */
export interface PublishedFiles {
  home: string;
  data: string;
}

export interface PublishedServer {
  name: string;
  /** Program, relative to `node_modules`. */
  entry: string;
  args?: (files: PublishedFiles) => string[];
  env?: (files: PublishedFiles) => Record<string, string>;
  era: 'legacy' | 'modern';
  /** The version that `initialize` or `server/discover` settles on. */
  protocolVersion: string;
  resources: number;
  /** Entries of the templates list; `refused` when it answers -32601. */
  templates: number | 'refused';
  /** Whether reads succeed at all. */
  readable: boolean;
  /** Error code that the server itself sends for a URI that it does not know. */
  missing: number;
  quirks: readonly string[];
}

export const publishedServers: readonly PublishedServer[] = [
  {
    name: 'everything',
    entry: '@modelcontextprotocol/server-everything/dist/index.js',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    resources: 7,
    templates: 2,
    readable: true,
    missing: -32602,
    quirks: ['updates only after its tool toggle-subscriber-updates', 'templates with completion'],
  },
  {
    name: 'everything-2025',
    entry: 'server-everything-2025/dist/index.js',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    resources: 100,
    templates: 1,
    readable: true,
    missing: -32603,
    quirks: ['ten pages', 'an update every 10 s for each subscribed URI', 'ends on SIGTERM only'],
  },
  {
    name: 'memory',
    entry: '@modelcontextprotocol/server-memory/dist/index.js',
    env: ({ home }) => ({ MEMORY_FILE_PATH: join(home, 'memory.jsonl') }),
    era: 'legacy',
    protocolVersion: '2025-11-25',
    resources: 1,
    templates: 0,
    readable: true,
    missing: -32602,
    quirks: ['one update per mutating tool call (create_entities, …)'],
  },
  {
    name: 'openapi',
    entry: '@ivotoby/openapi-mcp-server/bin/mcp-server.js',
    args: ({ data }) => [
      ...['--api-base-url', 'http://127.0.0.1:9', '--openapi-spec', join(data, 'openapi.json')],
      ...['--resources', join(data, 'resources.json')],
    ],
    era: 'legacy',
    protocolVersion: '2025-11-25',
    resources: 16,
    templates: 'refused',
    readable: true,
    missing: -32603,
    quirks: ['odd URIs of every kind, from data/resources.json'],
  },
  {
    name: '1password',
    entry: '@takescake/1password-mcp/bin/1password-mcp.js',
    env: () => ({ OP_SERVICE_ACCOUNT_TOKEN: 'ops_dummy' }),
    era: 'modern',
    protocolVersion: '2026-07-28',
    resources: 3,
    templates: 0,
    readable: false,
    missing: -32602,
    quirks: ['a scheme that begins with a digit', 'a literal {vaultId} in a listed URI', 'every read fails'],
  },
  {
    name: 'wcf',
    entry: '@monoharada/wcf-mcp/bin.mjs',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    resources: 8,
    templates: 1,
    readable: true,
    missing: -32602,
    quirks: ['text up to 181 KB', 'a template whose completion works'],
  },
  {
    name: 'graphql',
    entry: 'mcp-graphql/dist/index.js',
    env: ({ data }) => ({ ENDPOINT: 'http://127.0.0.1:9/graphql', SCHEMA: join(data, 'schema.graphql') }),
    era: 'legacy',
    protocolVersion: '2025-03-26',
    resources: 1,
    templates: 0,
    readable: true,
    missing: -32602,
    quirks: ['an http: URI that the server itself serves', 'no MIME type'],
  },
];

export interface PublishedLaunch {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** A private copy of the data and a home folder, both gone after `dispose`. */
export interface PublishedHome {
  readonly home: string;
  launch(name: string): PublishedLaunch;
  dispose(): void;
}

export function publishedHome(): PublishedHome {
  const home = mkdtempSync(join(tmpdir(), 'mcp-published-'));
  const source = join(testRoot(), 'test', 'server', 'published', 'data');
  const files: PublishedFiles = { home, data: join(home, 'data') };
  mkdirSync(files.data);
  cpSync(source, files.data, { recursive: true });
  cpSync(join(source, 'memory.jsonl'), join(home, 'memory.jsonl'));
  return {
    home,
    launch: (name) => {
      const { entry, args, env } = publishedServer(name);
      return {
        command: process.execPath,
        args: [modulePath(entry), ...(args?.(files) ?? [])],
        env: { ELECTRON_RUN_AS_NODE: '1', HOME: home, USERPROFILE: home, ...env?.(files) },
      };
    },
    dispose: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function publishedServer(name: string): PublishedServer {
  const server = publishedServers.find((one) => one.name === name);
  if (server === undefined) throw new Error(`No published server is called ${name}.`);
  return server;
}

/** The absolute path of a file of an installed package. */
export function modulePath(file: string): string {
  const modules = join(testRoot(), '.host', 'servers', 'node_modules');
  if (!existsSync(modules)) throw new Error('Run `node test/server/published/install.mjs` first.');
  return join(modules, file);
}
