import assert from 'node:assert/strict';
import { excludedBy } from '../../../src/catalog/uriGlobs';

describe('excludedBy', () => {
  it('V1: without globs nothing is left out; include keeps what matches, exclude drops it', () => {
    assert.equal(excludedBy({})('x://a'), false);
    const isExcluded = excludedBy({ include: ['docs://**', 'memo:*'], exclude: ['**/*.png', 'docs://old/**'] });
    assert.deepEqual(['docs://a/b.md', 'memo:today', 'docs://a/b.png', 'docs://old/x', 'img://z'].map(isExcluded), [
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('one star ends at a slash', () => {
    const isExcluded = excludedBy({ exclude: ['docs://*'] });
    assert.deepEqual(['docs://a', 'docs://a/b'].map(isExcluded), [true, false]);
  });

  it('a glob that makes no sense matches nothing', () => {
    assert.equal(excludedBy({ exclude: ['', '['.repeat(70_000)] })('x://a'), false);
  });
});
