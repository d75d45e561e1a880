// `npm run bench -- start`: from connecting to the first listed resource, beside the SDK's client alone. In plain Node over
// our core: what the editor adds is measured by `bench list`.
import { loadavg } from 'node:os';
import { runCommand } from '../host/command.mjs';
import { compileTests } from '../host/compileTests.mjs';
import { buildForBench, compiledBench } from './benchHost.mjs';
import { median, row } from './numbers.mjs';

/** Ours beside the bare client, and 19 servers beside a hanging one and without it. */
const most = 1.2;

/**
 * Resolves with whether every gate holds.
 * @param {{ rounds?: number }} options
 */
export async function run({ rounds = 15 }) {
  await buildForBench();
  await compileTests('server');
  console.log(`Start: ${rounds} rounds by turns, of one server over stdio and HTTP, then of 20 at once …`);
  const { code, output } = await runCommand(process.execPath, [compiledBench('startRun')], {
    limitMs: 600_000,
    env: { MCP_RESOURCES_BENCH_ROUNDS: String(rounds), MCP_RESOURCES_TEST_ROOT: process.cwd() },
  });
  const line = output.split('\n').find((one) => one.startsWith('{'));
  if (code !== 0 || line === undefined) {
    throw new Error(`The bench broke off: ${output.slice(-2000)}`);
  }
  return print(JSON.parse(line));
}

/** @param {import('./startRun').StartResult} result */
function print({ ways, processes, many }) {
  const number = (/** @type {number} */ value) => value.toFixed(1);
  const ratio = (/** @type {number} */ value) => value.toFixed(2);
  const table = Object.entries(ways).map(([way, { bare, first, bareTold, known }]) => {
    const [bareMs, firstMs, toldMs, knownMs] = [median(bare), median(first), median(bareTold), median(known)];
    return { way, bareMs, firstMs, firstRatio: firstMs / bareMs, toldMs, knownMs, knownRatio: knownMs / toldMs };
  });
  const load = Math.round(loadavg()[0] * 100) / 100;
  const all = { alone: median(many.alone.all), beside: median(many.besideHanging.all) };
  const half = { alone: median(many.alone.half), beside: median(many.besideHanging.half) };
  /** @type {[string, boolean][]} */
  const gates = [
    ...table.flatMap(({ way, firstRatio, knownRatio }) => [
      /** @type {[string, boolean]} */ ([
        `${way}: first at most ${most} × bare: ${ratio(firstRatio)}`,
        firstRatio <= most,
      ]),
      /** @type {[string, boolean]} */ ([
        `${way}: known at most ${most} × told: ${ratio(knownRatio)}`,
        knownRatio <= most,
      ]),
    ]),
    .../** @type {[string, boolean][]} */ (
      Object.entries(processes)
        .filter(([way]) => way.startsWith('stdio'))
        .map(([way, { known }]) => [`${way}: a known server takes one process: ${known}`, known === 1])
    ),
    [
      `19 servers beside one that hangs: at most ${most} × without it: ${ratio(all.beside / all.alone)}`,
      all.beside <= most * all.alone,
    ],
  ];
  console.log(
    [
      '',
      row('first resource, medians, ms', ['bare', 'first', 'first / bare', 'bare, told', 'known', 'known / told']),
      ...table.map(({ way, bareMs, firstMs, firstRatio, toldMs, knownMs, knownRatio }) =>
        row(way, [
          number(bareMs),
          number(firstMs),
          ratio(firstRatio),
          number(toldMs),
          number(knownMs),
          ratio(knownRatio),
        ]),
      ),
      '',
      row('19 servers, medians, ms', ['without', 'beside', 'ratio']),
      row('all of them listed', [number(all.alone), number(all.beside), ratio(all.beside / all.alone)]),
      row('half of them listed', [number(half.alone), number(half.beside), ratio(half.beside / half.alone)]),
      '',
      ...gates.map(([gate, holds]) => `${holds ? 'PASS' : 'FAIL'}  ${gate}`),
      '',
      `load of the machine: ${load}`,
      JSON.stringify({ bench: 'start', load, table, processes, all, half, good: gates.every(([, holds]) => holds) }),
    ].join('\n'),
  );
  return gates.every(([, holds]) => holds);
}
