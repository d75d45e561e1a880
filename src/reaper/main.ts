// The reaper: a process beside the extension host that ends the servers when the extension host was killed. It hears
// `started <pid>` and `ended <pid>` on stdin, and when that ends, it ends the groups that are left.
import { createInterface } from 'node:readline';
import { WatchedGroups } from './watchedGroups';

const groups = new WatchedGroups();

createInterface({ input: process.stdin })
  .on('line', (line) => groups.hear(line))
  // Then nothing keeps this process alive.
  .on('close', () => void groups.end());
