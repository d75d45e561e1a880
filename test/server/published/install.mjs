// Installs the published servers that tests run against into the git-ignored `.host/servers/`. Bare Node: no dependency
// of the repository has to exist. As a program: node test/server/published/install.mjs
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../host/bootstrap.mjs';
import { installLocked } from '../../host/installLocked.mjs';

/** @returns {Promise<string>} The absolute path of the folder `node_modules` with the servers in it. */
export async function installPublishedServers() {
  return installLocked({
    from: path.dirname(fileURLToPath(import.meta.url)),
    target: path.join(root, '.host/servers'),
    what: 'published MCP servers',
  });
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  console.log(await installPublishedServers());
}
