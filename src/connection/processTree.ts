import { spawn } from 'node:child_process';

/** Hears of process groups, each named by its leader: begun, and ended to the last process. */
export interface GroupListener {
  started(leader: number): void;
  ended(leader: number): void;
}

/** The command that ends a Windows process with all its children. `force` does not ask it first. */
export function windowsKillCommand(pid: number, force: boolean): { command: string; args: string[] } {
  return { command: 'taskkill', args: ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])] };
}

/** Signals a process that leads its own group, and everything in that group. False when nothing of it is left. */
export function signalTree(
  pid: number,
  signal: 'SIGTERM' | 'SIGKILL',
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform === 'win32') {
    const { command, args } = windowsKillCommand(pid, signal === 'SIGKILL');
    // Its failure means that the process is gone already.
    spawn(command, args, { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
    return true;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether anything of the group that `pid` leads is still alive. Always false on Windows, which has no groups. */
export function treeIsAlive(pid: number, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') {
    return false;
  }
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
