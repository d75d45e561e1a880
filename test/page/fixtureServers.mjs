// Fixture servers for page tests: configured before the window opens, ended with the test.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../host/bootstrap.mjs';

/**
 * @typedef {import('../server/fixtureClient').FixtureLaunch} FixtureLaunch
 * @typedef {import('../server/fixtureClient').LaunchOptions} LaunchOptions
 */

/**
 * Launches of fixture servers by name, not started yet: the extension starts them as `configure` says.
 * @template {string} Name
 * @param {Record<Name, LaunchOptions>} options
 */
export function fixtureServers(options) {
  const entries = /** @type {[Name, LaunchOptions][]} */ (Object.entries(options));
  /** @type {{ fixtureLaunch: (options: LaunchOptions) => FixtureLaunch }} */
  const { fixtureLaunch } = createRequire(import.meta.url)(path.join(root, 'dist-test/server/fixtureClient.js'));
  const launches = entries.map(([name, one]) => /** @type {const} */ ([name, fixtureLaunch(one)]));
  return {
    servers: /** @type {Record<Name, FixtureLaunch>} */ (Object.fromEntries(launches)),
    /**
     * Writes the user's `mcp.json`.
     * @param {{ host: import('../host/server.mjs').Host }} prepared
     */
    configure: (prepared) => configureServers(prepared, Object.fromEntries(launches)),
    async dispose() {
      await Promise.all(launches.map(([, launch]) => launch.dispose()));
    },
  };
}

/**
 * Writes the user's `mcp.json`, whose new servers need nobody's consent.
 * @param {{ host: import('../host/server.mjs').Host }} prepared
 * @param {Record<string, { command: string, args: string[], env: Record<string, string> }>} launches
 */
export function configureServers({ host }, launches) {
  const servers = Object.fromEntries(
    Object.entries(launches).map(([name, { command, args, env }]) => [name, { command, args, env }]),
  );
  writeFileSync(path.join(host.userDir, 'mcp.json'), JSON.stringify({ servers }));
}
