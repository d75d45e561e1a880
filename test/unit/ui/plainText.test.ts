import assert from 'node:assert/strict';
import { plainLine } from '../../../src/ui/plainText';

describe('plainLine', () => {
  it('X2: what cannot be seen, breaks a line or turns the direction is gone', () => {
    assert.equal(plainLine('a\nb\u202Ec\u200Bd\u2028e\u0000f\uFEFF'), 'a b c d e f');
  });

  it('cuts by characters, never through one', () => {
    assert.equal(plainLine('😀'.repeat(10), 4), '😀😀😀…');
    assert.equal(plainLine('abc', 3), 'abc');
  });
});
