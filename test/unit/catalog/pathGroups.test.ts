import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Slices } from '../../../src/base/slices';
import { pathLevel } from '../../../src/catalog/pathGroups';
import type { ResourceEntry } from '../../../src/connection/wire';

const entriesOf = (uris: readonly string[]): ResourceEntry[] => uris.map((uri) => ({ uri, name: uri }));
const level = async (uris: readonly string[], prefix = '') => {
  const { groups, entries } = await pathLevel(entriesOf(uris), prefix, new Slices());
  return {
    groups: groups.map(({ label, prefix: at, entries: { length } }) => [label, at, length]),
    entries: entries.map(({ uri }) => uri),
  };
};

describe('pathLevel', () => {
  it('makes folders of the parts of URIs; scheme and authority are one part', async () => {
    assert.deepEqual(await level(['docs://api/users/a', 'docs://api/orders/b', 'memo:today', 'docs://other/x']), {
      groups: [
        ['docs://api', 'docs://api/', 2],
        ['memo:', 'memo:', 1],
        ['docs://other', 'docs://other/', 1],
      ],
      entries: [],
    });
  });

  it('folders with nothing but one folder in them are one', async () => {
    assert.deepEqual(await level(['a://h/x/y/1', 'a://h/x/y/2']), {
      groups: [['a://h/x/y', 'a://h/x/y/', 2]],
      entries: [],
    });
  });

  it('V11: a resource that is also the folder of others stays beside the folder, and both can be opened', async () => {
    assert.deepEqual(await level(['a://h/x', 'a://h/x/y'], 'a://h/'), {
      groups: [['x', 'a://h/x/', 1]],
      entries: ['a://h/x'],
    });
  });

  it('a query, a fragment and a slash at the end make no folder', async () => {
    assert.deepEqual(await level(['a://h/p?q=1/2', 'a://h/p#f/g', 'a://h/d/'], 'a://h/'), {
      groups: [],
      entries: ['a://h/p?q=1/2', 'a://h/p#f/g', 'a://h/d/'],
    });
  });

  it('loses nothing, whatever the URIs are: every entry is reached once', async () => {
    const part = fc.constantFrom('a', 'b', '', '?', '#', ':', '%2F', 'é', '//');
    const uri = fc.array(part, { maxLength: 8 }).map((parts) => `x:${parts.join('/')}`);
    const all = async (entries: readonly ResourceEntry[], prefix: string): Promise<ResourceEntry[]> => {
      const { groups, entries: direct } = await pathLevel(entries, prefix, new Slices());
      assert.ok(groups.every((group) => group.prefix.length > prefix.length));
      const below = await Promise.all(groups.map((group) => all(group.entries, group.prefix)));
      return [...direct, ...below.flat()];
    };
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(uri, { maxLength: 30 }), async (uris) => {
        const reached = (await all(entriesOf(uris), '')).map((entry) => entry.uri);
        assert.deepEqual([...reached].sort(), [...uris].sort());
      }),
    );
  });

  it('folders of thousands of parts are one as fast as their URIs are read', async function () {
    this.timeout(3000);
    const deep = `x://h/${'a/'.repeat(5000)}`;
    const { groups } = await pathLevel(
      entriesOf(Array.from({ length: 300 }, (_, index) => `${deep}${index}`)),
      '',
      new Slices(),
    );
    assert.equal(groups[0]?.prefix, deep);
  });
});
