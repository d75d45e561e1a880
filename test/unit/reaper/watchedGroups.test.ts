import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAlive } from '../../server/fixtureFolder';
import { runawayProgram, runawaysOf } from '../../server/runaways';
import { reapSteps, WatchedGroups } from '../../../src/reaper/watchedGroups';

describe('groups that the reaper ends', () => {
  const started: ReturnType<typeof spawn>[] = [];

  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

  /** A process that leads a group, and the signal that ends it. */
  const group = async (program = '') => {
    const args = ['-e', `${program}; process.send('up'); setTimeout(() => {}, 30_000)`];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    started.push(child);
    const ended = once(child, 'exit').then(([, signal]) => signal as unknown);
    await once(child, 'message');
    return { pid: child.pid!, ended, alive: () => child.exitCode === null && child.signalCode === null };
  };

  it('are those of which no end was told', async () => {
    const groups = new WatchedGroups();
    const [left, done, unknown] = await Promise.all([group(), group(), group()]);
    groups.hear(`started ${left.pid}`);
    groups.hear(`started ${done.pid}`);
    groups.hear(`ended ${done.pid}`);
    await groups.end();
    assert.equal(await left.ended, 'SIGTERM');
    assert.ok(done.alive() && unknown.alive());
  });

  it('are killed where they do not hear', async () => {
    const groups = new WatchedGroups();
    const deaf = await group(`process.on('SIGTERM', () => {})`);
    groups.hear(`started ${deaf.pid}`);
    await groups.end();
    assert.equal(await deaf.ended, 'SIGKILL');
  });

  it('C7: take with them what has left them, even when their leader has ended by itself before', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const groups = new WatchedGroups();
    const leader = await group(runawayProgram());
    groups.hear(`started ${leader.pid}`);
    const [runaway] = await runawaysOf(leader.pid);
    await groups.look();
    process.kill(leader.pid, 'SIGKILL');
    await leader.ended;
    assert.ok(isAlive(runaway!));
    await groups.end();
    assert.ok(!isAlive(runaway!));
  });

  it('are spared when somebody else has got the number meanwhile', async () => {
    let asked = 0;
    const groups = new WatchedGroups(() => Promise.resolve(`start ${(asked += 1)}`));
    const other = await group();
    groups.hear(`started ${other.pid}`);
    await groups.end();
    assert.ok(other.alive());
  });

  it('are never all processes, whatever is said', async () => {
    const asked: number[] = [];
    const groups = new WatchedGroups((pid) => Promise.resolve(void asked.push(pid)));
    for (const line of [
      '',
      'started',
      'started 0',
      'started 1',
      'started -5',
      'started 12x',
      'stopped 77',
      'started  9',
    ]) {
      groups.hear(line);
    }
    await groups.end();
    assert.deepEqual(asked, []);
  });

  const plans: [NodeJS.Platform, string][] = [
    ['linux', 'SIGTERM SIGKILL'],
    ['darwin', 'SIGTERM SIGKILL'],
    ['win32', 'SIGKILL'],
  ];
  for (const [platform, expected] of plans) {
    it(`C7: are ended on ${platform} by ${expected}, within 5 s`, () => {
      const steps = reapSteps(platform);
      assert.equal(steps.map(({ signal }) => signal).join(' '), expected);
      assert.ok(steps.reduce((sum, { graceMs }) => sum + graceMs, 0) < 5000);
    });
  }
});
