import assert from 'node:assert/strict';
import { plainCopies } from '../../../src/base/plainCopies';

describe('plainCopies', () => {
  const item = { uri: 'a:b', size: 1, nothing: null, annotations: { audience: ['user'], deep: [{ x: [1, 2] }] } };

  it('copies everything and shares nothing', async () => {
    const [copy] = await plainCopies([item]);
    assert.deepEqual(copy, item);
    assert.notEqual(copy, item);
    assert.notEqual(copy.annotations, item.annotations);
    assert.notEqual(copy.annotations.audience, item.annotations.audience);
    assert.notEqual(copy.annotations.deep[0], item.annotations.deep[0]);
  });

  it('takes no key for a prototype', async () => {
    const odd = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    const [copy] = await plainCopies([odd]);
    assert.deepEqual(Object.keys(copy!), ['__proto__']);
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  });

  it('gives way to other work', async () => {
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const copies = await plainCopies(Array.from({ length: 100_000 }, () => item));
    done = true;
    assert.equal(copies.length, 100_000);
    assert.ok(turns > 1, `${turns} turns of the event loop`);
  });
});
