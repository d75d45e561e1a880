// `npm run bench`: measures, mostly in a real VS Code. Needs nothing but Node; see `usage` for the rest.
import { parseArgs } from 'node:util';
import { ensureDependencies } from '../host/bootstrap.mjs';

/** Name → file with a function `run(options)` that prints its findings and resolves with whether they are as they must be. */
const benches = {
  live: './live.mjs',
  read: './read.mjs',
  activation: './activation.mjs',
  storm: './storm.mjs',
  list: './list.mjs',
  start: './start.mjs',
};

const usage = `node test/bench/run.mjs [${Object.keys(benches).join(' | ')}] [--rounds N]`;

/** @param {string[]} argv */
async function main(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { rounds: { type: 'string' } },
  });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (positionals.some((name) => !(name in benches)) || (rounds !== undefined && !(rounds >= 1))) {
    throw new Error(`usage: ${usage}`);
  }
  ensureDependencies();
  const names = positionals.length > 0 ? positionals : Object.keys(benches);
  let good = true;
  for (const name of names) {
    // Imported late: it needs dependencies that may not be installed when this file is read.
    const { run } = await import(benches[/** @type {keyof typeof benches} */ (name)]);
    good = (await run({ rounds })) && good;
  }
  return good ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
