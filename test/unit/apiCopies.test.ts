import assert from 'node:assert/strict';
import { apiCopies, copyOfResource, copyOfTemplate } from '../../src/apiCopies';
import type { ResourceEntry } from '../../src/connection/wire';

describe('apiCopies', () => {
  const entry: ResourceEntry = {
    uri: 'a:b',
    name: 'a',
    size: 1,
    annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
    icons: [{ src: 'data:,' }],
  };

  it('whatever is done to a copy changes nothing of ours', async () => {
    const [copy] = await apiCopies([entry], copyOfResource);
    const { icons, ...shown } = structuredClone(entry);
    assert.equal(icons?.length, 1);
    assert.deepEqual(JSON.parse(JSON.stringify(copy)), shown);
    const { annotations } = copy as unknown as { annotations: { audience: string[]; priority: number } };
    annotations.audience.push('assistant');
    annotations.priority = 1;
    Object.assign(copy!, { uri: 'x:y' });
    assert.deepEqual(entry.annotations, shown.annotations);
    assert.equal(entry.uri, 'a:b');
  });

  it('copies templates', async () => {
    const template = { uriTemplate: 'a:{b}', name: 'b', title: 'B' };
    const copies = await apiCopies([template], copyOfTemplate);
    assert.deepEqual(JSON.parse(JSON.stringify(copies)), [template]);
    assert.notEqual(copies[0], template);
  });

  it('gives way to other work', async () => {
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const copies = await apiCopies(
      Array.from({ length: 200_000 }, () => entry),
      copyOfResource,
    );
    done = true;
    assert.equal(copies.length, 200_000);
    assert.ok(turns > 1, `${turns} turns of the event loop`);
  });
});
