import assert from 'node:assert/strict';
import { withoutStop } from '../../../src/base/sentence';

describe('withoutStop', () => {
  it('a message that ends a sentence can be followed by a full stop of ours', () => {
    assert.equal(
      `${withoutStop('No server named "x" is configured.')}. Refresh`,
      'No server named "x" is configured. Refresh',
    );
    assert.equal(withoutStop('Busy. Try later. '), 'Busy. Try later');
  });

  it('what does not end in one full stop stays', () => {
    for (const message of ['timed out', 'Loading…', 'and so on...', 'Really?', '']) {
      assert.equal(withoutStop(message), message);
    }
  });
});
