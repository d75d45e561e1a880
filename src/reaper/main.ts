// The reaper: a process beside the extension host that ends the servers when the extension host was killed. It hears
// `started <pid>` and `ended <pid>` on stdin, and when that ends, it ends the groups that are left.
import { createInterface } from 'node:readline';
import { WatchedGroups } from './watchedGroups';

/** What a server starts outside of its group is looked for this often: it takes some milliseconds. Milliseconds. */
const LOOK_MS = 10_000;

const groups = new WatchedGroups();
setInterval(() => void groups.look(), LOOK_MS).unref();

createInterface({ input: process.stdin })
  .on('line', (line) => groups.hear(line))
  // Then nothing keeps this process alive.
  .on('close', () => void groups.end());
