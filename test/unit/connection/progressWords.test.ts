import assert from 'node:assert/strict';
import { progressWords } from '../../../src/connection/progressWords';

describe('progress in words', () => {
  it('is the server’s message, and the share that is done where a total is known', () => {
    assert.equal(progressWords({ progress: 1, total: 4 }), '25 %');
    assert.equal(progressWords({ progress: 1, total: 4, message: 'Reading' }), 'Reading (25 %)');
    assert.equal(progressWords({ progress: 1, message: 'Reading' }), 'Reading');
    assert.equal(progressWords({ progress: 9, total: 4 }), '100 %');
    assert.equal(progressWords({ progress: 1, total: 0 }), '');
  });
});
