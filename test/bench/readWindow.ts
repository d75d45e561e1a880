import * as vscode from 'vscode';
import type { McpResourcesApi } from '../../src/api';
import { extensionId } from '../../src/ids';
import { fixtureLaunch, type Scenario } from '../server/fixtureClient';
import { bareClient } from '../server/published/bareClient';
import { configure } from '../editor/ours';
import { environment, report } from './benchWindow';
import { memory } from './memory';

const sizes = { '1 kB': 1_000, '1 MB': 1_000_000, '8 MB': 8_000_000 };
export type SizeName = keyof typeof sizes;

/** Milliseconds of one size, the same number of readings each. */
export interface ReadTimes {
  readonly bare: number[];
  /** Each opening asks the server. */
  readonly cold: number[];
  /** What is fresh is not asked for. */
  readonly cached: number[];
  /** Processor time of the extension host, milliseconds, beside the waiting. */
  readonly bareCpu: number[];
  readonly coldCpu: number[];
}

export interface ReadResult {
  readonly times: Record<SizeName, ReadTimes>;
  /** Requests on the wire per cold opening, and per opening of what is fresh. */
  readonly coldRequests: number;
  readonly cachedRequests: number;
  /** Bytes of heap and external memory after reading 200 resources of 1 MB, above what there was before. */
  readonly retained: number;
}

/** What VS Code calls in the extension host. */
export function run(): Promise<void> {
  return report(async (): Promise<ReadResult> => {
    const rounds = Number(environment('ROUNDS'));
    const extension = vscode.extensions.getExtension<McpResourcesApi>(extensionId);
    const api = await (extension?.activate() ?? Promise.reject(new Error('The extension is not there.')));
    const cold = fixtureLaunch({ era: 'modern', scenario: scenario({}) });
    const cached = fixtureLaunch({ era: 'modern', scenario: scenario({ ttlMs: 600_000 }) });
    const other = fixtureLaunch({ era: 'modern', scenario: scenario({}) });
    try {
      await begin({ cold, cached });
      const bare = await bareClient(other);
      const times = {} as Record<SizeName, ReadTimes>;
      for (const [name, size] of Object.entries(sizes) as [SizeName, number][]) {
        times[name] = await measure(api, (uri) => bare.read(uri), uriOf(size), rounds);
      }
      const coldReads = (await cold.control.requests('resources/read')).length;
      const cachedReads = (await cached.control.requests('resources/read')).length;
      await bare.close();
      const openings = Object.keys(sizes).length * (rounds + 1);
      const retained = await retainedAfterMany(api);
      return {
        times,
        coldRequests: coldReads / openings,
        cachedRequests: (cachedReads - Object.keys(sizes).length) / (openings - Object.keys(sizes).length),
        retained,
      };
    } finally {
      await Promise.all([cold, cached, other].map((fixture) => fixture.dispose()));
    }
  });
}

const uriOf = (size: number): string => `bench://text/${size}`;

function scenario(extra: Scenario): Scenario {
  const texts = Object.values(sizes).map((size) => ({
    uri: uriOf(size),
    contents: [{ text: 'x'.repeat(99) + '\n', repeat: size / 100, mimeType: 'text/plain' }],
  }));
  const many = Array.from({ length: 200 }, (_, index) => ({
    uri: `bench://many/${index}`,
    contents: [{ text: `${index} `.padEnd(99, 'y') + '\n', repeat: 10_000, mimeType: 'text/plain' }],
  }));
  // Without subscriptions nothing is fresh beyond the `ttlMs` that the scenario gives.
  return { resources: [...texts, ...many], capabilities: { resources: {} }, ...extra };
}

async function begin(servers: Record<string, object>): Promise<void> {
  const entries = Object.entries(servers).map(([name, fixture]) => {
    const { command, args, env } = fixture as { command: string; args: string[]; env: object };
    return [name, { command, args, env }] as const;
  });
  const api = await configure(Object.fromEntries(entries));
  await Promise.all(Object.keys(servers).map((name) => api.connect(name)));
}

/** Bare, cold and cached by turns; the first turn of each warms up and does not count. */
async function measure(
  api: McpResourcesApi,
  bareRead: (uri: string) => Promise<unknown>,
  uri: string,
  rounds: number,
): Promise<ReadTimes> {
  const result: ReadTimes = { bare: [], cold: [], cached: [], bareCpu: [], coldCpu: [] };
  const open = (server: string) => async (): Promise<unknown> => {
    const document = api.documentUri(server, uri);
    await vscode.workspace.fs.stat(document);
    return vscode.workspace.fs.readFile(document);
  };
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await timed(() => bareRead(uri));
    const cold = await timed(open('cold'));
    const cached = await timed(open('cached'));
    if (round > 0) {
      result.bare.push(bare.ms);
      result.cold.push(cold.ms);
      result.cached.push(cached.ms);
      result.bareCpu.push(bare.cpuMs);
      result.coldCpu.push(cold.cpuMs);
    }
  }
  return result;
}

async function timed(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

async function retainedAfterMany(api: McpResourcesApi): Promise<number> {
  const before = memory();
  for (let index = 0; index < 200; index += 1) {
    await vscode.workspace.fs.readFile(api.documentUri('cold', `bench://many/${index}`));
  }
  return memory() - before;
}
