// Runs test files with mocha in a Node process of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from './command.mjs';
import { compileMochaMain } from './compileTests.mjs';
import { readReport } from './testReport.mjs';

/** How long the process may live on after its last test. */
const graceMs = 10_000;

/**
 * @param {{ files: string[], esm?: boolean, timeout: number, limitMs: number, grep?: string, env?: Record<string, string> }} options
 *   `timeout` is for one test, `limitMs` for all together.
 * @returns {Promise<import('./testReport.mjs').TestResult>}
 */
export async function runNodeTests({ files, esm = false, timeout, limitMs, grep, env }) {
  const main = await compileMochaMain();
  const folder = mkdtempSync(path.join(tmpdir(), 'mcp-resources-tests-'));
  const reportFile = path.join(folder, 'report.jsonl');
  /** @type {number | undefined} */
  let endedAt;
  let lingered = false;
  const stopIfLingering = (/** @type {() => void} */ stop) => {
    endedAt ??= readReport(reportFile).ended ? Date.now() : undefined;
    if (endedAt !== undefined && Date.now() - endedAt > graceMs) {
      lingered = true;
      stop();
    }
  };
  try {
    const argument = JSON.stringify({ files, esm, timeout, grep, reportFile });
    const { code, output } = await runCommand(process.execPath, [main, argument], {
      limitMs,
      env,
      watch: stopIfLingering,
    });
    const { result, ended, running } = readReport(reportFile);
    const last = running === undefined ? 'before the first test' : `during “${running}”`;
    if (lingered) {
      const detail = `The process stayed alive for ${graceMs / 1000} s after its last test: something was left open.`;
      result.failures.push({ title: 'end of the tests', detail });
    } else if (!ended) {
      const how = code === undefined ? `did not end within ${limitMs / 1000} s` : `ended with code ${code}`;
      result.failures.push({ title: 'test process', detail: `It ${how}, ${last}.\n${output.trim().slice(-4000)}` });
    }
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
