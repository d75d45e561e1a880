import assert from 'node:assert/strict';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import * as vscode from 'vscode';
import type { McpResourcesApi } from '../../src/api';
import { extensionId } from '../../src/ids';
import { inertEditor, observed } from './observed';
import { api, Cleanup, configure, freshId, stdioServer } from './ours';

const folder = realpathSync(vscode.extensions.getExtension(extensionId)!.extensionPath);

const bundles = ['extension.js', 'sdk.js'].map((name) => ({ name, file: join(folder, 'dist', name) }));
/** Every bundle with the SDK in it has this: the SDK sends it with each request of 2026-07-28. */
const signOfSdk = 'io.modelcontextprotocol/clientInfo';

/** Which of our bundles this extension host has loaded. */
function loadedBundles(): string[] {
  return bundles.filter(({ file }) => file in require.cache).map(({ name }) => name);
}

/** Before the first test of the window: no server has been connected yet, in whichever order the files are run. */
let loadedAtStart: string[];
before(async () => {
  await api();
  loadedAtStart = loadedBundles();
});

describe('activation', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('loads no SDK: that comes with the first connection', async () => {
    const withSdk = bundles.filter(({ file }) => readFileSync(file, 'utf8').includes(signOfSdk));
    assert.deepEqual(
      withSdk.map(({ name }) => name),
      ['sdk.js'],
    );
    assert.deepEqual(loadedAtStart, ['extension.js']);
    const id = freshId();
    const ours = await configure({ [id]: cleanup.add(stdioServer({})).entry });
    await ours.connect(id);
    assert.deepEqual(loadedBundles(), ['extension.js', 'sdk.js']);
  });

  it('does no I/O before it returns', async () => {
    const calls: string[] = [];
    const returned = loadAgain(calls)({
      subscriptions: [],
      extensionPath: folder,
      extension: { packageJSON: { version: '0.0.0' } },
      globalStorageUri: { fsPath: join(folder, 'no', 'such', 'folder') },
      globalState: { get: () => undefined },
      workspaceState: { get: () => undefined },
    });
    assert.equal(calls.join(), '');
    assert.equal(returned.version, 1, 'it returned the API, not a promise of it');
    await returned.whenReady();
    assert.ok(
      calls.some((call) => call.startsWith('node:fs')),
      `the reading of the configuration is seen, in “${calls.join()}”`,
    );
  });
});

/** Runs the shipped bundle once more, in an editor where nothing happens, and gives its `activate`. */
function loadAgain(calls: string[]): (context: object) => McpResourcesApi {
  const file = join(folder, 'dist', 'extension.js');
  const module = { exports: {} as { activate: (context: object) => McpResourcesApi } };
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(readFileSync(file, 'utf8'), names) as (...values: unknown[]) => void;
  const requireOf = (name: string): unknown =>
    name === 'vscode' ? inertEditor : observed(name, (call) => calls.push(call));
  run(module.exports, requireOf, module, file, join(folder, 'dist'));
  return module.exports.activate;
}
