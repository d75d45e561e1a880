// `npm run test:desktop`: the editor suite in a desktop VS Code, where one can be downloaded.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atExit } from './atExit.mjs';
import { ensureDependencies, giveUp, npm, root } from './bootstrap.mjs';
import { prepareEditorSuite, suiteEnvironment } from './editorSuite.mjs';
import { hostVersions } from './install.mjs';
import { packageExtension } from './package.mjs';
import { quietSettings } from './quietSettings.mjs';
import { readReport, sumOf } from './testReport.mjs';
import { copyWorkspace } from './workspace.mjs';

const version = hostVersions[0];
const folder = path.join(root, '.host/desktop');

/**
 * `@vscode/test-electron` as its lock file says. It is not a dependency of the repository, as few machines can use it.
 * @returns {import('@vscode/test-electron')}
 */
function loadTestElectron() {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(root, 'test/host/locks/desktop'), folder, { recursive: true });
  npm(['ci', '--ignore-scripts'], folder);
  return createRequire(path.join(folder, 'package.json'))('@vscode/test-electron');
}

/** @param {import('@vscode/test-electron')} testElectron */
async function download(testElectron) {
  try {
    return await testElectron.downloadAndUnzipVSCode({ version, cachePath: path.join(folder, 'builds') });
  } catch (error) {
    throw new Error(
      `VS Code ${version} for the desktop could not be downloaded: ${/** @type {Error} */ (error).message}\n` +
        'Its download host must be reachable for this. `npm test` runs the same suite in a served VS Code instead.',
      { cause: error },
    );
  }
}

/**
 * @param {import('@vscode/test-electron')} testElectron
 * @param {string} executable
 * @param {import('./editorSuite.mjs').EditorSuite} suite
 * @param {import('./editorSuite.mjs').EditorWindow} window
 */
async function runWindow(testElectron, executable, suite, window) {
  // Short, since VS Code puts a socket into it and the length of a socket's path is limited.
  const temporary = mkdtempSync(path.join(tmpdir(), 'mcp-desktop-'));
  const remove = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
  const forget = atExit(remove);
  try {
    const workspace = copyWorkspace(window.workspace, temporary);
    const userDir = path.join(temporary, 'data/User');
    mkdirSync(userDir, { recursive: true });
    writeFileSync(path.join(userDir, 'settings.json'), JSON.stringify({ ...quietSettings, ...window.settings }));
    const reportFile = path.join(temporary, 'report.jsonl');
    await testElectron
      .runTests({
        vscodeExecutablePath: executable,
        extensionDevelopmentPath: suite.extensions,
        extensionTestsPath: suite.entry,
        extensionTestsEnv: {
          ...suiteEnvironment({ window: window.name, reportFile, workspace, version }),
          MCP_RESOURCES_TEST_USER_DIR: userDir,
        },
        launchArgs: [
          Object.values(workspace.window)[0],
          `--user-data-dir=${path.join(temporary, 'data')}`,
          `--extensions-dir=${path.join(temporary, 'extensions')}`,
          '--disable-gpu',
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        ],
      })
      // Which tests failed is in the report; the rejection says only that some did.
      .catch(() => undefined);
    const { result, ended } = readReport(reportFile);
    if (!ended) {
      result.failures.push({
        title: `window ${window.name}`,
        detail: 'The extension host ended before its tests did.',
      });
    }
    return result;
  } finally {
    forget();
    remove();
  }
}

try {
  ensureDependencies();
  const testElectron = loadTestElectron();
  const executable = await download(testElectron);
  await packageExtension();
  const suite = await prepareEditorSuite();
  const results = [];
  for (const window of suite.windows) {
    results.push(await runWindow(testElectron, executable, suite, window));
  }
  const { passed, failures } = sumOf(results);
  failures.forEach(({ title, detail }) => console.log(`✗ ${title}\n${detail}\n`));
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} catch (error) {
  giveUp(error);
}
