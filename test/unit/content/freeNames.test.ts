import assert from 'node:assert/strict';
import { fileIdentity, FreeNames } from '../../../src/content/freeNames';

describe('FreeNames', () => {
  it('numbers a name that is taken, before its extension', () => {
    const names = new FreeNames(['a.md', 'b']);
    assert.deepEqual(
      ['a.md', 'a.md', 'b', 'c', '.env', '.env'].map((name) => names.take(name)),
      ['a (2).md', 'a (3).md', 'b (2)', 'c', '.env', '.env (2)'],
    );
  });

  it('passes over a number that is taken by itself', () => {
    const names = new FreeNames(['a.md', 'a (2).md']);
    assert.deepEqual([names.take('a.md'), names.take('a (2).md')], ['a (3).md', 'a (2) (2).md']);
  });

  it('takes names for the same that a file system may not tell apart', () => {
    const names = new FreeNames(['Read.ME'], (name) => name.toLowerCase());
    assert.deepEqual([names.take('read.me'), names.take('READ.me')], ['read (2).me', 'READ (3).me']);
  });

  it('V10: names that differ only in case, or in how an accent is spelled, are the same to some file system', () => {
    const names = new FreeNames(['Caf\u00e9.md'], fileIdentity);
    assert.deepEqual(
      ['cafe\u0301.md', 'CAFE\u0301.md', '\u017fame', 'same', '\u212a', 'k'].map((name) => names.take(name)),
      ['cafe\u0301 (2).md', 'CAFE\u0301 (3).md', '\u017fame', 'same (2)', '\u212a', 'k (2)'],
    );
  });
});
