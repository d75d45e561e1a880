import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import type { McpResourcesApi } from '../../src/api';
import { commandIds, settingSection, viewIds } from '../../src/ids';
import { configure, writeWorkspaceConfig } from '../editor/ours';
import { page as pageOrNone } from '../editor/page';
import { until } from '../until';
import { environment, report } from './benchWindow';
import { browsed, type BrowseTimes, filteredNumber, type ListCase, listCases, listedLabel } from './listCases';
import { longestTasks, type Task } from './longestTask';
import { memory } from './memory';

/** Milliseconds, a reading a round each. */
export interface CaseTimes extends ListCase {
  /** The SDK's client alone: all pages, one after the other. */
  readonly bare: number[];
  /** Ours, the same pages: until `resources()` resolves, and the same while the tree shows them. */
  readonly complete: number[];
  readonly withTree: number[];
  /** Processor time of the extension host, milliseconds: on a busy machine it says more than the clock. */
  readonly bareCpu: number[];
  readonly completeCpu: number[];
  /** From the key that expands the server to the first resource's row on the screen. */
  readonly first: number[];
  /** From a key in the filter's input to what it leaves on the screen. */
  readonly keystroke: number[];
  /** Bytes of heap and external memory that the list takes, after a forced collection. */
  readonly heap: number[];
}

export interface BrowseResult {
  readonly ours: BrowseTimes[];
  readonly again: BrowseTimes[];
  readonly vscode: BrowseTimes[];
  /** Requests for the list: of our first showings together, and of the second ones. */
  readonly requests: number;
  readonly requestsAgain: number;
}

export interface ListResult {
  readonly cases: readonly CaseTimes[];
  /** Our longest tasks of each case, in a round of its own under the profiler. */
  readonly tasks: readonly (ListCase & { readonly tasks: readonly Task[] })[];
  readonly browse: BrowseResult;
}

const page = pageOrNone!;
/** The key that opens a picker, and what it says once all is listed. */
const pickers = { ours: ['F8', ': 5,000( ·|$)'], vscode: ['F9', '^5,?000 '] } as const;

/** What VS Code calls in the extension host. */
export function run(): Promise<void> {
  return report(async (): Promise<ListResult> => {
    const rounds = Number(environment('ROUNDS'));
    const browse = await browseByTurns(rounds);
    await vscode.commands.executeCommand(`${viewIds.servers}.focus`);
    const cases = listCases.map(emptyCase);
    // Code that has run before is faster, on both sides: a round that does not count.
    for (const each of cases.slice(2, 4)) {
      await bareWalk(each);
      await ourListing(each, 'warm');
      await ourWalk(each, 'warm');
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const each of cases) await turn(each, round);
    }
    const tasks = [];
    for (const each of listCases) {
      // To start a process takes its time, too, and is none of a list.
      const server = await freshServer(each, 'profiled');
      tasks.push({ ...each, tasks: await longestTasks(() => shownWalk(each, server), 3) });
    }
    return { cases, tasks, browse };
  });
}

const emptyCase = (each: ListCase): CaseTimes => ({
  ...each,
  bare: [],
  bareCpu: [],
  complete: [],
  completeCpu: [],
  withTree: [],
  first: [],
  keystroke: [],
  heap: [],
});

/**
 * Each side comes first every other time. A short list is walked several times in a round, which counts by the median:
 * it takes a millisecond or two, in which whatever else the window does shows.
 */
async function turn(each: CaseTimes, round: number): Promise<void> {
  const walks: Record<'bare' | 'ours', Walk[]> = { bare: [], ours: [] };
  const times = each.count > 1000 ? 1 : 7;
  for (let time = 0; time < times; time += 1) {
    const sides = {
      bare: () => bareWalk(each),
      ours: () => ourListing(each, `round-${round}-${time}`),
    };
    for (const side of (round + time) % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const)) {
      walks[side].push(await sides[side]());
    }
  }
  each.bare.push(middle(walks.bare.map(({ ms }) => ms)));
  each.bareCpu.push(middle(walks.bare.map(({ cpuMs }) => cpuMs)));
  each.complete.push(middle(walks.ours.map(({ ms }) => ms)));
  each.completeCpu.push(middle(walks.ours.map(({ cpuMs }) => cpuMs)));
  const { withTree, first, keystroke, heap } = await ourWalk(each, `round-${round}`);
  each.withTree.push(withTree);
  each.first.push(first);
  each.keystroke.push(keystroke);
  each.heap.push(heap);
}

/** Of an odd number of readings. */
function middle(readings: readonly number[]): number {
  return readings.toSorted((a, b) => a - b)[Math.floor(readings.length / 2)]!;
}

