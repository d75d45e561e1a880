import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** Processes that are looked at at the same time. */
const AT_ONCE = 64;

/** A process of this machine that has not ended. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Its process group, by the id of the leader. */
  readonly group: number;
  /** When it was started, in the system's own words: tells it from a later one of the same id. */
  readonly start: string;
}

type Rows = Promise<readonly ProcessRow[]>;
let underWay: Rows | undefined;
let following: Rows | undefined;

/**
 * All processes as of now, for many who ask: while a look is under way, they share the next one, so that to end many servers at
 * once is no more than one look after the other. Never rejects.
 */
export function currentRows(): Promise<readonly ProcessRow[]> {
  if (underWay) {
    return (following ??= underWay.then(currentRows));
  }
  following = undefined;
  underWay = processRows().finally(() => (underWay = undefined));
  return underWay;
}

/** All processes, as far as they can be seen; none on Windows, which ends trees itself. Never rejects. */
export async function processRows(platform: NodeJS.Platform = process.platform): Promise<readonly ProcessRow[]> {
  switch (platform) {
    case 'win32':
      return [];
    case 'linux': {
      // Not by `ps`, which small containers lack.
      const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
      const rows: ProcessRow[] = [];
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        // A machine may have more processes than a process may have files open.
        const some = ids.slice(at, at + AT_ONCE).map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => ''));
        rows.push(...(await Promise.all(some)).flatMap((stat) => rowOfStat(stat) ?? []));
      }
      return rows;
    }
    default:
      return new Promise((resolve) => {
        const fields = ['pid', 'ppid', 'pgid', 'stat', 'lstart'].flatMap((field) => ['-o', `${field}=`]);
        execFile('ps', ['-A', ...fields], { env: { ...process.env, LC_ALL: 'C' } }, (error, stdout) => {
          resolve(error ? [] : stdout.split('\n').flatMap((line) => rowOfPs(line) ?? []));
        });
      });
  }
}

/** The fields of `/proc/<pid>/stat` (proc_pid_stat(5)) from the third on, which is its state. */
export function statFields(stat: string): string[] {
  // The second field, the program's name in parentheses, may hold anything, spaces and parentheses too.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A line of `/proc/<pid>/stat`; `undefined` for a process that has ended. */
export function rowOfStat(stat: string): ProcessRow | undefined {
  const fields = statFields(stat);
  const [state, parent, group] = fields;
  return row([stat.split(' ', 1)[0], parent, group, state, fields[22 - 3]]);
}

/** A line of `ps` with id, parent, group, state and start; `undefined` for a process that has ended. */
export function rowOfPs(line: string): ProcessRow | undefined {
  return row(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line)?.slice(1) ?? []);
}

function row([pid, parent, group, state = 'Z', start]: readonly (string | undefined)[]): ProcessRow | undefined {
  return start === undefined || /^[ZX]/.test(state)
    ? undefined
    : { pid: Number(pid), parent: Number(parent), group: Number(group), start };
}
