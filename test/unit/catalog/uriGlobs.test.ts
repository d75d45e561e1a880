import assert from 'node:assert/strict';
import fc from 'fast-check';
import picomatch from 'picomatch';
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

  it('knows choices, sets and repetitions', () => {
    const cases: [glob: string, uri: string, matches: boolean][] = [
      ['docs://**.{png,jpg}', 'docs://a.jpg', true],
      ['**/*.{png,jpg}', 'docs://a/b.jpg', true],
      ['**/*.{png,jpg}', 'docs://a/b.gif', false],
      ['**{.png,.jpg}', 'docs://a/b.png', true],
      ['a/**/b', 'a/b', true],
      ['a/**/b', 'a/x/y/b', true],
      ['a/**/b', 'ab', false],
      ['x:?', 'x:é', true],
      ['x:?', 'x:\u{1F600}', true],
      ['x:[a-c]', 'x:b', true],
      ['x:[!a-c]', 'x:b', false],
      ['x:[^a]', 'x:/', false],
      ['x:+(ab|c)', 'x:abcab', true],
      ['x:?(a)b', 'x:b', true],
      ['x:@(a|b)', 'x:ab', false],
      ['x:{a}', 'x:{a}', true],
      ['x:\\*', 'x:*', true],
      ['x:\\*', 'x:a', false],
      ['X://a', 'x://a', false],
      ['!(a)', 'b', false],
      ['x:{a,', 'x:a', false],
      ['x:[a', 'x:a', false],
    ];
    for (const [glob, uri, expected] of cases) {
      assert.equal(excludedBy({ exclude: [glob] })(uri), expected, `${glob} on ${uri}`);
    }
  });

  it('matches what picomatch matches', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '?', '{a,b}', '{a,b/c}', '[ab]', '**/', '/**', 'x://');
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '/', 'x://', ':'), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), text, (pieces, parts) => {
        const [glob, uri] = [pieces.join(''), parts.join('')];
        // More than two stars in a row, or two that are no whole part, mean something else to each.
        fc.pre(!/^\/|\*{3}|\*\*[^/]|[^/]\*\*/.test(glob));
        const expected = picomatch(glob, { dot: true, nonegate: true, strictSlashes: true })(uri);
        assert.equal(excludedBy({ exclude: [glob] })(uri), expected, `${glob} on ${uri}`);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes time in proportion to the URI, whatever the glob', function () {
    this.timeout(5000);
    const globs = [
      '**/*a*a*a*a*a*a*a*a*a*a*c',
      `${'**/'.repeat(20)}x`,
      `${'{a,b}'.repeat(20)}z`,
      '+(+(+(a)))z',
      `**/${'*/'.repeat(20)}z`,
      '**/+(*+(a))b',
    ];
    const isExcluded = excludedBy({ exclude: globs });
    for (const uri of [`x://h/${'a'.repeat(20_000)}`, `x://h/${'a/'.repeat(10_000)}`]) {
      assert.equal(isExcluded(uri), false);
    }
  });
});
