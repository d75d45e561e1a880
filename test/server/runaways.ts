// Processes that leave the group of the one that starts them.
import { until } from '../until';
import { allProcesses } from './processGroups';

/** What it is called once it is as it is meant to be. */
const TITLE = 'runaway';

/** The program of a process that starts one in a session of its own, which ignores SIGTERM where `stubborn` says so. */
export function runawayProgram(stubborn = false): string {
  const child = `${stubborn ? "process.on('SIGTERM', () => {});" : ''} process.title = '${TITLE}'; setTimeout(() => {}, 30_000)`;
  return `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached: true, stdio: 'ignore' })`;
}

/** The children of a process that lead groups of their own, once there are some. */
export async function runawaysOf(parent: number): Promise<number[]> {
  let found: number[] = [];
  await until('it has started one', () => {
    const children = allProcesses().filter((each) => each.parent === parent && each.group === each.pid);
    found = children.filter(({ command }) => command.startsWith(TITLE)).map(({ pid }) => pid);
    return found.length > 0;
  });
  return found;
}
