// Both pinned hosts have a file system of their own for `mcp-resource`. This shows our extension a VS Code that has none.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const script = 'out/vs/code/browser/workbench/workbench.js';
const taken = '.scheme="mcp-resource"';
const renamed = '.scheme="mcp-resource-own"';

/**
 * Renames the scheme that VS Code's own MCP support registers, in the workbench's script as the page loads it.
 * The host itself stays as it is.
 * @param {import('playwright-core').Page} page
 * @param {import('./server.mjs').Host} host
 */
export async function freeTheScheme(page, host) {
  const parts = readFileSync(path.join(host.installed.serverDir, script), 'utf8').split(taken);
  if (parts.length !== 2) {
    throw new Error(`VS Code ${host.version} names its scheme ${parts.length - 1} times as ${taken}, not once.`);
  }
  // Routed requests never come from the HTTP cache, and the workbench's own page has no service worker.
  await page.route(`**/${script}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: parts.join(renamed) }),
  );
}
