import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { McpResourcesApi } from '../../src/api';
import { extensionId, viewIds } from '../../src/ids';
import { type FixtureLaunch, fixtureLaunch } from '../server/fixtureClient';
import type { FixtureEra } from '../server/scenario';
import { type StormPlan, textsAfter } from '../server/storm';
import { configure } from '../editor/ours';
import { until } from '../until';
import { environment, report } from './benchWindow';
import { now } from './clock';
import { longestTasks, type Task } from './longestTask';
import { memory } from './memory';

/** Both transports, and both eras: a stream of notifications looks different in each. */
const servers = {
  stdio: { era: 'modern', transport: 'stdio' },
  http: { era: 'legacy', transport: 'http' },
} as const satisfies Record<string, { era: FixtureEra; transport: 'stdio' | 'http' }>;
export type ServerName = keyof typeof servers;

const { One, Two, Three, Four } = vscode.ViewColumn;
/** The first documents are in view, in a column each; the others are open without an editor. */
const columns = [One, Two, Three, Four];
const documents = 50;
const changing = 20;
const perSecond = 1000;

export interface StormRun {
  readonly server: ServerName;
  readonly era: FixtureEra;
  /** Notifications that went out in the measured storm, and the seconds that it took. */
  readonly told: number;
  readonly seconds: number;
  /** Milliseconds of delay of the extension host's event loop. */
  readonly idle: LoopDelay;
  readonly storm: LoopDelay;
  /** Our longest tasks, of a second storm under the profiler. */
  readonly tasks: readonly Task[];
  /** `resources/read` that the server saw during the storm: all, and the most of one document in any one second. */
  readonly reads: number;
  readonly mostReads: number;
  /** Of the documents that change all the time: the longest time without a change, milliseconds, and the least changes. */
  readonly store: Changes;
  readonly shown: Changes;
  /** The same in the editor of those that are not in view. */
  readonly hidden: Changes;
  /** How the storms ended. */
  readonly ends: readonly End[];
  /** Bytes after a forced collection, before and after both storms. */
  readonly before: number;
  readonly after: number;
}

export interface End {
  /** Milliseconds until every document says what the server says; null: never. */
  readonly right: number | null;
  /** Documents that do not, each with what it says instead. */
  readonly wrong: readonly string[];
}

export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The share of the time in which the thread had work and no processor; NaN where the system does not say. */
  readonly starved: number;
}

export interface Changes {
  readonly longestGap: number;
  readonly least: number;
}

/** What VS Code calls in the extension host. */
export function run(): Promise<void> {
  return report(async () => {
    const extension = vscode.extensions.getExtension<McpResourcesApi>(extensionId);
    const api = await (extension?.activate() ?? Promise.reject(new Error('The extension is not there.')));
    await vscode.commands.executeCommand(`${viewIds.servers}.focus`);
    const runs: StormRun[] = [];
    for (const name of Object.keys(servers) as ServerName[]) {
      const fixture = fixtureLaunch({ ...servers[name], scenario: { name, resources: resourcesOf(name) } });
      try {
        await begin(api, name, fixture);
        runs.push(await measure(api, name, fixture));
      } finally {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await fixture.dispose();
      }
    }
    return { runs };
  });
}

const uriOf = (name: ServerName, index: number): string => `storm://${name}/${index}.txt`;

function resourcesOf(name: ServerName): { uri: string; text: string; mimeType: string }[] {
  return Array.from({ length: documents }, (_, index) => ({
    uri: uriOf(name, index),
    text: 'nothing yet',
    mimeType: 'text/plain',
  }));
}

async function begin(api: McpResourcesApi, name: ServerName, fixture: FixtureLaunch): Promise<void> {
  const { command, args, env } = fixture;
  const http = servers[name].transport === 'http';
  const entry = http ? { type: 'http', url: await started(fixture) } : { command, args, env };
  await configure({ [name]: entry });
  // The list brings the MIME types, and so the final names of the documents.
  await api.resources(name);
}

/** The URL of a server over HTTP, which is a process of its own here, too. */
async function started({ command, args, env, control }: FixtureLaunch): Promise<string> {
  spawn(command, args, { env: { ...process.env, ...env }, stdio: 'ignore' }).unref();
  return until('the HTTP server', async () => (await control.processes()).find(({ alive }) => alive)?.url);
}

