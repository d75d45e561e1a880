// Installs the protocol's conformance suite into the git-ignored `.conformance/`. Bare Node: no dependency of the
// repository has to exist.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm, root } from '../host/bootstrap.mjs';

const here = path.join(root, 'test/conformance');
const target = path.join(root, '.conformance');

/**
 * Installs what the lock file says, or finds it installed.
 * @returns {string} The suite's program.
 */
export function installConformance() {
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(here, 'package-lock.json')))
    .digest('hex');
  const stampFile = path.join(target, '.installed');
  const present = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (present !== stamp) {
    console.log(`Installing the conformance suite into ${path.relative(root, target)} …`);
    const building = `${target}.${process.pid}`;
    try {
      mkdirSync(building, { recursive: true });
      for (const file of ['package.json', 'package-lock.json'])
        cpSync(path.join(here, file), path.join(building, file));
      npm(['ci', '--ignore-scripts'], building);
      writeFileSync(path.join(building, '.installed'), stamp);
      rmSync(target, { recursive: true, force: true });
      renameSync(building, target);
    } finally {
      rmSync(building, { recursive: true, force: true });
    }
  }
  return path.join(target, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
}
