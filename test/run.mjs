// The one test command: `npm test`. Needs nothing but Node; see `usage` for the rest.
import { parseArgs } from 'node:util';
import { ensureDependencies, giveUp } from './host/bootstrap.mjs';
import { hostVersions } from './host/install.mjs';
import { steps } from './host/steps.mjs';
import { sumOf } from './host/testReport.mjs';

/** @typedef {import('./host/steps.mjs').StepName} StepName */

/** @type {StepName[]} */
const checks = ['format', 'lint', 'types', 'unit'];
/** @type {(StepName | StepName[])[]} */
const all = [checks, 'build', ['protocol', 'conformance'], 'editor', 'page'];

/**
 * Steps in their order; those of a list of their own run at the same time.
 * @type {Record<string, (StepName | StepName[])[]>}
 */
const modes = {
  all,
  ci: [...all, 'freeScheme', 'oldHost'],
  check: [checks],
  unit: ['unit'],
  protocol: ['build', 'protocol'],
  conformance: ['conformance'],
  editor: ['build', 'editor'],
  freeScheme: ['build', 'freeScheme'],
  page: ['build', 'page'],
};

const usage = `node test/run.mjs [${Object.keys(modes).join(' | ')}] [--host ${hostVersions.join(' | ')}] [--grep PATTERN]`;

/** @param {string[]} argv */
async function main(argv) {
  const { names, options } = readArguments(argv);
  ensureDependencies();
  const results = await runSteps(names, options);
  const { passed, failures, skipped } = sumOf([...results.values()]);
  if (skipped.length > 0) {
    console.log(`\nSkipped:\n${skipped.map((title) => `  - ${title}`).join('\n')}`);
  }
  if (failures.length > 0) {
    console.log('\nFailures again:');
    failures.forEach(printFailure);
  }
  console.log(`\n${passed} passed, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
}

/**
 * Runs every step, whatever became of the others.
 * @param {(StepName | StepName[])[]} names
 * @param {import('./host/steps.mjs').StepOptions} options
 */
async function runSteps(names, options) {
  /** @type {Map<StepName, import('./host/testReport.mjs').TestResult>} */
  const results = new Map();
  for (const together of names.map((name) => [name].flat())) {
    together.forEach((name) => console.log(`\n── ${headingOf(name, options)}`));
    await Promise.all(together.map((name) => runStep(name, options, results, together.length > 1)));
  }
  return results;
}

/**
 * @param {StepName} name
 * @param {import('./host/steps.mjs').StepOptions} options
 */
function headingOf(name, { version }) {
  const { title, needs, version: own } = steps[name];
  return needs ? `${title} (VS Code ${own ?? version})` : title;
}

/**
 * @param {StepName} name
 * @param {import('./host/steps.mjs').StepOptions} options
 * @param {Map<StepName, import('./host/testReport.mjs').TestResult>} results
 * @param {boolean} isNamed Others run beside it: what is said of it names it.
 */
async function runStep(name, options, results, isNamed) {
  const step = steps[name];
  const heading = headingOf(name, options);
  const begun = Date.now();
  const needed = step.needs && results.get(step.needs);
  const result =
    needed && needed.failures.length > 0
      ? failed('not run', `It needs the step ${step.needs}, which failed.`)
      : await step
          .run({ ...options, version: step.version ?? options.version })
          .catch((error) => failed('broke off', error.stack));
  if (result.passed + result.failures.length + result.skipped.length === 0 && options.grep === undefined) {
    result.failures.push({ title: 'nothing run', detail: 'No test was found.' });
  }
  results.set(name, result);
  // The same test may fail in several steps.
  result.failures = result.failures.map(({ title, detail }) => ({ title: `${heading}: ${title}`, detail }));
  result.failures.forEach(printFailure);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  const skipped = result.skipped.length > 0 ? `, ${result.skipped.length} skipped` : '';
  const whose = isNamed ? `${heading}: ` : '';
  console.log(`   ${whose}${result.passed} passed, ${result.failures.length} failed${skipped} · ${seconds} s`);
}

/**
 * @param {string} title
 * @param {string} detail
 * @returns {import('./host/testReport.mjs').TestResult}
 */
function failed(title, detail) {
  return { passed: 0, failures: [{ title, detail }], skipped: [] };
}

/** @param {import('./host/testReport.mjs').Failure} failure */
function printFailure({ title, detail }) {
  console.log(`\n ✗ ${title}\n${detail.replace(/^/gm, '     ')}\n`);
}

/** @param {string[]} argv */
function readArguments(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { host: { type: 'string', default: hostVersions[0] }, grep: { type: 'string' } },
  });
  const names = modes[positionals[0] ?? 'all'];
  if (positionals.length > 1 || names === undefined || !hostVersions.some((version) => version === values.host)) {
    throw new Error(`usage: ${usage}`);
  }
  return { names, options: { version: values.host, grep: values.grep } };
}

main(process.argv.slice(2)).then((code) => process.exit(code), giveUp);
