// `npm run bench -- live`: how soon an open editor shows an update, ours beside VS Code's own `mcp-resource` document.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { BenchHost, buildForBench, compiledBench } from './benchHost.mjs';
import { median, quantile, row } from './numbers.mjs';

/** What a round takes when nothing is lost. */
const secondsPerRound = 16;
/** What opening the editors, the warm-up and the updates of the same length take at most. */
const secondsBeside = 200;

/**
 * Resolves with whether every update of ours was shown.
 * @param {{ rounds?: number }} options
 */
export async function run({ rounds = 5 }) {
  await buildForBench();
  console.log(`Live updates: ${rounds} rounds of ${secondsPerRound} s and some 80 s beside them …`);
  const server = fork(compiledBench('liveServer'));
  const host = new BenchHost();
  try {
    const [{ url, updates }] = await once(server, 'message');
    const configuration = path.join(host.folder, '.vscode/mcp.json');
    mkdirSync(path.dirname(configuration), { recursive: true });
    writeFileSync(configuration, JSON.stringify({ servers: { live: { type: 'http', url } } }));
    await host.start({ MCP_RESOURCES_BENCH_UPDATES: updates, MCP_RESOURCES_BENCH_ROUNDS: String(rounds) });
    const result = await host.run('liveWindow', (secondsBeside + rounds * secondsPerRound * 4) * 1000);
    return print(result, host.version);
  } finally {
    server.kill();
    await host.stop();
  }
}

/**
 * @param {import('./liveWindow').LiveResult} result
 * @param {string} version
 */
function print({ rounds, sameLength }, version) {
  const summary = {
    ours: summaryOf({ rounds, sameLength }, 'ours'),
    vscode: summaryOf({ rounds, sameLength }, 'vscode'),
  };
  const { ours, vscode } = summary;
  const ratio = ours.median / vscode.median;
  const load = rounded(loadavg()[0]);
  const line = (/** @type {string} */ title, /** @type {(side: typeof ours) => string} */ value) =>
    row(title, [value(ours), value(vscode)]);
  const ms = (/** @type {number} */ value) => value.toFixed(1);
  console.log(
    [
      '',
      `From the server's send to the new text in the open editor, ms (HTTP, VS Code ${version})`,
      '',
      row('', ['ours', "VS Code's own"]),
      ...rounds.map((_, index) => line(`round ${index + 1}: p50`, ({ p50 }) => ms(p50[index]))),
      line('median of the p50', (side) => ms(side.median)),
      line('p95 of all', ({ p95 }) => ms(p95)),
      line('updates shown', ({ shown, sent }) => `${shown} of ${sent}`),
      line('of the same length', ({ sameLength: { shown, sent } }) => `${shown} of ${sent}`),
      '',
      `ours : VS Code's own = ${ratio.toFixed(2)} (load of the machine: ${load})`,
      JSON.stringify({ bench: 'live', vscodeVersion: version, load, ratio: rounded(ratio), ...summary }),
    ].join('\n'),
  );
  const lost = [...rounds.flat(), ...sameLength].filter(({ side, latency }) => side === 'ours' && latency === null);
  for (const { characters, told } of lost) {
    console.log(
      `Not shown by ours: ${characters} characters; ${told === 0 ? 'nobody had subscribed' : 'it was told'}.`,
    );
  }
  return lost.length === 0;
}

/**
 * @param {import('./liveWindow').LiveResult} result
 * @param {import('./liveResources').Side} name
 */
function summaryOf({ rounds, sameLength }, name) {
  const of = (/** @type {readonly import('./liveEditors').Update[]} */ updates) =>
    updates.filter(({ side }) => side === name);
  const p50 = rounds.map((updates) => rounded(median(latencies(of(updates)))));
  const all = of(rounds.flat());
  return {
    p50,
    median: rounded(median(p50)),
    p95: rounded(quantile(latencies(all), 0.95)),
    ...counted(all),
    sameLength: counted(of(sameLength)),
  };
}

/** @param {readonly import('./liveEditors').Update[]} updates */
const latencies = (updates) => updates.map(({ latency }) => latency).filter((latency) => latency !== null);

/** @param {readonly import('./liveEditors').Update[]} updates */
const counted = (updates) => ({ sent: updates.length, shown: latencies(updates).length });

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;
