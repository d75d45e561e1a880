// Runs the client scenarios of the protocol's conformance suite, each as a test, through our connection layer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../host/command.mjs';
import { compileDriver } from '../host/compileTests.mjs';
import { installHost } from '../host/install.mjs';
import { installConformance } from './install.mjs';
import { leftOut } from './leftOut.mjs';

/** The newest version of each protocol family. */
const newest = ['2025-11-25', '2026-07-28'];
/** Each starts a server and a client of its own, which would wait for each other if all began at once. */
const atOnce = 2;
const limitMs = 90_000;

/**
 * @typedef {{ name: string, version: string | undefined }} Run `version`: of the protocol; absent: the scenario's own.
 * @param {{ grep: string | undefined }} options
 * @returns {Promise<import('../host/testReport.mjs').TestResult>}
 */
export async function runConformance({ grep }) {
  // The suite needs a newer Node than the repository does.
  const { node } = installHost();
  const suite = installConformance();
  const driver = await compileDriver();
  const scenarios = await scenariosOf(node, suite);
  const unknown = Object.keys(leftOut).filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (scenarios.length === 0 || unknown.length > 0) {
    throw new Error(`The suite has no such scenarios: ${unknown.join(', ') || 'none at all'}.`);
  }
  const wanted = grep === undefined ? scenarios : scenarios.filter(({ name }) => new RegExp(grep).test(name));
  const runs = wanted.filter(({ name }) => !Object.hasOwn(leftOut, name)).flatMap(runsOf);
  const out = mkdtempSync(path.join(tmpdir(), 'mcp-conformance-'));
  /** @type {import('../host/testReport.mjs').TestResult} */
  const result = { passed: 0, failures: [], skipped: [] };
  try {
    const pending = [...runs];
    const work = async () => {
      for (let run = pending.shift(); run; run = pending.shift()) {
        const detail = await failureOf(run, { node, suite, driver, out });
        if (detail === undefined) result.passed++;
        else result.failures.push({ title: titleOf(run), detail });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  const skipped = wanted.flatMap(({ name }) => (leftOut[name] === undefined ? [] : `${name}: ${leftOut[name]}`));
  if (skipped.length > 0) console.log(`   Not run:\n${skipped.map((line) => `   - ${line}`).join('\n')}`);
  return result;
}

/**
 * What the suite lists: `  - auth/basic-cimd [2025-11-25,2026-07-28]`.
 * @param {string} node
 * @param {string} suite
 */
async function scenariosOf(node, suite) {
  const { output } = await runCommand(node, [suite, 'list', '--client'], { limitMs });
  return [...output.matchAll(/^ +- (\S+) \[(.*)\]$/gm)].map(([, name = '', versions = '']) => ({
    name,
    versions: versions.split(','),
  }));
}

/**
 * A scenario is run once for each family that it is about.
 * @param {{ name: string, versions: string[] }} scenario
 * @returns {Run[]}
 */
function runsOf({ name, versions }) {
  const both = newest.filter((version) => versions.includes(version));
  return both.length > 0 ? both.map((version) => ({ name, version })) : [{ name, version: undefined }];
}

/** @param {Run} run */
const titleOf = ({ name, version }) => [name, version].filter(Boolean).join(', ');

/**
 * What was wrong; `undefined` when all was well.
 * @param {Run} run
 * @param {{ node: string, suite: string, driver: string, out: string }} where
 */
async function failureOf({ name, version }, { node, suite, driver, out }) {
  const command = `"${process.execPath}" "${driver}"`;
  const versionArgs = version === undefined ? [] : ['--spec-version', version];
  const args = ['client', '--command', command, '--scenario', name, ...versionArgs, '-o', out];
  const { code, output } = await runCommand(node, [suite, ...args], { limitMs, cwd: out });
  // A scenario outside of its versions is "skipped" with code 0: no success.
  const passed = code === 0 && /OVERALL: PASSED/.test(output) && !/ [1-9]\d* warnings/.test(output);
  return passed ? undefined : output.trim().slice(-6000);
}
