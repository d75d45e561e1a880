import assert from 'node:assert/strict';
import { locations } from '../../../src/config/locations';
import { mergeDefinitions } from '../../../src/config/merge';
import { readLocations } from '../../../src/config/readLocations';
import { isOfWorkspace } from '../../../src/config/serverDefinition';

/** Ids and sources of what the setting says: `own` in the user's settings, `merged` with the workspace's. */
async function fromSetting(own: unknown, merged: unknown): Promise<string[]> {
  const places = locations({ folders: [], multiRoot: false, userFile: undefined, workspaceSetting: true });
  const read = await readLocations(places, { own, merged }, new AbortController().signal);
  return mergeDefinitions(read).map(
    ({ id, source, shadows, error }) =>
      `${id}: ${isOfWorkspace(source) ? 'workspace' : 'own'}, ${shadows.length}${error === undefined ? '' : ', error'}`,
  );
}

describe('the setting of user and workspace', () => {
  const a = { command: 'a', args: ['1'], env: { x: '1', y: '2' } };

  it('X4: what is the user’s own stays so, and what the workspace adds or changes is the workspace’s', async () => {
    const own = { a, b: a };
    const merged = { a: { env: { y: '2', x: '1' }, args: ['1'], command: 'a' }, b: { ...a, args: ['2'] }, c: a };
    assert.deepEqual(await fromSetting(own, merged), ['b: workspace, 1', 'c: workspace, 0', 'a: own, 0']);
  });

  it('X4: a name that every object has is no entry of the user’s', async () => {
    assert.deepEqual(await fromSetting({}, { constructor: a, toString: a }), [
      'constructor: workspace, 0',
      'toString: workspace, 0',
    ]);
  });

  it('a workspace’s value that is no object costs the user’s own servers nothing', async () => {
    const broken = 'workspace setting mcpResources.servers: workspace, 0, error';
    assert.deepEqual(await fromSetting({ a }, 'x'), [broken, 'a: own, 0']);
  });
});
