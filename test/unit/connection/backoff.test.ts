import assert from 'node:assert/strict';
import { Backoff } from '../../../src/connection/backoff';

describe('Backoff', () => {
  it('grows, is capped, ends, and begins anew after a reset', () => {
    const backoff = new Backoff({ firstMs: 100, longestMs: 500, attempts: 5 }, () => 0.5);
    assert.deepEqual(
      Array.from({ length: 6 }, () => backoff.next()),
      [100, 200, 400, 500, 500, undefined],
    );
    backoff.reset();
    assert.equal(backoff.next(), 100);
  });

  it('has a quarter of jitter to both sides', () => {
    const pause = (random: number) => new Backoff({ firstMs: 100, longestMs: 500, attempts: 1 }, () => random).next();
    assert.deepEqual([pause(0), pause(1)], [75, 125]);
  });
});
