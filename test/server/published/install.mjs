// Installs the published servers that tests run against into the git-ignored `.host/servers/`. Bare Node: no dependency
// of the repository has to exist. As a program: node test/server/published/install.mjs
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, root } from '../../host/bootstrap.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.join(root, '.host/servers');

/**
 * Installs what the lock file says, or finds it installed.
 * @returns {Promise<string>} The absolute path of the folder `node_modules` with the servers in it.
 */
export async function installPublishedServers() {
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(here, 'package-lock.json')))
    .digest('hex');
  const stampFile = path.join(target, '.installed');
  const present = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (present !== stamp) {
    console.log(`Installing published MCP servers into ${path.relative(root, target)} …`);
    installInto(stamp);
  }
  return path.join(target, 'node_modules');
}

/**
 * Works in a folder beside the target, so that an interrupted or a second install never leaves half of it.
 * @param {string} stamp
 */
function installInto(stamp) {
  const building = `${target}.${process.pid}`;
  try {
    mkdirSync(building, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) cpSync(path.join(here, file), path.join(building, file));
    npm(['ci', '--ignore-scripts'], building);
    writeFileSync(path.join(building, '.installed'), stamp);
    rmSync(target, { recursive: true, force: true });
    renameSync(building, target);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  console.log(await installPublishedServers());
}
