import assert from 'node:assert/strict';
import { inertLine, plainLine } from '../../../src/ui/plainText';

describe('plainLine', () => {
  it('X2: what cannot be seen, breaks a line or turns the direction is gone', () => {
    assert.equal(plainLine('a\nb\u202Ec\u200Bd\u2028e\u0000f\uFEFF'), 'a b c d e f');
  });

  it('X2: in messages neither links nor icons come of it', () => {
    assert.equal(
      inertLine('[click](command:workbench.action.quit) $(bug)'),
      '[click] (command:workbench.action.quit) $ (bug)',
    );
  });

  it('cuts by characters, never through one', () => {
    assert.equal(plainLine('😀'.repeat(10), 4), '😀😀😀…');
    assert.equal(plainLine('abc', 3), 'abc');
  });
});
