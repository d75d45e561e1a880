import assert from 'node:assert/strict';
import type { Memento } from '../../../src/base/memento';
import { RecentResources } from '../../../src/command/recentResources';

/** A memory that keeps JSON, as the editor's does. */
function memory(kept?: unknown): Memento & { kept: unknown } {
  return {
    kept,
    get() {
      return this.kept;
    },
    update(_key, value) {
      this.kept = JSON.parse(JSON.stringify(value)) as unknown;
      return Promise.resolve();
    },
  };
}

const ranks = (recent: RecentResources, serverId = 'one') => [...recent.of(serverId)];

describe('recently used resources', () => {
  it('the last used comes first, once, also after a restart', async () => {
    const kept = memory();
    const recent = new RecentResources(kept);
    for (const uri of ['a:1', 'a:2', 'a:3', 'a:1', 'a:1']) {
      await recent.use({ serverId: 'one', uri });
    }
    await recent.use({ serverId: 'two', uri: 'a:1' });
    const expected = [
      ['a:1', 1],
      ['a:3', 2],
      ['a:2', 3],
    ];
    assert.deepEqual(ranks(recent), expected);
    assert.deepEqual(ranks(new RecentResources(kept)), expected);
    assert.deepEqual(ranks(new RecentResources(kept), 'two'), [['a:1', 0]]);
    assert.deepEqual(ranks(recent, 'three'), []);
  });

  it('a hundred are kept', async () => {
    const kept = memory();
    const recent = new RecentResources(kept);
    for (let index = 0; index < 120; index += 1) {
      await recent.use({ serverId: 'one', uri: `a:${index}` });
    }
    assert.equal(recent.of('one').size, 100);
    assert.equal(recent.of('one').get('a:119'), 0);
    assert.equal(recent.of('one').get('a:20'), 99);
    assert.equal((kept.kept as unknown[]).length, 100);
  });

  it('what is remembered may be anything', () => {
    for (const kept of [null, 'x', {}, [1, null, 'x', '[]', '["one"]', '{"a":1}', '["one",2]']]) {
      assert.deepEqual(ranks(new RecentResources(memory(kept))), [], JSON.stringify(kept));
    }
  });

  it('a map that was handed out stays as it is', async () => {
    const recent = new RecentResources(memory(['["one","a:1"]']));
    const before = recent.of('one');
    assert.equal(recent.of('one'), before);
    await recent.use({ serverId: 'one', uri: 'a:2' });
    assert.deepEqual([...before], [['a:1', 0]]);
    assert.notEqual(recent.of('one'), before);
  });
});
