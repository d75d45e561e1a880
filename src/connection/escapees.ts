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
 * What descends from the group of `leader`, if there is one, or from what was `known` to, and is not in that group. A process of a group that
 * a descendant leads is one, whoever its parent is by now.
 */
export function escapeesOf(
  leader: number | undefined,
  rows: readonly ProcessRow[],
  known: ReadonlyMap<number, { readonly start: string }>,
): ProcessRow[] {
  const tree = new Set<number>();
  const isOurs = ({ pid, parent, group, start }: ProcessRow): boolean =>
    group === leader || known.get(pid)?.start === start || tree.has(parent) || tree.has(group);
  let rest = rows.filter(({ pid }) => pid > 1 && pid !== process.pid);
  for (let size = -1; size !== tree.size;) {
    size = tree.size;
    rest.filter(isOurs).forEach(({ pid }) => tree.add(pid));
    rest = rest.filter(({ pid }) => !tree.has(pid));
  }
  return rows.filter(({ pid, group }) => tree.has(pid) && group !== leader);
}
