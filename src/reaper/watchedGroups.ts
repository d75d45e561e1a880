import { setTimeout as delay } from 'node:timers/promises';
import { Escapees } from '../connection/escapees';
import { currentRows } from '../connection/processRows';
import { signalTree, treeIsAlive } from '../connection/processTree';
import { startTimeOf } from './startTime';

/** What is done to a group, and the milliseconds after which the next thing is done. */
export interface ReapStep {
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly graceMs: number;
}

/** How groups are ended. On Windows `taskkill` asks only windows, so that it is not asked to. */
export function reapSteps(platform: NodeJS.Platform): readonly ReapStep[] {
  const kill: ReapStep = { signal: 'SIGKILL', graceMs: 1000 };
  return platform === 'win32' ? [kill] : [{ signal: 'SIGTERM', graceMs: 1500 }, kill];
}

interface WatchedGroup {
  /** When its leader was started: ids are used again. */
  readonly start: Promise<string | undefined>;
  readonly escapees: Escapees;
}

/** The process groups of the servers that run now. */
export class WatchedGroups {
  private readonly groups = new Map<number, WatchedGroup>();

  constructor(private readonly startOf: (pid: number) => Promise<string | undefined> = startTimeOf) {}

  /** A line of what the extension host says. */
  hear(line: string): void {
    const [, event, id] = /^(started|ended) (\d+)$/.exec(line) ?? [];
    const leader = Number(id);
    // 0 and 1 would mean every process of ours, and of everybody.
    if (!(leader > 1)) {
      return;
    }
    if (event === 'started') {
      this.groups.set(leader, { start: this.startOf(leader), escapees: new Escapees(leader) });
    } else {
      this.groups.delete(leader);
    }
  }

  /** Keeps in mind what has left the groups by now: of a server that has ended nobody knows any more what it started. */
  async look(): Promise<void> {
    if (this.groups.size > 0) {
      const rows = currentRows();
      await Promise.all([...this.groups.values()].map(({ escapees }) => escapees.look(rows)));
    }
  }

  /** Ends every group that is left, and what has left it. Resolves once they are gone, or nothing more can be done. */
  async end(): Promise<void> {
    const { groups } = this;
    // At once: the servers may be ending by themselves.
    await this.look();
    for (const { signal, graceMs } of reapSteps(process.platform)) {
      for (const [leader, { start }] of groups) {
        if (await this.isStillOurs(leader, await start)) {
          signalTree(leader, signal);
        } else {
          groups.delete(leader);
        }
      }
      const deadline = Date.now() + graceMs;
      while ((await this.remain(signal)) && Date.now() < deadline) {
        await delay(20);
      }
    }
  }

  /** Sends what has left the groups the signal, once; whether anything is left at all. */
  private async remain(signal: ReapStep['signal']): Promise<boolean> {
    const each = [...this.groups].map(async ([leader, { escapees }]) => {
      return (await escapees.signal(signal)) || treeIsAlive(leader);
    });
    return (await Promise.all(each)).includes(true);
  }

  /**
   * Whether a group is the one that was told of. A number is not given away while a group has it, so a leader that is gone
   * leaves no doubt; one that was started at another time is somebody else's.
   */
  private async isStillOurs(leader: number, start: string | undefined): Promise<boolean> {
    const now = await this.startOf(leader);
    return now === undefined || start === undefined || now === start;
  }
}
