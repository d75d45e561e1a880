import { execFileSync } from 'node:child_process';

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its process group, by the leader's id. */
  readonly group: number;
  readonly command: string;
}

/** The processes of this machine. One that has ended and was not waited for yet does not count. */
export function allProcesses(): readonly SeenProcess[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,args='], { encoding: 'utf8' }).split(
    '\n',
  );
  return lines.flatMap((line) => {
    const [, pid, parent, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined || state?.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }];
  });
}

/** The process groups in which a process runs whose command line holds `marker`. */
export function groupsWith(marker: string): number[] {
  return [...new Set(allProcesses().flatMap(({ group, command }) => (command.includes(marker) ? [group] : [])))];
}
