// `npm run bench -- storm`: what a storm of updates does to the extension host, and whether it ends well.
import { loadavg } from 'node:os';
import { compileTests } from '../host/compileTests.mjs';
import { BenchHost, buildForBench } from './benchHost.mjs';
import { row } from './numbers.mjs';

const seconds = 10;
/** Milliseconds. */
const longestTask = 50;
const delayAboveIdle = 20;
/** The store reads a resource at most once in 110 ms, while many change in 200 ms. */
const readsPerSecond = 10;
/** Milliseconds: what is in view and changes all the time is shown at least twice a second. */
const longestGap = 500;
/** Bytes. */
const memoryAbove = 20_000_000;

/** Resolves with whether every gate holds. */
export async function run() {
  await buildForBench();
  await compileTests('server');
  console.log(`Storm: ${seconds} s idle and two storms of ${seconds} s, over stdio and over HTTP …`);
  const host = new BenchHost();
  try {
    await host.start({ MCP_RESOURCES_BENCH_SECONDS: String(seconds), MCP_RESOURCES_TEST_ROOT: process.cwd() });
    const result = await host.run('stormWindow', 240_000);
    return print(result.runs, host.version);
  } finally {
    await host.stop();
  }
}

/**
 * @param {import('./stormWindow').StormRun[]} runs
 * @param {string} version
 */
function print(runs, version) {
  const load = Math.round(loadavg()[0] * 100) / 100;
  let good = true;
  for (const run of runs) {
    console.log(['', ...table(run, version), ''].join('\n'));
    for (const [gate, holds] of gatesOf(run)) {
      console.log(`${holds ? 'PASS' : 'FAIL'}  ${gate}`);
      good &&= holds;
    }
  }
  console.log(`\nload of the machine: ${load}`);
  console.log(JSON.stringify({ bench: 'storm', version, load, runs, good }));
  return good;
}

/**
 * @param {import('./stormWindow').StormRun} run
 * @param {string} version
 */
function table({ server, era, told, seconds, idle, storm, tasks, store, shown, hidden, reads }, version) {
  const ms = (/** @type {number} */ value) => value.toFixed(1);
  const delays = (/** @type {typeof idle} */ { p50, p99, max, starved }) => [
    ...[p50, p99, max].map(ms),
    `${(starved * 100).toFixed(0)} %`,
  ];
  return [
    `${server}, ${era} era, VS Code ${version}: ${told} notifications in ${seconds.toFixed(1)} s, ${reads} reads`,
    '',
    row('delay of the event loop, ms', ['p50', 'p99', 'longest', 'no processor']),
    row('idle', delays(idle)),
    row('storm', delays(storm)),
    '',
    row('documents that change', ['longest gap, ms', 'least changes']),
    row('in the store', [ms(store.longestGap), String(store.least)]),
    row('in the editor', [ms(shown.longestGap), String(shown.least)]),
    row('not in view', [ms(hidden.longestGap), String(hidden.least)]),
    '',
    ...tasks.map((task) => `a task of ours: ${ms(task.ms)} ms (${ms(task.wallMs)} by the clock): ${task.where}`),
  ];
}

/**
 * @param {import('./stormWindow').StormRun} run
 * @returns {[string, boolean][]}
 */
function gatesOf({ told, seconds: took, idle, storm, tasks, mostReads, store, shown, ends, before, after }) {
  const task = tasks[0]?.ms ?? 0;
  const delay = storm.p99 - idle.p99;
  const megabytes = (after - before) / 1e6;
  const ended = ends
    .map(({ right, wrong }) => (right === null ? `never, ${wrong.join('; ')}` : `${right.toFixed(0)} ms`))
    .join(' and ');
  return [
    [`1,000 notifications a second: ${told} in ${took.toFixed(1)} s`, told === 1000 * seconds && took < seconds * 1.1],
    [`our longest task: ${task.toFixed(1)} ms (at most ${longestTask})`, task <= longestTask],
    [`loop delay p99: ${delay.toFixed(1)} ms above idle (at most ${delayAboveIdle})`, delay <= delayAboveIdle],
    [`reads of a document in a second: ${mostReads} (at most ${readsPerSecond})`, mostReads <= readsPerSecond],
    [
      `no change in the store for ${store.longestGap.toFixed(0)} ms (at most ${longestGap})`,
      store.longestGap <= longestGap,
    ],
    [
      `no change in the editor for ${shown.longestGap.toFixed(0)} ms (at most ${longestGap})`,
      shown.longestGap <= longestGap,
    ],
    [`the last texts are there after the storms: ${ended}`, ends.every(({ right }) => right !== null)],
    [`memory: ${megabytes.toFixed(1)} MB more (at most ${memoryAbove / 1e6})`, after - before <= memoryAbove],
  ];
}