function entryOf({ count, page: perPage }: ListCase, log?: string) {
  const args = [join(__dirname, 'listServer.js'), '--count', String(count), '--page', String(perPage)];
  return {
    command: process.execPath,
    args: log === undefined ? args : [...args, '--log', log],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** Milliseconds by the clock, and of processor time of the extension host. */
interface Walk {
  readonly ms: number;
  readonly cpuMs: number;
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function bareWalk(each: ListCase): Promise<Walk> {
  const client = new Client({ name: 'bare', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  const { command, args, env } = entryOf(each);
  const inherited = process.env as Record<string, string>;
  await client.connect(new StdioClientTransport({ command, args, env: { ...inherited, ...env }, stderr: 'ignore' }));
  await quietHost();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  let listed = 0;
  let cursor: string | undefined;
  const kept: unknown[] = [];
  do {
    const params = cursor === undefined ? {} : { cursor };
    const { resources, nextCursor } = await client.request({ method: 'resources/list', params });
    kept.push(resources);
    listed += resources.length;
    cursor = nextCursor;
  } while (cursor !== undefined);
  const ms = performance.now() - begun;
  const cpuMs = cpuSince(cpu);
  await client.close();
  if (listed !== each.count) throw new Error(`The bare client listed ${listed} of ${each.count} resources.`);
  return { ms, cpuMs };
}

/** Not expanded in the tree. What the editor does about a new server is none of its list. */
async function ourListing(each: ListCase, name: string): Promise<Walk> {
  const { api, id } = await freshServer(each, `${name}-listed`);
  await quietHost();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const { length } = await api.resources(id);
  const ms = performance.now() - begun;
  const cpuMs = cpuSince(cpu);
  if (length !== each.count) throw new Error(`Ours listed ${length} of ${each.count} resources.`);
  return { ms, cpuMs };
}

/** Waits until the extension host has had next to nothing to do for a tenth of a second. */
async function quietHost(): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return cpuSince(before) < 5;
  };
  await until('the extension host is quiet', isQuiet, 30_000);
}

interface OurWalk {
  readonly withTree: number;
  readonly first: number;
  readonly keystroke: number;
  readonly heap: number;
}

/** Expanded in the tree, then filtered. */
async function ourWalk(each: ListCase, name: string): Promise<OurWalk> {
  await configure({});
  const before = memory();
  const walk = await shownWalk(each, await freshServer(each, name));
  return { ...walk, heap: memory() - before };
}

interface FreshServer {
  readonly api: McpResourcesApi;
  readonly id: string;
}

/** The only server, never seen before, connected. */
async function freshServer(each: ListCase, name: string): Promise<FreshServer> {
  const id = `${each.count}-by-${each.page}-${name}`;
  const api = await configure({ [id]: entryOf(each) });
  await api.connect(id);
  return { api, id };
}

async function shownWalk(each: ListCase, { api, id }: FreshServer): Promise<Omit<OurWalk, 'heap'>> {
  await vscode.commands.executeCommand(`${viewIds.servers}.focus`);
  await page.call('focusServer', id);
  const walk = completeList(api, id);
  const first = await page.call<number>('untilFirst', 'ArrowRight', listedLabel(0));
  const { ms, listed } = await walk;
  if (listed !== each.count) throw new Error(`Ours listed ${listed} of ${each.count} resources.`);
  const keystroke = await filterKeystroke(filteredNumber(each));
  return { withTree: ms, first, keystroke };
}

/** From the moment at which the list is first asked for, by whomever. */
async function completeList(api: McpResourcesApi, id: string): Promise<{ ms: number; listed: number }> {
  await new Promise<void>((resolve) => {
    const subscription = api.onDidChangeResources((changed) => {
      if (changed !== id) return;
      subscription.dispose();
      resolve();
    });
  });
  const begun = performance.now();
  const { length } = await api.resources(id);
  return { ms: performance.now() - begun, listed: length };
}

async function filterKeystroke(digits: string): Promise<number> {
  const closed = vscode.commands.executeCommand(commandIds.filter);
  await page.call('type', digits.slice(0, -1));
  await page.call('waitForFirst', listedLabel(Number(digits.slice(0, -1))));
  const ms = await page.call<number>('untilFirst', digits.slice(-1), listedLabel(Number(digits)));
  await page.call('press', 'Escape');
  await closed;
  await page.call('waitForFirst', listedLabel(0));
  return ms;
}

/** VS Code's server comes of `mcp.json`, ours of our setting, a new one each round: VS Code lists anew each time. */
async function browseByTurns(rounds: number): Promise<BrowseResult> {
  const folder = environment('FOLDER');
  const api = await configure({});
  writeWorkspaceConfig({ browsed: entryOf(browsed) });
  const settings = vscode.workspace.getConfiguration(settingSection);
  const startVscodes = (): Thenable<unknown> =>
    vscode.commands.executeCommand('workbench.mcp.startServer', 'mcp.config.ws0.browsed');
  const result = { ours: [], again: [], vscode: [], requests: 0, requestsAgain: 0 } as {
    -readonly [K in keyof BrowseResult]: BrowseResult[K];
  };
  // It does nothing before VS Code has read its `mcp.json`.
  await until(
    'VS Code lists its server',
    async () => {
      await startVscodes();
      return page.call('browse', ...pickers.vscode).then(
        () => true,
        async () => {
          await page.call('press', 'Escape');
          return false;
        },
      );
    },
    150_000,
  );
  // The first showing of each is left out.
  for (let round = -1; round < rounds; round += 1) {
    const id = `browsed-${round + 1}`;
    const log = join(folder, id);
    const requests = (): number => (existsSync(log) ? statSync(log).size : 0);
    await settings.update('servers', { [id]: entryOf(browsed, log) }, vscode.ConfigurationTarget.Global);
    await until(`the server ${id}`, () => api.servers().some((server) => server.id === id));
    await api.connect(id);
    const browse = (side: keyof typeof pickers): Promise<BrowseTimes> =>
      page.call<BrowseTimes>('browse', ...pickers[side]).catch((error: unknown) => {
        throw new Error(`Round ${round}, ${side}: ${String(error)}`, { cause: error });
      });
    const early = round % 2 === 0 ? await browse('vscode') : undefined;
    const ours = await browse('ours');
    const walked = requests();
    const again = await browse('ours');
    const walkedAgain = requests() - walked;
    const theirs = early ?? (await browse('vscode'));
    if (round < 0) continue;
    result.ours.push(ours);
    result.again.push(again);
    result.vscode.push(theirs);
    result.requests += walked;
    result.requestsAgain += walkedAgain;
  }
  await settings.update('servers', undefined, vscode.ConfigurationTarget.Global);
  // The tree offers it, too.
  writeWorkspaceConfig({});
  await until('no server', () => api.servers().length === 0);
  return result;
}
