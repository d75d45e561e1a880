// One run of the fault test: a client and a real server with a fault proxy between them, by a seed.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Disposable } from '../../src/base/lifecycle';
import type { Launch } from '../../src/config/serverDefinition';
import { type FixtureLaunch, fixtureLaunch } from '../server/fixtureClient';
import { isAlive } from '../server/fixtureFolder';
import { type FaultPlan, pick, planOf, type Random, randomOf } from '../server/faultProxyPlan';
import { testRoot } from '../server/testRoot';
import { until } from '../until';
import { type Core, startCore } from './core';

const URIS = ['a://0', 'a://1', 'a://2', 'a://3', 'a://4'];
/** Milliseconds for every document to equal the server, once nothing is in its way. */
const CONVERGENCE = 8000;
const CHANGES = 25;
/** Milliseconds that a person goes on trying to open documents. */
const PATIENCE = 3000;
/** Milliseconds; a server that has ended in the middle of a command may leave it without an answer. */
const COMMAND_LIMIT = 1000;
/** Milliseconds; a stage that fails by itself does so earlier and says more. */
const LONGEST_STAGE = 20_000;

export function describeSeed(seed: number): string {
  const faults = Object.entries(planOf(seed))
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value.toFixed(2)}` : `${name} ${value}`));
  return `${eraOf(seed)}: ${faults.join(', ') || 'no fault'}`;
}

function eraOf(seed: number): 'legacy' | 'modern' {
  return seed % 2 === 0 ? 'legacy' : 'modern';
}

/** Rejects when anything is not as it must be; its error then tells the end of the log. */
export async function runSeed(seed: number): Promise<void> {
  const run = new FaultRun(seed);
  try {
    for (const stage of ['faults', 'clear', 'converge', 'letGo'] as const) await inTime(stage, run[stage]());
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(`Seed ${seed} (${describeSeed(seed)}): ${words}\n${run.report()}`, { cause: error });
  } finally {
    await inTime('end', run.end());
  }
  await run.assertNothingLeft();
}

/** Rejects when a stage takes too long: nothing may wait for ever. */
async function inTime(stage: string, work: Promise<void>): Promise<void> {
  const limit = new AbortController();
  const late = pause(LONGEST_STAGE, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`Not done within ${LONGEST_STAGE} ms: ${stage}`);
  });
  late.catch(() => undefined);
  try {
    await Promise.race([work, late]);
  } finally {
    limit.abort();
  }
}

class FaultRun {
  private readonly plan: FaultPlan;
  private readonly random: Random;
  private readonly fixture: FixtureLaunch;
  private readonly proxyFolder: string;
  private readonly core: Core;
  private readonly options = {
    backoff: { firstMs: 10, longestMs: 50, attempts: 200 },
    startTimeoutMs: 1500,
    requestTimeoutMs: 150,
  };
  private readonly texts = new Map(URIS.map((uri) => [uri, 'first']));
  private readonly holds: Disposable[] = [];

  constructor(private readonly seed: number) {
    this.plan = planOf(seed);
    this.random = randomOf(seed);
    this.fixture = fixtureLaunch({ era: eraOf(seed) });
    this.writeScenario();
    this.proxyFolder = join(this.fixture.folder, 'proxy');
    mkdirSync(this.proxyFolder);
    this.core = startCore({ one: this.launch() }, this.options);
  }

  /** Documents are opened and the server changes, while lines go astray. */
  async faults(): Promise<void> {
    const opening = this.open();
    if (this.plan.only !== undefined) {
      // No answer is lost here, and a busy machine is no fault.
      this.options.requestTimeoutMs = 5000;
      // A process that starts just now may have read the scenario already and hear no command yet.
      await until('a connection', () => this.isConnected());
    }
    for (let change = 0; change < CHANGES; change += 1) {
      await pause(5 + pick(this.random, 30));
      const uri = URIS[pick(this.random, URIS.length)]!;
      await this.change(uri, `${change} of ${uri} ${'x'.repeat(pick(this.random, 200))}`);
    }
    await opening;
    if (this.plan.only !== undefined) {
      assert.equal(this.proxies().length, eraOf(this.seed) === 'legacy' ? 2 : 1, 'the connection lived on');
      for (const uri of URIS) {
        await this.core.content.read(this.ref(uri), { purpose: 'refresh', initiative: 'person' });
        assert.equal(this.shown(uri), this.texts.get(uri), `${uri} after Refresh`);
      }
    }
  }

  /** From here on nothing goes astray, and a busy machine is no fault. */
  async clear(): Promise<void> {
    this.options.requestTimeoutMs = 5000;
    writeFileSync(join(this.proxyFolder, 'clear'), '');
    await until('every proxy is clear', () =>
      this.proxies().every((pid) => !isAlive(pid) || existsSync(join(this.proxyFolder, `clear-${pid}`))),
    );
  }

  /** Every resource changes once more, in the process that lives then. */
  async converge(): Promise<void> {
    const deadline = Date.now() + CONVERGENCE;
    for (let round = 0; ; round += 1) {
      await until('a connection', () => this.isConnected(), deadline - Date.now());
      await this.openRest();
      const before = await this.alive();
      let changed = before.length > 0;
      for (const uri of URIS) changed &&= await this.change(uri, `last ${round} of ${uri}`);
      const stale = () => URIS.filter((uri) => this.shown(uri) !== this.texts.get(uri));
      const replaced = async () => !changed || (await this.alive()).join() !== before.join();
      while (stale().length > 0 && !(await replaced())) {
        if (Date.now() > deadline)
          throw new Error(
            `Stale: ${stale()
              .map((uri) => this.stateOf(uri))
              .join('; ')}`,
          );
        await pause(10);
      }
      if (stale().length === 0 && !(await replaced())) return;
    }
  }

  /** Of those that could not be opened, some were not even asked for: nothing would read them unasked. */
  private async openRest(): Promise<void> {
    const { content } = this.core;
    const unread = URIS.map((uri) => this.ref(uri)).filter((ref) => !content.peek(ref) && !content.failureOf(ref));
    // A server that ends just now fails them: then they are read when it is back.
    await Promise.allSettled(unread.map((ref) => content.read(ref, { purpose: 'open', initiative: 'person' })));
  }

  /** The last interest ends every subscription. */
  async letGo(): Promise<void> {
    await until('live', () => URIS.every((uri) => this.connection.subscriptions.liveness(uri) === 'live'));
    const mark = await this.fixture.control.mark();
    this.dispose();
    await until('nothing subscribed', async () => {
      const entries = (await this.fixture.control.log()).slice(mark);
      if (eraOf(this.seed) === 'legacy') {
        return URIS.every((uri) =>
          entries.some(({ method, params }) => method === 'resources/unsubscribe' && params?.uri === uri),
        );
      }
      const listens = entries.filter(({ method }) => method === 'subscriptions/listen');
      return JSON.stringify(listens.at(-1)?.params?.notifications ?? 'a://').includes('a://') ? undefined : true;
    });
  }

  async end(): Promise<void> {
    this.dispose();
    await this.core.end();
  }

  async assertNothingLeft(): Promise<void> {
    try {
      const left = [...this.proxies().filter((pid) => isAlive(pid)), ...(await this.alive())];
      assert.deepEqual(left, [], `seed ${this.seed}: processes left`);
    } finally {
      await this.fixture.dispose();
    }
  }

  report(): string {
    const states = URIS.map((uri) => `  ${this.stateOf(uri)}`);
    return [...states, ...this.core.lines.slice(-40).map((line) => `  ${line.slice(0, 300)}`)].join('\n');
  }

  private async open(): Promise<void> {
    const patient = Date.now() + PATIENCE;
    for (const uri of URIS) {
      await pause(pick(this.random, 40));
      this.holds.push(this.core.content.hold(this.ref(uri)));
      // A person who tries again, but not for ever.
      for (let attempt = 0; attempt < 4 && Date.now() < patient; attempt += 1) {
        try {
          await this.core.content.read(this.ref(uri), { purpose: 'open', initiative: 'person' });
          break;
        } catch {
          await pause(10);
        }
      }
    }
  }

  /** Whether a living server has it now. Every later process starts with it. */
  private async change(uri: string, text: string): Promise<boolean> {
    this.texts.set(uri, text);
    this.writeScenario();
    if ((await this.alive()).length === 0) return false;
    // It may have just ended.
    const told = this.fixture.control.set(uri, text).then(
      () => true,
      () => false,
    );
    const limit = new AbortController();
    const late = pause(COMMAND_LIMIT, false, { signal: limit.signal }).catch(() => false);
    try {
      return await Promise.race([told, late]);
    } finally {
      limit.abort();
    }
  }

  private writeScenario(): void {
    const file = join(this.fixture.folder, 'scenario');
    const resources = [...this.texts].map(([uri, text]) => ({ uri, text }));
    writeFileSync(`${file}.part`, JSON.stringify({ resources }));
    renameSync(`${file}.part`, file);
  }

  /** What has never worked is not tried again by itself: here a person does. */
  private isConnected(): boolean {
    const { state } = this.connection;
    if (state.kind === 'failed' && state.retryAt === undefined) {
      this.connection.connect('person').catch(() => undefined);
    }
    return state.kind === 'connected';
  }

  private async alive(): Promise<number[]> {
    return (await this.fixture.control.processes()).filter(({ alive }) => alive).map(({ pid }) => pid);
  }

  private proxies(): number[] {
    const file = join(this.proxyFolder, 'pids');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  }

  private launch(): Launch {
    const program = join(testRoot(), 'dist-test', 'server', 'faultProxy.js');
    const { command, args, env } = this.fixture;
    const own = ['--seed', String(this.seed), '--plan', JSON.stringify(this.plan), '--folder', this.proxyFolder];
    return { type: 'stdio', command: process.execPath, args: [program, ...own, '--', command, ...args], env };
  }

  private get connection() {
    return this.core.connection('one');
  }

  private dispose(): void {
    this.holds.splice(0).forEach((hold) => {
      hold.dispose();
    });
  }

  private ref(uri: string) {
    return { serverId: 'one', uri };
  }

  private shown(uri: string): string {
    return Buffer.from(this.core.content.peek(this.ref(uri))?.content.bytes ?? []).toString();
  }

  private stateOf(uri: string): string {
    const { core } = this;
    const connection = core.pool.get('one');
    const failure = core.content.failureOf(this.ref(uri));
    return [
      `${uri} shows “${this.shown(uri).slice(0, 20)}”, server “${this.texts.get(uri)!.slice(0, 20)}”`,
      connection?.subscriptions.liveness(uri),
      connection?.state.kind,
      failure === undefined ? 'no failure' : `failure: ${failure.message}`,
    ].join(', ');
  }
}
