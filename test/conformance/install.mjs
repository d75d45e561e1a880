// Installs the protocol's conformance suite into the git-ignored `.conformance/`.
import path from 'node:path';
import { root } from '../host/bootstrap.mjs';
import { installLocked } from '../host/installLocked.mjs';

/** @returns {string} The suite's program. */
export function installConformance() {
  const modules = installLocked({
    from: path.join(root, 'test/conformance'),
    target: path.join(root, '.conformance'),
    what: 'the conformance suite',
  });
  return path.join(modules, '@modelcontextprotocol/conformance/dist/index.js');
}
