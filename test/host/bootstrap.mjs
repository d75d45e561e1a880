// Makes a fresh clone usable: everything in here runs on bare Node, before any dependency exists.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Installs the dependencies of the repository unless exactly what the lock file says is there already. */
export function ensureDependencies() {
  const reason = staleReason();
  if (reason === undefined) {
    return;
  }
  console.log(`Installing dependencies (${reason}) …`);
  // No install script is needed by anything that tests, demo or build use.
  npm(['ci', '--ignore-scripts'], root);
}

/**
 * Runs npm and passes its errors on; its chatter is shown only when it fails.
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  const windows = process.platform === 'win32';
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(windows ? 'npm.cmd' : 'npm', [...args, ...quiet], {
    cwd,
    encoding: 'utf8',
    shell: windows,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.error || result.status !== 0) {
    const output = result.error?.message ?? `${result.stdout}${result.stderr}`;
    throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${output.trim()}`);
  }
}

/**
 * Ends a program that could not do its work: the reason lies outside of it nearly always, so it is told without a stack.
 * @param {unknown} error
 * @returns {never}
 */
export function giveUp(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Why `node_modules` does not match the lock file; `undefined` when it does. */
function staleReason() {
  const wanted = lockedVersions('package-lock.json');
  /** @type {Map<string, string>} */
  let present;
  try {
    // npm leaves here what it really installed.
    present = lockedVersions('node_modules/.package-lock.json');
  } catch {
    return 'node_modules is missing';
  }
  for (const [name, version] of wanted) {
    if (present.get(name) !== version) {
      return `${name.replace('node_modules/', '')} ${version} is missing`;
    }
  }
  return undefined;
}

/**
 * Package path → version, without optional packages (another platform's are never installed).
 * @param {string} file
 */
function lockedVersions(file) {
  /** @type {{ packages: Record<string, { version: string, optional?: boolean, devOptional?: boolean }> }} */
  const lock = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const installed = Object.entries(lock.packages).filter(([name, entry]) => name !== '' && !entry.optional);
  return new Map(installed.map(([name, entry]) => [name, entry.version]));
}
