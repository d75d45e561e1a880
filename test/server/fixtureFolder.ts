// Control over a server that runs as one or more processes of its own, found through their folder.
import { readFileSync, watch } from 'node:fs';
import { readAnnouncements, readLogs, type Announcement } from './announce';
import { sendCommand } from './commandPort';
import type { CommandName, Control } from './control';
import { delay } from './faults';
import { logControl, type LogSource } from './logWaiter';

const POLL = 15;
/** How long a command waits for a process that could carry it out, in milliseconds. */
const PATIENCE = 15_000;

export function folderControl(folder: string): Control {
  const call = async (name: CommandName, args: readonly unknown[]): Promise<number> => {
    const processes = await someAlive(folder);
    const results = await Promise.allSettled(processes.map(({ commandPort }) => sendCommand(commandPort, name, args)));
    const done = results.filter((result) => result.status === 'fulfilled').map(({ value }) => Number(value ?? 0));
    // A probe beside the session may be gone by now; that nobody did it is an error.
    const failure = results.find((result) => result.status === 'rejected');
    if (done.length === 0 && failure !== undefined) throw failure.reason;
    return done.reduce((sum, count) => sum + count, 0);
  };
  const run = async (name: CommandName, ...args: unknown[]): Promise<void> => {
    await call(name, args);
  };
  return {
    ...logControl(folderLog(folder)),
    set: (...args) => call('set', args),
    add: (...args) => call('add', args),
    remove: (...args) => call('remove', args),
    notify: (...args) => call('notify', args),
    storm: (...args) => call('storm', args),
    change: (...args) => run('change', ...args),
    fault: (...args) => run('fault', ...args),
    hold: (...args) => run('hold', ...args),
    release: (...args) => run('release', ...args),
    closeStreams: (...args) => run('closeStreams', ...args),
    forgetSessions: () => run('forgetSessions'),
    exit: (...args) => run('exit', ...args),
    subscriptions: () => call('subscriptions', []),
    processes: () =>
      Promise.resolve(readAnnouncements(folder).map((facts) => ({ ...facts, alive: isAlive(facts.pid) }))),
  };
}

/** Whether the process still runs; one that ended but was not waited for yet does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

async function someAlive(folder: string): Promise<Announcement[]> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const alive = readAnnouncements(folder).filter(({ pid }) => isAlive(pid));
    if (alive.length > 0) return alive;
    if (Date.now() > deadline) throw new Error(`No fixture process announced itself in ${folder}`);
    await delay(POLL);
  }
}

function folderLog(folder: string): LogSource {
  return {
    read: () => Promise.resolve(readLogs(folder)),
    next: (milliseconds) =>
      new Promise((resolve) => {
        // Watching is quick, the timer is sure.
        const watcher = watch(folder, done);
        const timer = setTimeout(done, Math.min(milliseconds, 10 * POLL));
        function done() {
          clearTimeout(timer);
          watcher.close();
          resolve();
        }
      }),
  };
}

function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
