// Workspaces that a window opens: always a fresh copy, so that no test leaves traces in the repository.
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

/**
 * @typedef {object} Workspace
 * @property {string} folder The copy.
 * @property {{ folder: string } | { workspace: string }} window What `Host.url` takes to open it.
 */

/**
 * Copies `test/workspace/<name>`. It opens as a folder, or as the `*.code-workspace` file at its top if there is one.
 * @param {string} name
 * @param {string} into A folder that exists.
 * @returns {Workspace}
 */
export function copyWorkspace(name, into) {
  const source = path.join(root, 'test/workspace', name);
  if (!existsSync(source)) {
    throw new Error(`There is no workspace test/workspace/${name}.`);
  }
  const folder = path.join(into, 'workspace', name);
  mkdirSync(path.dirname(folder), { recursive: true });
  cpSync(source, folder, { recursive: true });
  const multiRoot = readdirSync(folder).find((file) => file.endsWith('.code-workspace'));
  return { folder, window: multiRoot === undefined ? { folder } : { workspace: path.join(folder, multiRoot) } };
}
