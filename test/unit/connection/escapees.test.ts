import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Escapees, escapeesOf } from '../../../src/connection/escapees';
import { currentRows, type ProcessRow, processRows, rowOfPs, rowOfStat } from '../../../src/connection/processRows';
import { isAlive } from '../../server/fixtureFolder';
import { runawayProgram, runawaysOf } from '../../server/runaways';
import { until } from '../../until';

const row = (pid: number, parent: number, group: number, start = `at ${pid}`): ProcessRow => ({
  pid,
  parent,
  group,
  start,
});

describe('what has left a process group', () => {
  const pids = (rows: readonly ProcessRow[], known: readonly [number, string][] = []): number[] =>
    escapeesOf(10, rows, new Map(known.map(([pid, start]) => [pid, { start }]))).map(({ pid }) => pid);
  const server = [row(1, 0, 1), row(5, 1, 5), row(10, 5, 10), row(11, 10, 10)];

  it('C7: is what descends from it in other groups, however far, and nothing else', () => {
    const rows = [...server, row(20, 11, 20), row(21, 20, 20), row(22, 21, 22), row(30, 5, 30), row(31, 30, 30)];
    assert.deepEqual(pids(rows), [20, 21, 22]);
    assert.deepEqual(pids([...rows].reverse()), [22, 21, 20]);
    assert.deepEqual(pids(server), []);
  });

  it('C7: is what is in a group that a descendant leads, whose parent has ended', () => {
    assert.deepEqual(pids([...server, row(20, 10, 20), row(23, 1, 20)]), [20, 23]);
  });

  it('C7: is known still when the group is gone, but not a later process of the same id', () => {
    const rows = [row(1, 0, 1), row(20, 1, 20), row(21, 20, 21)];
    assert.deepEqual(pids(rows), []);
    assert.deepEqual(pids(rows, [[20, 'at 20']]), [20, 21]);
    assert.deepEqual(pids(rows, [[20, 'before']]), []);
  });

  it('C7: is found in a moment, however many there are, each the child of the one before', () => {
    // No process of this machine has such an id.
    const first = 10_000_000;
    const chain = Array.from({ length: 20_000 }, (_, index) => row(first + index, first + index - 1, first + index));
    const rows = [row(10, 5, 10), row(first - 1, 10, 10), ...chain];
    const begun = performance.now();
    assert.equal(pids(rows).length, 20_000);
    assert.equal(pids(rows.toReversed()).length, 20_000);
    assert.ok(performance.now() - begun < 2000);
  });

  it('C7: is nothing of a later group that was given the same id', async () => {
    let rows = [...server, row(20, 10, 20)];
    const escapees = new Escapees(10, () => Promise.resolve(rows));
    assert.equal(await escapees.look(), true);
    rows = [row(1, 0, 1), row(10, 1, 10, 'later'), row(11, 10, 10), row(30, 10, 30)];
    assert.equal(await escapees.look(), false);
    rows = [row(1, 0, 1), row(30, 1, 30)];
    assert.equal(await escapees.look(), false);
  });

  it('C7: is never the process that looks', () => {
    assert.deepEqual(pids([...server, row(process.pid, 10, process.pid), row(1, 10, 1)]), []);
  });
});

describe('a process as the system describes it', () => {
  const rest = '1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 7 0 987654 1000 2';

  it('has its facts after the name in /proc, whatever that is, and is none once it has ended', () => {
    const expected = { pid: 42, parent: 1, group: 42, start: '987654' };
    assert.deepEqual(rowOfStat(`42 (node) S ${rest}`), expected);
    assert.deepEqual(rowOfStat(`42 (a) Z (b\n) S ${rest}\n`), expected);
    assert.equal(rowOfStat(`42 (node) Z ${rest}`), undefined);
    assert.equal(rowOfStat(''), undefined);
  });

  it('has its facts in the line of ps', () => {
    assert.deepEqual(rowOfPs('  42     1    40 Ss   Mon Nov 30 18:04:28 2026    '), {
      pid: 42,
      parent: 1,
      group: 40,
      start: 'Mon Nov 30 18:04:28 2026',
    });
    assert.equal(rowOfPs('42 1 40 Z+ Mon Nov 30 18:04:28 2026'), undefined);
    assert.equal(rowOfPs(''), undefined);
  });

  it('is not asked for on Windows', async () => assert.deepEqual(await processRows('win32'), []));

  it('C7: is looked for once for all who ask meanwhile, and never before they ask: many servers may end at once', async () => {
    const first = currentRows();
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)'], { stdio: 'ignore' });
    try {
      const many = await Promise.all(Array.from({ length: 50 }, () => currentRows()));
      assert.equal(new Set(many).size, 1);
      assert.notEqual(many[0], await first);
      assert.equal(
        many[0]!.some(({ pid }) => pid === child.pid),
        process.platform !== 'win32',
      );
      assert.notEqual(await currentRows(), many[0]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  // The way of macOS works wherever there is such a `ps`.
  for (const platform of ['linux', 'darwin'] as const) {
    it(`is among all, as ${platform} says`, async function () {
      if (process.platform === 'win32' || (platform === 'linux' && process.platform !== platform)) {
        this.skip();
      }
      const own = (await processRows(platform)).find(({ pid }) => pid === process.pid);
      assert.equal(own?.parent, process.ppid);
      assert.ok(own.start);
    });
  }
});

describe('ending what has left a process group', () => {
  const started: ReturnType<typeof spawn>[] = [];
  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

  it('C7: each is signalled once, also when its parent has ended, and never a later process of its id', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const args = ['-e', `${runawayProgram(true)}; setTimeout(() => {}, 30_000)`];
    const leader = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
    started.push(leader);
    const [runaway] = await runawaysOf(leader.pid!);
    // The same but for when it was started: as if the id had been given away since.
    let isLater = false;
    const rows = async (): Promise<ProcessRow[]> =>
      (await processRows()).map((each) => (isLater && each.pid === runaway ? { ...each, start: 'later' } : each));
    const [escapees, tooLate] = [new Escapees(leader.pid!, rows), new Escapees(leader.pid!, rows)];
    assert.ok((await escapees.look()) && (await tooLate.look()));
    leader.kill('SIGKILL');
    await once(leader, 'exit');
    isLater = true;
    assert.equal(await tooLate.signal('SIGKILL'), false);
    isLater = false;
    assert.equal(await escapees.signal('SIGTERM'), true);
    assert.equal(await escapees.signal('SIGTERM'), true);
    assert.ok(isAlive(runaway!), 'it hears no SIGTERM');
    await escapees.signal('SIGKILL');
    await until('it is gone', () => !isAlive(runaway!));
    await until('that is noticed', async () => !(await escapees.look()));
  });
});
