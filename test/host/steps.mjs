// The steps of the test command. Each gives a result; the static checks count as one test each.
import path from 'node:path';
import { runConformance } from '../conformance/run.mjs';
import { installPublishedServers } from '../server/published/install.mjs';
import { root } from './bootstrap.mjs';
import { findChromium } from './chromium.mjs';
import { runCommand } from './command.mjs';
import { compileTests, filesUnder } from './compileTests.mjs';
import { hostVersions, installHost } from './install.mjs';
import { inLane } from './lanes.mjs';
import { runNodeTests } from './nodeTests.mjs';
import { packageExtension, vsixFile } from './package.mjs';
import { Host } from './server.mjs';
import { sumOf } from './testReport.mjs';

const minute = 60_000;

/**
 * @typedef {import('./testReport.mjs').TestResult} TestResult
 * @typedef {{ version: string, grep: string | undefined }} StepOptions
 * @typedef {'format' | 'lint' | 'types' | 'unit' | 'build' | 'protocol' | 'conformance' | 'editor' | 'freeScheme' | 'page' | 'oldHost'} StepName
 * @typedef {object} Step
 * @property {string} title
 * @property {StepName} [needs] A step without which this one makes no sense.
 * @property {string} [version] The host's, where the step has one of its own.
 * @property {(options: StepOptions) => Promise<TestResult>} run
 */

/** @type {Record<StepName, Step>} */
export const steps = {
  format: {
    title: 'format',
    run: () => check('node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']),
  },
  lint: {
    title: 'lint',
    run: () => check('node_modules/eslint/bin/eslint.js', ['--max-warnings=0', '.']),
  },
  types: {
    title: 'types',
    run: () => check('node_modules/typescript/bin/tsc', ['--noEmit', '--pretty', 'false']),
  },
  unit: {
    title: 'unit tests',
    run: async ({ grep }) =>
      runNodeTests({ files: await compileTests('unit'), timeout: 10_000, limitMs: 5 * minute, grep }),
  },
  protocol: {
    title: 'protocol tests',
    run: async ({ grep }) => {
      await installPublishedServers();
      await compileTests('server');
      const files = await compileTests('protocol');
      // Few enough that starting a process for each costs little, and enough that no lane is left alone with much.
      const portions = Array.from({ length: 9 }, (_, part) => files.filter((_file, index) => index % 9 === part));
      const run = (/** @type {string[]} */ some) =>
        runNodeTests({ files: some, timeout: 30_000, limitMs: 10 * minute, grep });
      return sumOf(await Promise.all(portions.map((some) => inLane(() => run(some)))));
    },
  },
  conformance: {
    title: 'conformance suite of the protocol',
    run: runConformance,
  },
  build: {
    title: 'build',
    run: async () => {
      await packageExtension();
      return { passed: 1, failures: [], skipped: [] };
    },
  },
  editor: {
    title: 'editor tests',
    needs: 'build',
    run: (options) => editorTests(options, false),
  },
  freeScheme: {
    title: 'editor tests where VS Code leaves the scheme mcp-resource to us',
    needs: 'build',
    run: (options) => editorTests(options, true),
  },
  page: {
    title: 'page tests',
    needs: 'build',
    run: pageTests,
  },
  oldHost: {
    title: 'editor tests',
    needs: 'build',
    version: hostVersions[1],
    run: (options) => editorTests(options, false),
  },
};

/**
 * The package is installed once: the windows get copies of what came of it.
 * @param {StepOptions} options
 */
async function pageTests({ grep, version }) {
  installHost(version);
  findChromium();
  await installPublishedServers();
  await compileTests('server');
  const installed = new Host({ version });
  try {
    installed.install(vsixFile);
    const env = { MCP_RESOURCES_TEST_VERSION: version, MCP_RESOURCES_TEST_EXTENSIONS: installed.extensionsDir };
    const run = (/** @type {string} */ file) =>
      runNodeTests({ files: [file], esm: true, timeout: 60_000, limitMs: 10 * minute, grep, env });
    const files = filesUnder('test/page').filter((file) => file.endsWith('.test.mjs'));
    // Windows make them last longer than their process: file by file, neither lane waits long for the other in the end.
    return sumOf(await Promise.all(files.map((file) => inLane(() => run(path.join(root, 'test/page', file))))));
  } finally {
    await installed.stop();
  }
}

/**
 * @param {StepOptions} options
 * @param {boolean} freeScheme
 */
async function editorTests({ version, grep }, freeScheme) {
  // Imported late: it needs dependencies that may not be installed when this file is read.
  const { runExtensionTests } = await import('./extensionTests.mjs');
  return runExtensionTests({ version, grep, freeScheme });
}

/**
 * @param {string} program A JavaScript file.
 * @param {string[]} args
 * @returns {Promise<TestResult>}
 */
async function check(program, args) {
  const { code, output } = await runCommand(process.execPath, [program, ...args], { limitMs: 5 * minute });
  if (code === 0) {
    return { passed: 1, failures: [], skipped: [] };
  }
  const detail = code === undefined ? `did not end within 5 minutes\n${output}` : output;
  return { passed: 0, failures: [{ title: path.basename(program), detail: detail.trim() }], skipped: [] };
}
