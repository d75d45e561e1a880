// Compiles test files by esbuild: each by itself, with our sources bundled in and packages left outside.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

/** @typedef {'unit' | 'protocol' | 'editor' | 'server' | 'bench'} Kind */

/** @type {Map<Kind, Promise<string[]>>} */
const compiledKinds = new Map();

/**
 * Compiles `test/<kind>` to `dist-test/<kind>`, once: others may use it already. Gives the compiled test files.
 * @param {Kind} kind
 * @returns {Promise<string[]>}
 */
export function compileTests(kind) {
  const compiled = compiledKinds.get(kind) ?? compileKind(kind);
  compiledKinds.set(kind, compiled);
  return compiled;
}

/**
 * @param {Kind} kind
 * @returns {Promise<string[]>}
 */
async function compileKind(kind) {
  const isEntry = {
    unit: isTest,
    protocol: (/** @type {string} */ file) => isTest(file) || file === 'hostProcess.ts',
    editor: (/** @type {string} */ file) => isTest(file) || ['index.ts', 'helperExtension/extension.ts'].includes(file),
    // Which of them are programs is for those to know that start them.
    server: isSource,
    bench: isSource,
  }[kind];
  const sources = filesUnder(`test/${kind}`).filter(isEntry);
  const outdir = path.join(root, 'dist-test', kind);
  rmSync(outdir, { recursive: true, force: true });
  await compile(
    sources.map((file) => path.join(root, 'test', kind, file)),
    path.join(root, 'test', kind),
    outdir,
  );
  return sources.filter(isTest).map((file) => path.join(outdir, file.replace(/\.ts$/, '.js')));
}

/** @type {Promise<string> | undefined} */
let mochaMain;

/** Compiles the program that runs mocha in plain Node, once: others may run it already. Gives its path. */
export function compileMochaMain() {
  const folder = path.join(root, 'test/host');
  mochaMain ??= compile([path.join(folder, 'mochaMain.ts')], folder, path.join(root, 'dist-test/host')).then(() =>
    path.join(root, 'dist-test/host/mochaMain.js'),
  );
  return mochaMain;
}

/** Compiles the client of the conformance suite and gives its path. */
export async function compileDriver() {
  const folder = path.join(root, 'test/conformance');
  await compile([path.join(folder, 'driver.ts')], folder, path.join(root, 'dist-test/conformance'));
  return path.join(root, 'dist-test/conformance/driver.js');
}

/**
 * Files under a folder of the repository, relative to it; none when it does not exist.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesUnder(folder) {
  try {
    return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * @param {string[]} entryPoints
 * @param {string} outbase
 * @param {string} outdir
 */
async function compile(entryPoints, outbase, outdir) {
  // Imported late: this file is read before the dependencies are installed.
  const { build } = await import('esbuild');
  await build({
    entryPoints,
    outbase,
    outdir,
    bundle: true,
    packages: 'external',
    external: ['vscode'],
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'error',
  });
}

/** @param {string} file */
const isSource = (file) => file.endsWith('.ts') && !file.endsWith('.d.ts');

/** @param {string} file */
const isTest = (file) => file.endsWith('.test.ts');
