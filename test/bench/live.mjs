// `npm run bench -- live`: how soon an open editor shows an update, ours beside VS Code's own `mcp-resource` document.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BenchHost, buildForBench, compiledBench } from './benchHost.mjs';
import { printLive } from './livePrint.mjs';

/** What a round takes when nothing is lost and the machine has nothing else to do. */
const secondsPerRound = 40;
/** What all else takes at most. */
const secondsBeside = 600;

/** @typedef {import('./liveLanes').Wire} Wire */

/**
 * Resolves with whether every gate was passed.
 * @param {{ rounds?: number }} options
 */
export async function run({ rounds = 5 }) {
  await buildForBench();
  /** @type {typeof import('./liveLanes')} */
  const { lanes, wires } = await import(compiledBench('liveLanes'));
  console.log(`Live updates: ${rounds} rounds of ${secondsPerRound} s and some 2 minutes beside them …`);
  const host = new BenchHost();
  const folder = path.join(host.folder, '.vscode');
  mkdirSync(folder, { recursive: true });
  const argsOf = (/** @type {string} */ name, /** @type {Wire} */ { transport, era }) =>
    Object.entries({ name, transport, era, folder }).flatMap(([option, value]) => [`--${option}`, value]);
  /** @type {Record<string, object>} */
  const servers = {};
  /** @type {Record<string, string[]>} */
  const stdio = {};
  const processes = [];
  try {
    for (const wire of wires.filter(({ transport }) => transport === 'http')) {
      const name = `http-${wire.era}`;
      const server = fork(compiledBench('liveServer'), argsOf(name, wire));
      processes.push(server);
      const [{ url }] = await once(server, 'message');
      servers[name] = { type: 'http', url };
    }
    for (const { server = '', wire, side } of lanes) {
      if (wire?.transport !== 'stdio') continue;
      const args = [compiledBench('liveServer'), ...argsOf(server, wire)];
      if (side === 'bare') stdio[server] = args;
      else servers[server] = { command: process.execPath, args };
    }
    writeFileSync(path.join(folder, 'mcp.json'), JSON.stringify({ servers }));
    host.configure(servers);
    await host.start({
      MCP_RESOURCES_BENCH_FOLDER: folder,
      MCP_RESOURCES_BENCH_STDIO: JSON.stringify(stdio),
      MCP_RESOURCES_BENCH_ROUNDS: String(rounds),
    });
    const result = await host.run('liveWindow', (secondsBeside + rounds * secondsPerRound * 2) * 1000);
    return printLive(result, { version: host.version, lanes });
  } finally {
    processes.forEach((server) => server.kill());
    await host.stop();
  }
}
