// `npm run fault`: many seeds of the fault test. Needs nothing but Node; see `usage`.
import { parseArgs } from 'node:util';
import { ensureDependencies } from '../host/bootstrap.mjs';
import { compileTests } from '../host/compileTests.mjs';
import { runNodeTests } from '../host/nodeTests.mjs';

const usage = 'node test/fault/run.mjs [--seeds A-B] [--parallel N]';
const minute = 60_000;

/** @param {string[]} argv */
async function main(argv) {
  const { values } = parseArgs({
    args: argv,
    options: { seeds: { type: 'string', default: '1-500' }, parallel: { type: 'string', default: '8' } },
  });
  if (!/^\d+(-\d+)?$/.test(values.seeds) || !(Number(values.parallel) >= 1)) {
    throw new Error(`usage: ${usage}`);
  }
  ensureDependencies();
  await compileTests('server');
  const files = (await compileTests('protocol')).filter((file) => /[\\/]fault\.test\.js$/.test(file));
  const begun = Date.now();
  const { passed, failures } = await runNodeTests({
    files,
    timeout: minute,
    limitMs: 10 * minute,
    env: { MCP_FAULT_SEEDS: values.seeds, MCP_FAULT_PARALLEL: values.parallel },
  });
  for (const { title, detail } of failures) {
    console.log(`\n ✗ ${title}\n${detail.replace(/^/gm, '     ')}`);
  }
  const failing = failures.flatMap(({ title }) => /seed (\d+)/.exec(title)?.[1] ?? []);
  if (failing.length > 0) {
    console.log(`\nFailing seeds: ${failing.join(', ')}. To replay one:`);
    console.log(`  npm run fault -- --seeds ${failing[0]}`);
  }
  console.log(`\n${passed} passed, ${failures.length} failed · ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  return failures.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
