// The window that the demo and the screenshots show: the packaged extension, the sample server and a published one.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installPublishedServers } from '../server/published/install.mjs';
import { root } from './bootstrap.mjs';
import { packageExtension } from './package.mjs';
import { Host } from './server.mjs';
import { copyWorkspace } from './workspace.mjs';

/** The published server that the workspace's `.vscode/mcp.json` names. */
const published = '@modelcontextprotocol/server-everything';

/**
 * Builds and starts all of it.
 * @param {Record<string, object>} [more] Further servers, of the user.
 * @returns {Promise<{ host: Host, url: string, folder: string }>}
 */
export async function startDemo(more = {}) {
  const servers = await installPublishedServers();
  const host = new Host({
    vsix: await packageExtension(),
    settings: {
      'mcpResources.servers': {
        Sample: { type: 'stdio', command: process.execPath, args: [path.join(root, 'dist/sampleServer.js')] },
      },
    },
  });
  try {
    const workspace = copyWorkspace('demo', host.folder);
    const everything = { type: 'stdio', command: process.execPath, args: [programOf(servers, published), 'stdio'] };
    const configuration = path.join(workspace.folder, '.vscode/mcp.json');
    mkdirSync(path.dirname(configuration), { recursive: true });
    writeFileSync(configuration, `${JSON.stringify({ servers: { everything } }, undefined, 2)}\n`);
    writeFileSync(path.join(host.userDir, 'mcp.json'), JSON.stringify({ servers: more }));
    await host.start();
    return { host, url: host.url(workspace.window), folder: workspace.folder };
  } catch (error) {
    await host.stop();
    throw error;
  }
}

/**
 * The file that a package's first command runs.
 * @param {string} folder A `node_modules`.
 * @param {string} name
 */
function programOf(folder, name) {
  const installed = path.join(folder, name);
  const { bin } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  return path.join(installed, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}
