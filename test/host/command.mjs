// Runs a program to its end, within a time limit, and leaves nothing of it behind.
import { spawn } from 'node:child_process';
import { clearInterval, setInterval } from 'node:timers';
import { atExit } from './atExit.mjs';
import { root } from './bootstrap.mjs';

/** @typedef {{ code: number | undefined, output: string }} CommandResult `code` is undefined when the limit ended it. */

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ limitMs: number, cwd?: string, env?: Record<string, string>, watch?: (stop: () => void) => void }} options
 *   `watch` is called every 100 ms while the program runs and may stop it.
 * @returns {Promise<CommandResult>}
 */
export async function runCommand(program, args, { limitMs, cwd = root, env = {}, watch = () => undefined }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = () => killGroup(child.pid);
  const forget = atExit(stop);
  let output = '';
  const keep = (/** @type {Buffer} */ chunk) => (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const limit = setTimeout(stop, limitMs);
  const watching = setInterval(() => watch(stop), 100);
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      // Not `close`: a left-over grandchild may hold the pipes open for ever.
      child.once('exit', (exitCode) => resolve(exitCode ?? undefined));
    });
    return { code, output };
  } finally {
    clearTimeout(limit);
    clearInterval(watching);
    stop();
    forget();
  }
}

/** @param {number | undefined} leader */
function killGroup(leader) {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // ESRCH: nobody is left.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
