// `npm run bench -- read`: opening a resource through VS Code's file service beside a bare read by the SDK's client.
import { loadavg } from 'node:os';
import { BenchHost, buildForBench } from './benchHost.mjs';
import { median, row } from './numbers.mjs';

/** The cache's default bound, and what may come on top of it. Bytes. */
const memoryLimit = 64_000_000 + 50_000_000;

/**
 * Resolves with whether the requests, the memory and our own work are within their limits.
 * @param {{ rounds?: number }} options
 */
export async function run({ rounds = 15 }) {
  await buildForBench();
  const { compileTests } = await import('../host/compileTests.mjs');
  await compileTests('server');
  console.log(`Reading: ${rounds} openings of each size by turns …`);
  const host = new BenchHost();
  try {
    await host.start({ MCP_RESOURCES_BENCH_ROUNDS: String(rounds), MCP_RESOURCES_TEST_ROOT: process.cwd() });
    /** @type {import('./readWindow').ReadResult} */
    const result = await host.run('readWindow', 300_000);
    return print(result, host.version);
  } finally {
    await host.stop();
  }
}

/**
 * @param {import('./readWindow').ReadResult} result
 * @param {string} version
 */
function print({ times, coldRequests, cachedRequests, retained }, version) {
  const table = Object.entries(times).map(([size, { bare, cold, cached, bareCpu, coldCpu }]) => {
    const [bareMs, coldMs, cachedMs] = [median(bare), median(cold), median(cached)];
    return { size, bareMs, coldMs, cachedMs, ownCpu: (median(coldCpu) - median(bareCpu)) / bareMs };
  });
  const number = (/** @type {number} */ value) => value.toFixed(2);
  const megabyte = table.find(({ size }) => size === '1 MB');
  const good = coldRequests === 1 && cachedRequests === 0 && retained < memoryLimit && (megabyte?.ownCpu ?? 1) < 0.15;
  console.log(
    [
      '',
      row(`VS Code ${version}, medians, ms`, ['bare', 'cold', 'cold / bare', 'cached', 'own work / bare']),
      ...table.map(({ size, bareMs, coldMs, cachedMs, ownCpu }) =>
        row(size, [bareMs, coldMs, coldMs / bareMs, cachedMs, ownCpu].map(number)),
      ),
      '',
      `Requests per opening: ${coldRequests} cold, ${cachedRequests} fresh.`,
      `Kept after 200 resources of 1 MB: ${(retained / 1e6).toFixed(1)} MB (limit ${memoryLimit / 1e6} MB).`,
      JSON.stringify({
        bench: 'read',
        version,
        load: loadavg()[0],
        table,
        coldRequests,
        cachedRequests,
        retained,
        good,
      }),
    ].join('\n'),
  );
  return good;
}
