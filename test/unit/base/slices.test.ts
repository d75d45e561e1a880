import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Slices } from '../../../src/base/slices';

describe('Slices', () => {
  it('sorts as one sort would, equal items in their order', async () => {
    const item = fc.record({ key: fc.integer({ min: 0, max: 20 }), at: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 3000, size: 'max' }), async (items) => {
        const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
        assert.deepEqual(await new Slices().sorted(items, compare), [...items].sort(compare));
      }),
      { numRuns: 20 },
    );
  });

  it('gives way to other work, and stops when it is told to', async () => {
    const abort = new AbortController();
    const slices = new Slices(abort.signal);
    let others = 0;
    const work = (async () => {
      for (;;) {
        const pause = slices.step();
        if (pause) {
          await pause;
        }
      }
    })();
    const other = (): void => {
      others += 1;
      if (others < 3) {
        setImmediate(other);
      } else {
        abort.abort();
      }
    };
    setImmediate(other);
    await assert.rejects(work, { name: 'CancelledError' });
    assert.equal(others, 3);
  });
});
