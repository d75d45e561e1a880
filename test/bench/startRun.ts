// What `start.mjs` runs: our core (pool and catalog, no editor) beside the SDK's client alone, from connecting to the first
// listed resource. Prints its result as a line of JSON.
import { spawn } from 'node:child_process';
import { setTimeout as rest } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Launch } from '../../src/config/serverDefinition';
import { EraMemory } from '../../src/connection/eraMemory';
import { Reaper } from '../../src/connection/reaper';
import { memento, startCore, http, stdio } from '../protocol/core';
import { reaperProgram } from '../protocol/reaperProgram';
import { type FixtureEra, fixtureLaunch, type FixtureLaunch, type Scenario } from '../server/fixtureClient';
import { until } from '../until';
import { now } from './clock';

/** Milliseconds, one reading a round. */
export interface StartTimes {
  /** The SDK's client finds the era itself. */
  readonly bare: number[];
  /** The SDK's client is told the era. */
  readonly bareTold: number[];
  /** Ours, of a server that was never connected before. */
  readonly first: number[];
  /** Ours, of a server whose era is remembered. */
  readonly known: number[];
}

export interface StartResult {
  readonly ways: Record<string, StartTimes>;
  /** Most processes that a start took, by way: of a server never seen, and of a known one. */
  readonly processes: Record<string, { first: number; known: number }>;
  /** Milliseconds until all of 19 servers are listed, and until half of them are: without one that hangs, and beside it. */
  readonly many: Record<'alone' | 'besideHanging', { all: number[]; half: number[] }>;
}

interface Way {
  readonly name: string;
  readonly launch: Launch;
  readonly era: 'legacy' | 'modern';
  /** How many processes were started so far; only where each start takes one. */
  readonly started?: () => Promise<number>;
  transport(): StdioClientTransport | StreamableHTTPClientTransport;
}

const REST_MS = 30;
const resources = Array.from({ length: 100 }, (_, index) => ({ uri: `a://r/${index}`, text: 'x' }));
const scenario: Scenario = { resources };
const hangs: Scenario = { probe: 'ignore', methods: { '*': { never: true } } };
const ignore = (): void => undefined;
const log = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
const reaper = new Reaper(reaperProgram(), log);

async function main(rounds: number): Promise<StartResult> {
  const fixtures: FixtureLaunch[] = [];
  const fixture = (
    era: FixtureEra,
    options: Parameters<typeof fixtureLaunch>[0] = { era, scenario },
  ): FixtureLaunch => {
    fixtures.push(fixtureLaunch(options));
    return fixtures.at(-1)!;
  };
  try {
    const ways: Way[] = [];
    for (const era of ['legacy', 'modern'] as const) {
      ways.push(overStdio(era, fixture(era)), await overHttp(era, fixture(era, { era, scenario, transport: 'http' })));
    }
    const many = Array.from({ length: 19 }, (_, index) => fixture(index % 2 === 0 ? 'legacy' : 'modern'));
    return {
      ...(await byTurns(ways, rounds)),
      many: await manyAtOnce(many, () => fixture('legacy', { era: 'legacy', scenario: hangs }), rounds),
    };
  } finally {
    await Promise.all(fixtures.map((one) => one.dispose()));
    await reaper.end();
  }
}

async function byTurns(ways: readonly Way[], rounds: number): Promise<Pick<StartResult, 'ways' | 'processes'>> {
  const result: Pick<StartResult, 'ways' | 'processes'> = { ways: {}, processes: {} };
  for (const way of ways) {
    const times: StartTimes = { bare: [], bareTold: [], first: [], known: [] };
    const processes = { first: 0, known: 0 };
    const counted = async (kind: keyof typeof processes, entries: Map<string, unknown>): Promise<number> => {
      const before = (await way.started?.()) ?? 0;
      const time = await ours(way.launch, entries);
      processes[kind] = Math.max(processes[kind], ((await way.started?.()) ?? 0) - before);
      return time;
    };
    const known = new Map<string, unknown>();
    const sides: [keyof StartTimes, () => Promise<number>][] = [
      ['bare', () => bare(way, 'auto')],
      ['first', () => counted('first', new Map())],
      ['bareTold', () => bare(way, way.era)],
      ['known', () => counted('known', known)],
    ];
    await ours(way.launch, known);
    // Without a process to start it is a matter of milliseconds, which takes more rounds to tell.
    const all = way.started ? rounds : 5 * rounds;
    // The first round warms up: files of the server, compiled code of ours.
    for (let round = 0; round <= all; round += 1) {
      // Beginning with another side each time, there and back, so that none always follows the same one.
      const turned = [...sides.slice(round % sides.length), ...sides.slice(0, round % sides.length)];
      for (const [side, measure] of round % 2 === 0 ? turned : turned.toReversed()) {
        // What the one before leaves to be done, as closing sockets, is not this one's: people do not connect a hundred times a second.
        await rest(REST_MS);
        const time = await measure();
        if (round > 0) times[side].push(time);
      }
    }
    result.ways[way.name] = times;
    result.processes[way.name] = processes;
  }
  return result;
}

