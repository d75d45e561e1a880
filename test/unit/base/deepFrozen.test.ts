import assert from 'node:assert/strict';
import { deepFrozen } from '../../../src/base/deepFrozen';

describe('deepFrozen', () => {
  const item = { uri: 'a:b', size: 1, nothing: null, annotations: { audience: ['user'], deep: [{ x: [1, 2] }] } };

  it('gives the same objects, of which nothing can be changed any more', async () => {
    const list = [item];
    const frozen = await deepFrozen(list);
    assert.notEqual(frozen, list);
    assert.equal(frozen[0], item);
    assert.throws(() => (item.size = 2), TypeError);
    assert.throws(() => item.annotations.audience.push('assistant'), TypeError);
    assert.throws(() => (item.annotations.deep[0]!.x[0] = 3), TypeError);
  });

  it('gives way to other work', async () => {
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const frozen = await deepFrozen(Array.from({ length: 100_000 }, () => ({ ...item })));
    done = true;
    assert.equal(frozen.length, 100_000);
    assert.ok(turns > 1, `${turns} turns of the event loop`);
  });
});
