// Installs packages by a lock file of their own into a git-ignored folder. Bare Node: no dependency of the repository has
// to exist.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm, root } from './bootstrap.mjs';

/**
 * Installs what the lock file says, or finds it installed. Works in a folder beside the target, so that an interrupted or
 * a second install never leaves half of it.
 * @param {{ from: string, target: string, what: string }} options `from` holds `package.json` and `package-lock.json`;
 *   both folders are absolute paths. `what` is told to who waits.
 * @returns {string} The folder `node_modules`.
 */
export function installLocked({ from, target, what }) {
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(from, 'package-lock.json')))
    .digest('hex');
  const stampFile = path.join(target, '.installed');
  const present = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (present !== stamp) {
    console.log(`Installing ${what} into ${path.relative(root, target)} …`);
    const building = `${target}.${process.pid}`;
    try {
      mkdirSync(building, { recursive: true });
      for (const file of ['package.json', 'package-lock.json'])
        cpSync(path.join(from, file), path.join(building, file));
      npm(['ci', '--ignore-scripts'], building);
      writeFileSync(path.join(building, '.installed'), stamp);
      rmSync(target, { recursive: true, force: true });
      renameSync(building, target);
    } finally {
      rmSync(building, { recursive: true, force: true });
    }
  }
  return path.join(target, 'node_modules');
}