/** 19 known servers, once by themselves and once beside one that answers nothing, by turns. */
async function manyAtOnce(
  launches: readonly FixtureLaunch[],
  hanging: () => FixtureLaunch,
  rounds: number,
): Promise<StartResult['many']> {
  const result = { alone: { all: [], half: [] }, besideHanging: { all: [], half: [] } } as StartResult['many'];
  const entries = new Map<string, unknown>();
  const servers = Object.fromEntries(launches.map((launch, index) => [`s${index}`, stdio(launch)]));
  for (let round = 0; round <= rounds; round += 1) {
    const sides = ['alone', 'besideHanging'] as const;
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      // It comes first, where it could hold up the others.
      const all = side === 'alone' ? servers : { hanging: stdio(hanging()), ...servers };
      const times = await together(all, Object.keys(servers), entries);
      if (round > 0) {
        result[side].all.push(Math.max(...times));
        result[side].half.push(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!);
      }
    }
  }
  return result;
}

async function ours(launch: Launch, entries: Map<string, unknown>): Promise<number> {
  const [time] = await together({ one: launch }, ['one'], entries);
  return time!;
}

/** Connects all at once; milliseconds until the first node of each of those that are waited for. */
async function together(
  launches: Record<string, Launch>,
  waitedFor: readonly string[],
  entries: Map<string, unknown>,
): Promise<number[]> {
  const core = startCore(launches, { eras: new EraMemory(memento(entries)), groups: reaper, startTimeoutMs: 60_000 });
  try {
    const begun = now();
    const listed = core.pool.all.map(async (connection) => {
      await connection.connect('person');
      const [entry] = await core.catalog.of(connection)!.resources.load();
      if (entry === undefined) throw new Error(`${connection.id} listed nothing.`);
      return now() - begun;
    });
    listed.forEach((one) => void one.catch(ignore));
    const ids = core.pool.all.map(({ id }) => id);
    return await Promise.all(waitedFor.map((id) => listed[ids.indexOf(id)]!));
  } finally {
    await core.end();
  }
}

async function bare(way: Way, era: 'auto' | 'legacy' | 'modern'): Promise<number> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : era;
  const transport = way.transport();
  const client = new Client({ name: 'bare', version: '1.0.0' }, { versionNegotiation: { mode } });
  const begun = now();
  await client.connect(transport);
  // To hear of changes, as ours does. In the legacy era that takes no request; over HTTP the SDK opens its stream itself.
  const listening = way.era === 'modern' ? client.listen({ resourcesListChanged: true }) : undefined;
  const { resources: listed } = await client.request({ method: 'resources/list', params: {} });
  const time = now() - begun;
  await listening;
  // As ours does: a server that keeps the sessions of one side would grow slow for both.
  if (transport instanceof StreamableHTTPClientTransport && transport.sessionId) await transport.terminateSession();
  await client.close();
  if (listed.length === 0) throw new Error('The bare client listed nothing.');
  return time;
}

function overStdio(era: 'legacy' | 'modern', fixture: FixtureLaunch): Way {
  const { command, args, env, control } = fixture;
  return {
    name: `stdio, ${era}`,
    era,
    launch: stdio(fixture),
    started: async () => (await control.processes()).length,
    transport: () =>
      new StdioClientTransport({
        command,
        args,
        env: { ...(process.env as Record<string, string>), ...env },
        stderr: 'ignore',
      }),
  };
}

async function overHttp(era: 'legacy' | 'modern', fixture: FixtureLaunch): Promise<Way> {
  spawn(fixture.command, fixture.args, { env: { ...process.env, ...fixture.env }, stdio: 'ignore' });
  const url = await until('its address', async () => (await fixture.control.processes())[0]?.url);
  return {
    name: `HTTP, ${era}`,
    era,
    launch: http(url),
    transport: () => new StreamableHTTPClientTransport(new URL(url)),
  };
}

main(Number(process.env.MCP_RESOURCES_BENCH_ROUNDS)).then(
  (result) => console.log(JSON.stringify(result)),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
