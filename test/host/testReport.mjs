// Reads what `mochaSuite.ts` writes.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ title: string, detail: string }} Failure
 * @typedef {{ passed: number, failures: Failure[], skipped: string[] }} TestResult
 */

/**
 * The result so far, whether the run came to its end, and the test that was begun last.
 * @param {string} file
 * @returns {{ result: TestResult, ended: boolean, running: string | undefined }}
 */
export function readReport(file) {
  /** @type {TestResult} */
  const result = { passed: 0, failures: [], skipped: [] };
  let ended = false;
  /** @type {string | undefined} */
  let running;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  // The last piece is empty, or a line still being written.
  for (const line of lines.slice(0, -1)) {
    /** @type {import('./mochaSuite').ReportEvent} */
    const entry = JSON.parse(line);
    if (entry.event === 'start') running = entry.title;
    if (entry.event === 'pass') result.passed++;
    if (entry.event === 'fail') result.failures.push({ title: entry.title, detail: entry.detail });
    if (entry.event === 'skip') result.skipped.push(entry.title);
    if (entry.event === 'end') ended = true;
  }
  return { result, ended, running };
}

/**
 * Adds results up.
 * @param {TestResult[]} results
 * @returns {TestResult}
 */
export function sumOf(results) {
  return {
    passed: results.reduce((sum, result) => sum + result.passed, 0),
    failures: results.flatMap((result) => result.failures),
    skipped: results.flatMap((result) => result.skipped),
  };
}
