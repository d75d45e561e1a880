import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runMochaSuite } from '../host/mochaSuite';

const testTimeoutMs = 30_000;

/** What VS Code calls in the extension host: runs the test files that belong to this kind of window. */
export async function run(): Promise<void> {
  const window = required('MCP_RESOURCES_TEST_WINDOW');
  const compiled = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.js'),
  );
  const failures = await runMochaSuite({
    files: compiled.filter((file) => windowOf(file) === window).map((file) => path.join(__dirname, file)),
    reportFile: required('MCP_RESOURCES_TEST_REPORT'),
    timeout: testTimeoutMs,
    grep: process.env.MCP_RESOURCES_TEST_GREP,
    esm: false,
  });
  if (failures > 0) {
    throw new Error(`${failures} failed`);
  }
}

/** The window that a file's tests run in: a top folder named `…Window` has one of its own, all others share `main`. */
function windowOf(file: string): string {
  const top = file.split(path.sep)[0] ?? '';
  return top.endsWith('Window') ? top : 'main';
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start the tests by test/host.`);
  }
  return value;
}
