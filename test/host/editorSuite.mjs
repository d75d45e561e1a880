// What the editor suite consists of; the same for the served VS Code and for the desktop.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';
import { installPublishedServers } from '../server/published/install.mjs';
import { compileTests } from './compileTests.mjs';

const folder = path.join(root, 'test/editor');
const compiled = path.join(root, 'dist-test/editor');

/**
 * @typedef {object} EditorWindow A kind of window that tests run in.
 * @property {string} name `main`, or the name of a folder `test/editor/…Window`.
 * @property {string} workspace A folder of `test/workspace`.
 * @property {Record<string, unknown>} settings The user's.
 *
 * @typedef {object} EditorSuite
 * @property {string} entry The module that exports `run()`.
 * @property {string[]} extensions Folders of the extensions to load: ours, and the tests' helper.
 * @property {EditorWindow[]} windows
 */

/** @type {Promise<EditorSuite> | undefined} */
let suite;

/**
 * Compiles the suite with the servers and the helper extension that it uses, and installs the published servers; once, as
 * a window may run it already.
 * @returns {Promise<EditorSuite>}
 */
export function prepareEditorSuite() {
  suite ??= prepare();
  return suite;
}

/** @returns {Promise<EditorSuite>} */
async function prepare() {
  await installPublishedServers();
  await compileTests('server');
  const files = await compileTests('editor');
  const helper = 'helperExtension';
  cpSync(path.join(folder, helper, 'package.json'), path.join(compiled, helper, 'package.json'));
  const extensions = linkExtensions({ ours: root, helper: path.join(compiled, helper) });
  const names = ['main', ...readdirSync(folder).filter((name) => name.endsWith('Window'))];
  const inOwnWindow = (/** @type {string} */ file) =>
    path.relative(compiled, file).split(path.sep)[0]?.endsWith('Window');
  if (files.every(inOwnWindow)) {
    throw new Error('test/editor has no tests for the main window.');
  }
  return { entry: path.join(compiled, 'index'), extensions: [extensions], windows: names.map(readWindow) };
}

/**
 * One folder that leads to all extensions: of several development paths in an address only the last one counts.
 * @param {Record<string, string>} folders
 */
function linkExtensions(folders) {
  const links = path.join(root, 'dist-test/extensions');
  rmSync(links, { recursive: true, force: true });
  mkdirSync(links, { recursive: true });
  for (const [name, target] of Object.entries(folders)) {
    symlinkSync(target, path.join(links, name), 'junction');
  }
  return links;
}

/**
 * A window's folder says in `window.json` what is special about it: `workspace` and `settings`.
 * @param {string} name
 * @returns {EditorWindow}
 */
function readWindow(name) {
  const file = path.join(folder, name === 'main' ? '' : name, 'window.json');
  const special = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { name, workspace: 'main', settings: {}, ...special };
}

/**
 * The environment that tells the suite about itself.
 * @param {{ window: string, reportFile: string, workspace: import('./workspace.mjs').Workspace, version: string, grep?: string }} run
 * @returns {Record<string, string>}
 */
export function suiteEnvironment({ window, reportFile, workspace, version, grep }) {
  return {
    MCP_RESOURCES_TEST_ROOT: root,
    MCP_RESOURCES_TEST_WINDOW: window,
    MCP_RESOURCES_TEST_REPORT: reportFile,
    MCP_RESOURCES_TEST_WORKSPACE: workspace.folder,
    MCP_RESOURCES_TEST_VERSION: version,
    ...(grep === undefined ? {} : { MCP_RESOURCES_TEST_GREP: grep }),
  };
}
