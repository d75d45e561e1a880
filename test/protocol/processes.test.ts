import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Launch } from '../../src/config/serverDefinition';
import { Reaper } from '../../src/connection/reaper';
import { fixtureLaunch, type Scenario } from '../server/fixtureClient';
import { isAlive } from '../server/fixtureFolder';
import { groupsWith } from '../server/processGroups';
import { type PublishedHome, publishedHome } from '../server/published/published';
import { testRoot } from '../server/testRoot';
import { until } from '../until';
import { type Core, type CoreOptions, startCore, stdio } from './core';
import { reaperProgram } from './reaperProgram';

const ignore = (): void => undefined;
const log = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
/** Ignores everything but SIGKILL, and has a child in its group. */
const stubborn: Scenario = { stdio: { ignoreEnd: true, ignoreTerm: true, grandchild: 'attached' } };

describe('processes, counted by their groups', () => {
  let core: Core | undefined;
  let reaper: Reaper | undefined;
  let home: PublishedHome;
  const disposals: (() => Promise<unknown>)[] = [];

  beforeEach(() => {
    home = publishedHome();
    reaper = new Reaper(reaperProgram(), log);
  });

  afterEach(async () => {
    await core?.end();
    await reaper?.end();
    core = reaper = undefined;
    for (const dispose of disposals.splice(0)) {
      await dispose();
    }
    // Left only where a test has failed.
    groupsWith(home.home).forEach((group) => process.kill(-group, 'SIGKILL'));
    home.dispose();
  });

  const start = (launches: Record<string, Launch>, options: CoreOptions = {}): Core => {
    core = startCore(launches, { groups: reaper, ...options });
    return core;
  };
  const fixture = (scenario: Scenario = {}) => {
    const launch = fixtureLaunch({ era: 'legacy', scenario });
    disposals.push(() => launch.dispose());
    return { ...launch, marker: launch.folder };
  };
  /** It ends by SIGTERM only. Its home is an argument, which it does not look at, to be found by. */
  const everything = () => {
    const { command, args, env } = home.launch('everything-2025');
    return { command, args: [...args, 'stdio', home.home], env, marker: home.home };
  };
  /** An extension host that is connected to servers, and the process id of its reaper. */
  const startHost = async (servers: Record<string, Parameters<typeof stdio>[0]>) => {
    const host = spawn(process.execPath, [join(testRoot(), 'dist-test/protocol/hostProcess.js')], {
      env: {
        ...process.env,
        HOST_PROCESS_SERVERS: JSON.stringify(
          Object.fromEntries(Object.entries(servers).map(([id, launch]) => [id, stdio(launch)])),
        ),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    disposals.push(() => Promise.resolve(host.kill('SIGKILL')));
    const [said] = (await once(host.stdout, 'data')) as [Buffer];
    const { reaper: pid } = JSON.parse(said.toString()) as { reaper: number };
    return { pid, kill: (signal: NodeJS.Signals) => host.kill(signal) };
  };
  const noneOf = (marker: string): Promise<unknown> =>
    until(`nothing of ${marker} is left`, () => groupsWith(marker).length === 0, 5000);

  it('C7: 50 restarts, each to its end, start 50 processes, and nothing is left after them', async function () {
    this.timeout(120_000);
    // Five at once, as one after the other takes long on a busy machine.
    const five = [1, 2, 3, 4, 5].map(() => fixture());
    const { pool } = start(Object.fromEntries(five.map((one, index) => [String(index), stdio(one)])));
    const processes = async (): Promise<number> =>
      (await Promise.all(five.map(({ control }) => control.processes()))).flat().length;
    const groups = (): number => five.flatMap(({ marker }) => groupsWith(marker)).length;
    await Promise.all(pool.all.map((connection) => connection.connect('person')));
    assert.equal(groups(), 5);
    const before = await processes();
    await Promise.all(
      pool.all.map(async (connection) => {
        for (let count = 0; count < 10; count += 1) {
          await connection.restart();
        }
      }),
    );
    assert.equal((await processes()) - before, 50);
    assert.equal(groups(), 5);
    await Promise.all(pool.all.map((connection) => connection.stop()));
    assert.equal(groups(), 0);
  });

  it('C7: 50 restarts faster than server-everything@2025.12.18 can follow, which ignores the end of stdin', async () => {
    const one = everything();
    const connection = start({ one: stdio(one) }).connection('one');
    await connection.connect('person');
    assert.equal(groupsWith(one.marker).length, 1);
    const restarts = [];
    for (let count = 0; count < 50; count += 1) {
      // All but the last are overtaken, and say so.
      restarts.push(connection.restart().catch(ignore));
      // Some meet the process while it ends, some while it starts, some while it is asked for its era.
      await new Promise((resolve) => setTimeout(resolve, (count % 5) * 20));
    }
    await Promise.all(restarts);
    await connection.connect('person');
    assert.equal(groupsWith(one.marker).length, 1);
    const begun = Date.now();
    await connection.stop();
    assert.deepEqual(groupsWith(one.marker), []);
    assert.ok(Date.now() - begun < 5000);
  });

  it('C7: nothing is left 5 s after the extension host was killed', async () => {
    const servers = { everything: everything(), stubborn: fixture(stubborn) };
    const host = await startHost(servers);
    const { pid } = host;
    assert.ok(isAlive(pid));
    for (const { marker } of Object.values(servers)) {
      assert.equal(groupsWith(marker).length, 1);
    }
    host.kill('SIGKILL');
    await Promise.all(Object.values(servers).map(({ marker }) => noneOf(marker)));
    await until('the reaper is gone, too', () => !isAlive(pid), 5000);
  });

  describe('that have left the group of their server', () => {
    const runaway = (more: Scenario['stdio'] = {}) => fixture({ stdio: { grandchild: 'detached', ...more } });

    it('C7: end with it on a stop, a restart and a reload, within 5 s, though it ends at once itself', async () => {
      const one = runaway();
      const { pool } = start({ one: stdio(one) });
      const connection = pool.require('one');
      await connection.connect('person');
      const first = groupsWith(one.marker);
      assert.equal(first.length, 2);
      let begun = Date.now();
      await connection.restart();
      assert.ok(Date.now() - begun < 5000);
      const second = groupsWith(one.marker);
      assert.equal(second.length, 2);
      assert.deepEqual(
        second.filter((group) => first.includes(group)),
        [],
      );
      await connection.stop();
      assert.deepEqual(groupsWith(one.marker), []);
      await connection.connect('person');
      begun = Date.now();
      await core!.end();
      assert.deepEqual(groupsWith(one.marker), []);
      assert.ok(Date.now() - begun < 5000);
    });

    it('C7: end with a server that has to be killed', async () => {
      const one = runaway({ ignoreEnd: true, ignoreTerm: true });
      const connection = start({ one: stdio(one) }).connection('one');
      await connection.connect('person');
      assert.equal(groupsWith(one.marker).length, 2);
      const begun = Date.now();
      await connection.stop();
      assert.deepEqual(groupsWith(one.marker), []);
      assert.ok(Date.now() - begun < 5000);
    });

    it('C7: are gone 5 s after the extension host was killed', async () => {
      const one = runaway({ ignoreEnd: true, ignoreTerm: true });
      const host = await startHost({ one });
      assert.equal(groupsWith(one.marker).length, 2);
      host.kill('SIGKILL');
      await noneOf(one.marker);
    });
  });

  it('the reaper comes with the first process, outlives its own end, and goes when it is let go', async () => {
    const one = fixture(stubborn);
    const two = fixture();
    const { pool } = start(
      { one: stdio(one), two: stdio(two) },
      // What the reaper ends is not to come back.
      { backoff: { firstMs: 60_000, longestMs: 60_000, attempts: 1 } },
    );
    const connection = (id: string) => pool.require(id);
    assert.equal(reaper!.pid, undefined);
    await connection('one').connect('person');
    const first = reaper!.pid!;
    process.kill(first, 'SIGKILL');
    await until('its end is noticed', () => reaper!.pid === undefined);
    await connection('two').connect('person');
    const second = reaper!.pid!;
    assert.notEqual(second, first);
    await connection('two').stop();
    assert.ok(isAlive(second));
    assert.equal(groupsWith(one.marker).length, 1);
    // The second was told of what the first knew.
    await reaper!.end();
    await noneOf(one.marker);
    await until('it is gone', () => !isAlive(second), 5000);
  });
});
