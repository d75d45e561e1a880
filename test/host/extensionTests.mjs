// Runs the editor suite (`test/editor`) inside the extension host of a real VS Code.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launchBrowser, newPage } from './browser.mjs';
import { prepareEditorSuite, suiteEnvironment } from './editorSuite.mjs';
import { freeTheScheme } from './freeScheme.mjs';
import { inLane } from './lanes.mjs';
import { startPageDriver } from './pageDriver.mjs';
import { Host } from './server.mjs';
import { readReport, sumOf } from './testReport.mjs';
import { Workbench } from './workbench.mjs';
import { copyWorkspace } from './workspace.mjs';

/**
 * @typedef {object} SuiteOptions
 * @property {string} [version] One of `hostVersions`.
 * @property {string} [grep]
 * @property {boolean} [freeScheme] Whether VS Code leaves the scheme `mcp-resource` to us; only the main window is run then.
 * @property {number} [limitMs] What the tests of one window may take together.
 *
 * @typedef {Required<Pick<SuiteOptions, 'freeScheme' | 'limitMs'>> & SuiteOptions} FullOptions
 */

/**
 * Runs the tests of every kind of window.
 * @param {SuiteOptions} [options]
 * @returns {Promise<import('./testReport.mjs').TestResult>}
 */
export async function runExtensionTests(options = {}) {
  const suite = await prepareEditorSuite();
  const windows = suite.windows.filter((window) => !options.freeScheme || window.name === 'main');
  const full = { freeScheme: false, limitMs: 10 * 60_000, ...options };
  return sumOf(await Promise.all(windows.map((window) => inLane(() => runWindow(suite, window, full)))));
}

/**
 * @param {import('./editorSuite.mjs').EditorSuite} suite
 * @param {import('./editorSuite.mjs').EditorWindow} window
 * @param {FullOptions} options
 */
async function runWindow(suite, window, options) {
  const host = new Host({ version: options.version, settings: window.settings, testDriver: true });
  const browser = await launchBrowser();
  const page = await newPage(browser);
  const workbench = new Workbench(page);
  const driver = await startPageDriver(workbench);
  try {
    const workspace = copyWorkspace(window.workspace, host.folder);
    const reportFile = path.join(host.folder, 'report.jsonl');
    await host.start({
      ...suiteEnvironment({ window: window.name, reportFile, workspace, version: host.version, grep: options.grep }),
      MCP_RESOURCES_TEST_USER_DIR: host.userDir,
      MCP_RESOURCES_TEST_PAGE: driver.url,
      MCP_RESOURCES_TEST_FREE_SCHEME: options.freeScheme ? '1' : '0',
    });
    if (options.freeScheme) {
      await freeTheScheme(page, host);
    }
    const outcome = observe(page, options.limitMs);
    await workbench.open(host.url({ ...workspace.window, payload: payloadFor(host, suite) }));
    const broken = await outcome.end;
    return resultOf(
      reportFile,
      window.name,
      `${broken ?? 'the tests ended early'}\n${outcome.console()}\n${host.log()}`,
    );
  } finally {
    driver.close();
    await browser.close();
    await host.stop();
  }
}

/**
 * What makes the window load the extensions under development and run the suite.
 * @param {Host} host
 * @param {import('./editorSuite.mjs').EditorSuite} suite
 * @returns {[string, string][]}
 */
function payloadFor(host, suite) {
  return [
    .../** @type {[string, string][]} */ (
      suite.extensions.map((folder) => ['extensionDevelopmentPath', host.remoteUri(folder)])
    ),
    ['extensionTestsPath', host.remoteUri(suite.entry)],
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
}

/**
 * Watches for the end of the run: `end` resolves with what broke it, or with undefined when the extension host came to
 * its end by itself.
 * @param {import('playwright-core').Page} page
 * @param {number} limitMs
 */
function observe(page, limitMs) {
  /** @type {string[]} */
  const lines = [];
  /** @type {Promise<string | undefined>} */
  const end = new Promise((resolve) => {
    // VS Code calls these two functions of the page when it runs tests.
    void page.exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown} */ args) => {
      const line = `[${type}] ${Array.isArray(args) ? args.join(' ') : String(args)}`;
      // The host's native modules are left unbuilt on purpose.
      if (type === 'error' && !line.includes('Could not locate the bindings file')) lines.push(line.slice(0, 500));
    });
    void page.exposeFunction('codeAutomationExit', () => resolve(undefined));
    page.once('crash', () => resolve('the page crashed'));
    void delay(limitMs, undefined, { ref: false }).then(() => resolve(`no end within ${limitMs / 1000} s`));
  });
  return { end, console: () => lines.slice(-20).join('\n') };
}

/**
 * @param {string} reportFile
 * @param {string} window
 * @param {string} circumstances
 */
function resultOf(reportFile, window, circumstances) {
  const { result, ended, running } = readReport(reportFile);
  if (!ended) {
    const during = running === undefined ? 'before the first test' : `during “${running}”`;
    result.failures.push({ title: `window ${window}`, detail: `It broke off ${during}: ${circumstances}` });
  }
  return result;
}
