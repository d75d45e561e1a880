import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ancestorsOf } from '../../../src/content/ancestors';

describe('ancestorsOf', () => {
  it('gives what lies above a URI, with and without its last slash, nearest first', () => {
    assert.deepEqual(ancestorsOf('x://h/a/b').slice(0, 4), ['x://h/a/', 'x://h/a', 'x://h/', 'x://h']);
  });

  it('compares by segment, not by prefix', () => {
    assert.ok(!ancestorsOf('x://h/ab/c').includes('x://h/a'));
    assert.ok(!ancestorsOf('x://h/a?q=1').includes('x://h/a'));
  });

  it('a trailing slash begins no segment of its own', () => {
    assert.deepEqual(ancestorsOf('x://h/a/').slice(0, 2), ['x://h/', 'x://h']);
  });

  it('is bounded, and never holds the URI itself', () => {
    assert.equal(ancestorsOf('/'.repeat(8000)).length, 64);
    fc.assert(
      fc.property(fc.string(), (uri) => {
        const ancestors = ancestorsOf(uri);
        assert.ok(ancestors.every((ancestor) => ancestor !== uri && uri.startsWith(ancestor)));
      }),
    );
  });

  it('a URI of more than 8 kB lies nowhere', () => {
    const deep = `x://h/${'ab/'.repeat(2000)}`;
    assert.equal(ancestorsOf(deep).length, 64);
    assert.deepEqual(ancestorsOf(`${deep}${'c'.repeat(8192)}`), []);
  });
});