async function measure(api: McpResourcesApi, server: ServerName, { control }: FixtureLaunch): Promise<StormRun> {
  const milliseconds = Number(environment('SECONDS')) * 1000;
  const uris = Array.from({ length: documents }, (_, index) => uriOf(server, index));
  const opened = await openAll(uris.map((uri) => api.documentUri(server, uri)));
  const plan = (name: string): StormPlan => ({ uris, changing, perSecond, milliseconds, name });

  const idle = await loopDelay(() => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  const before = memory();
  const mark = await control.mark();
  const first = plan('measured');
  const changes = watchChanges(api, opened.slice(0, columns.length));
  const hiddenChanges = watchChanges(api, opened.slice(columns.length, changing));
  const startedAt = now();
  let told = 0;
  const storm = await loopDelay(async () => {
    told = await control.storm(first);
  });
  const seconds = (now() - startedAt) / 1000;
  const { store, shown } = changes.end();
  const { shown: hidden } = hiddenChanges.end();
  const ends = [await endOf(first, opened)];
  const reads = (await control.log()).slice(mark).filter(({ method }) => method === 'resources/read');

  const second = plan('profiled');
  const tasks = await longestTasks(() => control.storm(second), 3);
  ends.push(await endOf(second, opened));
  return {
    server,
    era: servers[server].era,
    told,
    seconds,
    idle,
    storm,
    tasks,
    reads: reads.length,
    mostReads: Math.max(...uris.map((uri) => mostInOneSecond(reads.filter((read) => read.params?.uri === uri)))),
    store,
    shown,
    hidden,
    ends,
    before,
    after: memory(),
  };
}

/** Waits until the documents say what the server says at the end of a storm. */
async function endOf(plan: StormPlan, opened: readonly vscode.TextDocument[]): Promise<End> {
  const end = now();
  const texts = [...textsAfter(plan).values()];
  const isWrong = (document: vscode.TextDocument, index: number): boolean => document.getText() !== texts[index];
  const right = await until('the last texts', () => !opened.some(isWrong)).then(
    () => now() - end,
    () => null,
  );
  const wrong = opened.filter(isWrong).map((document) => {
    const [line = ''] = document.getText().split('\n');
    return `${document.isClosed ? 'closed' : 'open'}: ${line}`;
  });
  return { right, wrong };
}

async function openAll(uris: readonly vscode.Uri[]): Promise<vscode.TextDocument[]> {
  const opened = await Promise.all(uris.map((uri) => vscode.workspace.openTextDocument(uri)));
  for (const [index, viewColumn] of columns.entries()) {
    await vscode.window.showTextDocument(opened[index]!, { viewColumn, preview: false, preserveFocus: true });
  }
  return opened;
}

async function loopDelay(work: () => Promise<unknown>): Promise<LoopDelay> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const [before, startedAt] = [starvedMs(), now()];
  histogram.enable();
  await work();
  histogram.disable();
  const starved = (starvedMs() - before) / (now() - startedAt);
  const ms = (nanoseconds: number): number => nanoseconds / 1e6;
  return {
    p50: ms(histogram.percentile(50)),
    p99: ms(histogram.percentile(99)),
    max: ms(histogram.max),
    starved,
  };
}

/** Milliseconds that the main thread has waited for a processor so far: Linux says it. */
function starvedMs(): number {
  try {
    const [, waited] = readFileSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Listens to the content store and to the editor's documents until `end`. */
function watchChanges(api: McpResourcesApi, watched: readonly vscode.TextDocument[]) {
  const times = { store: timesOf(watched), shown: timesOf(watched) };
  const listeners = [
    api.onDidChangeContent((uri) => void times.store.get(uri.toString())?.push(now())),
    vscode.workspace.onDidChangeTextDocument(({ document }) => times.shown.get(document.uri.toString())?.push(now())),
  ];
  return {
    end: (): { store: Changes; shown: Changes } => {
      vscode.Disposable.from(...listeners).dispose();
      return { store: changesOf(times.store, now()), shown: changesOf(times.shown, now()) };
    },
  };
}

/** By document, when it changed; the first time is that of the beginning. */
function timesOf(watched: readonly vscode.TextDocument[]): Map<string, number[]> {
  return new Map(watched.map(({ uri }) => [uri.toString(), [now()]]));
}

function changesOf(times: ReadonlyMap<string, readonly number[]>, end: number): Changes {
  const gaps = [...times.values()].flatMap((at) => at.map((time, index) => (at[index + 1] ?? end) - time));
  return {
    longestGap: Math.max(...gaps),
    least: Math.min(...[...times.values()].map((at) => at.length - 1)),
  };
}

/** The most entries of a log within a second, wherever it begins. */
function mostInOneSecond(entries: readonly { at: number }[]): number {
  return Math.max(
    0,
    ...entries.map(({ at }, index) => entries.slice(index).filter((later) => later.at < at + 1000).length),
  );
}
