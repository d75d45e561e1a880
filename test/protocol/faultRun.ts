// One run of the fault test: a client and a real server with a fault proxy between them, by a seed.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Disposable } from '../../src/base/lifecycle';
import { type FaultPlan, pick, planOf, type Random, randomOf } from '../server/faultProxyPlan';
import { until } from '../until';
import { type Core, startCore } from './core';
import { faultyHttp } from './faultyHttp';
import type { FaultySide } from './faultySide';
import { faultyStdio } from './faultyStdio';

const URIS = ['a://0', 'a://1', 'a://2', 'a://3', 'a://4'];
/** Milliseconds for every document to equal the server, once nothing is in its way. */
const CONVERGENCE = 8000;
const CHANGES = 25;
/** Milliseconds that a person goes on trying to open documents. */
const PATIENCE = 3000;
/** Milliseconds; a stage that fails by itself does so earlier and says more. */
const LONGEST_STAGE = 20_000;
/** Milliseconds; where nothing is lost, since a busy machine is no fault. */
const CALM_TIMEOUT = 5000;

/** The four ways take turns. */
function wayOf(seed: number) {
  return { era: seed % 2 === 0 ? 'legacy' : 'modern', transport: seed % 4 < 2 ? 'stdio' : 'HTTP' } as const;
}

export function describeSeed(seed: number): string {
  const faults = Object.entries(planOf(seed))
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value.toFixed(2)}` : `${name} ${value}`));
  const { era, transport } = wayOf(seed);
  return `${era}, ${transport}: ${faults.join(', ') || 'no fault'}`;
}

/** Rejects when anything is not as it must be; its error then tells the end of the log. */
export async function runSeed(seed: number): Promise<void> {
  const texts = new Map(URIS.map((uri) => [uri, 'first']));
  const { era, transport } = wayOf(seed);
  const plan = planOf(seed);
  const side = await (transport === 'stdio' ? faultyStdio : faultyHttp)({ era, seed, plan, texts });
  const run = new FaultRun(seed, plan, side, texts);
  try {
    for (const stage of ['faults', 'clear', 'converge', 'letGo'] as const) await inTime(stage, run[stage]());
    await inTime('end', run.end());
    assert.deepEqual(await side.left(), [], 'left after the end');
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(`Replay by npm run fault -- --seeds ${seed}. ${words}\n${run.report()}`, { cause: error });
  } finally {
    await inTime('end', run.end());
    await side.dispose();
  }
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
  private readonly random: Random;
  private readonly core: Core;
  private readonly options;
  private readonly holds: Disposable[] = [];
  private ending: Promise<void> | undefined;

  constructor(
    seed: number,
    private readonly plan: FaultPlan,
    private readonly side: FaultySide,
    /** What the server says, by URI. */
    private readonly texts: Map<string, string>,
  ) {
    this.random = randomOf(seed);
    // Two processes have to start, or none.
    const startTimeoutMs = side.launch.type === 'stdio' ? 1500 : 300;
    this.options = {
      backoff: { firstMs: 10, longestMs: 50, attempts: 200 },
      times: { openingMs: 100, settleMs: 30, betweenReadsMs: 20, discardForMs: 100 },
      startTimeoutMs,
      requestTimeoutMs: 150,
    };
    if (plan.only !== undefined) this.beCalm();
    this.core = startCore({ one: side.launch }, this.options);
  }

  /** Documents are opened and the server changes, while messages go astray. */
  async faults(): Promise<void> {
    const opening = this.open();
    // A process that starts just now may have read the scenario already and hear no command yet.
    if (this.plan.only !== undefined) await until('a connection', () => this.isConnected());
    for (let change = 0; change < CHANGES; change += 1) {
      await pause(5 + pick(this.random, 30));
      const uri = URIS[pick(this.random, URIS.length)]!;
      await this.change(uri, `${change} of ${uri} ${'x'.repeat(pick(this.random, 200))}`);
    }
    await opening;
    if (this.plan.only !== undefined) await this.assertRightAfterRefresh();
  }

  /** From here on nothing goes astray. */
  async clear(): Promise<void> {
    this.beCalm();
    await this.side.clear();
  }

  /** Every resource changes once more, in the server that lives then. */
  async converge(): Promise<void> {
    const deadline = Date.now() + CONVERGENCE;
    for (let round = 0; ; round += 1) {
      await until('a connection', () => this.isConnected(), deadline - Date.now());
      await this.openRest();
      const before = await this.side.life();
      let changed = before !== '';
      for (const uri of URIS) changed &&= await this.change(uri, `last ${round} of ${uri}`);
      const stale = () => URIS.filter((uri) => this.shown(uri) !== this.texts.get(uri));
      const replaced = async () => !changed || (await this.side.life()) !== before;
      while (stale().length > 0 && !(await replaced())) {
        if (Date.now() > deadline) throw new Error(`Stale: ${stale().join()}`);
        await pause(10);
      }
      if (stale().length === 0 && !(await replaced())) return;
      if (Date.now() > deadline) throw new Error('The server is replaced again and again');
      // The end of a process is noticed by the event loop, which has to get its turn.
      await pause(10);
    }
  }

  /** The last interest ends every subscription. */
  async letGo(): Promise<void> {
    await until('live', () => URIS.every((uri) => this.connection.subscriptions.liveness(uri) === 'live'));
    assert.ok((await this.side.subscriptions()) >= URIS.length, 'subscribed');
    this.dispose();
    await until('nothing subscribed', async () => (await this.side.subscriptions()) === 0, CONVERGENCE);
  }

  end(): Promise<void> {
    this.dispose();
    this.ending ??= this.core.end();
    return this.ending;
  }

  report(): string {
    const states = URIS.map((uri) => `  ${this.stateOf(uri)}`);
    return [...states, ...this.core.lines.slice(-40).map((line) => `  ${line.slice(0, 300)}`)].join('\n');
  }

  private beCalm(): void {
    this.options.startTimeoutMs = CALM_TIMEOUT;
    this.options.requestTimeoutMs = CALM_TIMEOUT;
  }

  private async assertRightAfterRefresh(): Promise<void> {
    const connections = this.core.lines.filter((line) => line.includes('Connected:'));
    assert.equal(connections.length, 1, 'the connection lived on');
    for (const uri of URIS) {
      await this.core.content.read(this.ref(uri), { purpose: 'refresh', initiative: 'person' });
      assert.equal(this.shown(uri), this.texts.get(uri), `${uri} after Refresh`);
    }
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

  /** Of those that could not be opened, some were not even asked for: nothing would read them unasked. */
  private async openRest(): Promise<void> {
    const { content } = this.core;
    const unread = URIS.map((uri) => this.ref(uri)).filter((ref) => !content.peek(ref) && !content.failureOf(ref));
    // A server that ends just now fails them: then they are read when it is back.
    await Promise.allSettled(unread.map((ref) => content.read(ref, { purpose: 'open', initiative: 'person' })));
  }

  private change(uri: string, text: string): Promise<boolean> {
    this.texts.set(uri, text);
    return this.side.change(uri, text);
  }

  /** What has never worked is not tried again by itself: here a person does. */
  private isConnected(): boolean {
    const { state } = this.connection;
    if (state.kind === 'failed' && state.retryAt === undefined) {
      this.connection.connect('person').catch(() => undefined);
    }
    return state.kind === 'connected';
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
