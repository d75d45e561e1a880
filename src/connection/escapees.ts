import { currentRows, type ProcessRow } from './processRows';

type Signal = 'SIGTERM' | 'SIGKILL';

interface Escapee {
  readonly start: string;
  readonly told: Set<Signal>;
}

/**
 * What a process group has started and is in it no more, as a session of its own is not. Whose children they are is known
 * only while those who started them live: so it is looked for before anything ends.
 */
export class Escapees {
  private found = new Map<number, Escapee>();
  /** When the leader was started, as soon as it was seen: ids are used again. */
  private start: string | undefined;

  constructor(
    private readonly leader: number,
    private readonly rows: () => Promise<readonly ProcessRow[]> = currentRows,
  ) {}

  /** Adds what there is by now, and forgets what has ended. True while there is something. `rows`: all processes. */
  async look(rows = this.rows()): Promise<boolean> {
    const seen = await rows;
    const before = this.found;
    const start = seen.find(({ pid }) => pid === this.leader)?.start;
    this.start ??= start;
    const leader = start === undefined || start === this.start ? this.leader : undefined;
    this.found = new Map(
      escapeesOf(leader, seen, before).map(({ pid, start }) => [pid, before.get(pid) ?? { start, told: new Set() }]),
    );
    return this.found.size > 0;
  }

  /** Sends each the signal once, if it is the process that was found. True while there is something. */
  async signal(signal: Signal): Promise<boolean> {
    if (this.found.size === 0 || !(await this.look())) {
      return false;
    }
    for (const [pid, { told }] of this.found) {
      if (!told.has(signal)) {
        told.add(signal);
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended just now, or is somebody else's to end.
        }
      }
    }
    return true;
  }
}

/**
 * What descends from the group of `leader`, if there is one, or from what was `known` to, and is not in that group. A process
 * of a group that a descendant leads is one, whoever its parent is by now.
 */
export function escapeesOf(
  leader: number | undefined,
  rows: readonly ProcessRow[],
  known: ReadonlyMap<number, { readonly start: string }>,
): ProcessRow[] {
  const others = rows.filter(({ pid }) => pid > 1 && pid !== process.pid);
  // What belongs to the tree if its parent, or the leader of its group, does. Each may be the child of the one before.
  const following = new Map<number, ProcessRow[]>();
  for (const row of others) {
    for (const id of new Set([row.parent, row.group])) {
      following.set(id, following.get(id) ?? []);
      following.get(id)?.push(row);
    }
  }
  const isOurs = ({ pid, group, start }: ProcessRow): boolean => group === leader || known.get(pid)?.start === start;
  const tree = new Set(others.filter(isOurs).map(({ pid }) => pid));
  // A set gives what is added while it is gone through, too.
  for (const id of tree) {
    following.get(id)?.forEach(({ pid }) => tree.add(pid));
  }
  return rows.filter(({ pid, group }) => tree.has(pid) && group !== leader);
}
