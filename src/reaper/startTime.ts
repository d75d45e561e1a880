import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { statFields } from '../connection/processRows';

/**
 * When a process was started, in the system's own words, to tell it from a later one of the same id; `undefined` when it
 * is gone, and on Windows, where asking takes longer than an id takes to be used again.
 */
export async function startTimeOf(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  switch (platform) {
    case 'win32':
      return undefined;
    case 'linux':
      return readFile(`/proc/${pid}/stat`, 'utf8').then(startTicks, () => undefined);
    default:
      return new Promise((resolve) => {
        execFile('ps', ['-o', 'lstart=', '-p', String(pid)], (error, stdout) => {
          resolve(error ? undefined : stdout.trim() || undefined);
        });
      });
  }
}

/** Field 22 of `/proc/<pid>/stat` (proc_pid_stat(5)): clock ticks since the machine was started. */
export function startTicks(stat: string): string | undefined {
  return statFields(stat)[22 - 3];
}
