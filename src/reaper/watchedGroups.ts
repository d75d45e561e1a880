import { setTimeout as delay } from 'node:timers/promises';
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

/** The process groups of the servers that run now. */
export class WatchedGroups {
  /** When each leader was started: ids are used again. */
  private readonly starts = new Map<number, Promise<string | undefined>>();

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
      this.starts.set(leader, this.startOf(leader));
    } else {
      this.starts.delete(leader);
    }
  }

  /** Ends every group that is left. Resolves once they are gone, or nothing more can be done. */
  async end(): Promise<void> {
    for (const { signal, graceMs } of reapSteps(process.platform)) {
      for (const [leader, start] of this.starts) {
        if (await this.isStillOurs(leader, await start)) {
          signalTree(leader, signal);
        } else {
          this.starts.delete(leader);
        }
      }
      const deadline = Date.now() + graceMs;
      while ([...this.starts.keys()].some((leader) => treeIsAlive(leader)) && Date.now() < deadline) {
        await delay(20);
      }
    }
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
