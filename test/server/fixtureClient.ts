// What tests use: a fixture server in this process behind HTTP, or the launch of one over stdio (or as a process of its own).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asPromises, commandsOf, type Control } from './control';
import { readAnnouncements } from './announce';
import { delay } from './faults';
import { folderControl, isAlive } from './fixtureFolder';
import { FixtureServer } from './fixtureServer';
import { logControl } from './logWaiter';
import type { MessageLog } from './messageLog';
import type { FixtureEra, FixtureTransport, Scenario } from './scenario';
import { type Guard, HttpEndpoint } from './serveHttp';
import { testRoot } from './testRoot';

export type { Control } from './control';
export type { LoggedMessage } from './messageLog';
export type { FixtureEra, Scenario } from './scenario';
export { fixtureBytes } from './fixtureBytes';

export interface HttpFixture extends Control {
  readonly url: string;
  /** Breaks all connections; `restart` listens on the same port again, with all sessions forgotten. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

export interface FixtureOptions {
  era: FixtureEra;
  transport?: 'http' | 'sse';
  scenario?: Scenario;
  /** Stands before the server, as the one of `AuthServer` does. */
  guard?: Guard;
}

/** Starts a server in this process. `exit()` is the same as `stop()`. */
export async function startFixture(options: FixtureOptions): Promise<HttpFixture> {
  const { era, transport = 'http', scenario = {} } = options;
  const server = new FixtureServer(era, scenario);
  const endpoint = new HttpEndpoint(server, transport, options.guard);
  server.onExit = () => void endpoint.stop();
  const startedAt = Date.now();
  let running = true;
  await endpoint.start();
  const stop = async () => {
    running = false;
    await endpoint.stop();
  };
  return {
    ...logControl({
      read: () => Promise.resolve([...server.log.entries]),
      next: (time) => nextEntry(server.log, time),
    }),
    ...asPromises(commandsOf(server, () => endpoint.forgetSessions())),
    exit: stop,
    stop,
    async restart() {
      await stop();
      running = true;
      await endpoint.start();
    },
    get url() {
      return endpoint.url;
    },
    processes: () => Promise.resolve([{ pid: process.pid, alive: running, startedAt, url: endpoint.url }]),
  };
}

export interface LaunchOptions {
  era: FixtureEra;
  /** Default stdio; otherwise the program listens itself and `processes()` tells the URL. */
  transport?: FixtureTransport;
  scenario?: Scenario;
}

export interface FixtureLaunch {
  command: string;
  args: string[];
  /** What the command needs beyond the environment it inherits. */
  env: Record<string, string>;
  /** Reaches every process that was ever started with this command line, ended ones through their logs. */
  control: Control;
  folder: string;
  /** Ends whatever of it still runs, grandchildren too, and removes its files. */
  dispose(): Promise<void>;
}

export function fixtureLaunch(options: LaunchOptions): FixtureLaunch {
  const { era, transport = 'stdio', scenario = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'mcp-fixture-'));
  const scenarioFile = join(folder, 'scenario');
  writeFileSync(scenarioFile, JSON.stringify(scenario));
  const program = join(testRoot(), 'dist-test', 'server', 'fixture.js');
  return {
    command: process.execPath,
    args: [program, '--scenario', scenarioFile, '--control', folder, '--era', era, '--transport', transport],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    control: folderControl(folder),
    folder,
    dispose: () => disposeFolder(folder),
  };
}

async function disposeFolder(folder: string): Promise<void> {
  const pids = readAnnouncements(folder).flatMap(({ pid, grandchild }) => [pid, grandchild ?? []].flat());
  const own = pids.filter((pid) => endOwn(pid, folder));
  const deadline = Date.now() + 5000;
  while (own.some((pid) => isAlive(pid)) && Date.now() < deadline) await delay(5);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function nextEntry(log: MessageLog, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    const forget = log.onEntry(done);
  });
}

/** Kills a process only if it is really one of ours: ids are used again. */
function endOwn(pid: number, marker: string): boolean {
  if (!isAlive(pid) || !commandLineHas(pid, marker)) return false;
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false; // It ended by itself.
  }
}

function commandLineHas(pid: number, marker: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
  } catch {
    return false;
  }
}
