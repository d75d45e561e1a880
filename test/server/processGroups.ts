import { execFileSync } from 'node:child_process';

/** The process groups, by their leader's id, in which a process runs whose command line holds `marker`. */
export function groupsWith(marker: string): number[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  const found = lines.flatMap((line) => {
    const [, group, state, args] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    // One that has ended and was not waited for yet does not count.
    return args?.includes(marker) === true && state?.startsWith('Z') === false ? [Number(group)] : [];
  });
  return [...new Set(found)];
}
