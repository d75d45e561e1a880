import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineMap } from '../../../src/content/lineMap';

const text = (lines: readonly unknown[]) => lines.join('\n');
const numbered = Array.from({ length: 20 }, (_, index) => `line ${index}`);

describe('lineMap', () => {
  it('counts lines before and after what has changed', () => {
    const map = lineMap(text(numbered), text([...numbered.slice(0, 5), 'new', 'newer', ...numbered.slice(6)]));
    assert.deepEqual([map(4), map(6), map(19)], [4, 7, 20]);
  });

  it('finds lines between two changes by their text', () => {
    const map = lineMap(text(numbered), text(['first', 'second', ...numbered.slice(1), 'the end']));
    assert.deepEqual([map(1), map(10), map(19)], [2, 11, 20]);
  });

  it('keeps a changed line beside its neighbours, and lines that occur often too', () => {
    const lines = numbered.map((line, index) => (index % 2 === 0 ? '' : line));
    const map = lineMap(
      text(lines),
      text(['head', ...lines.map((line, index) => (index === 9 ? 'other' : line)), 'tail']),
    );
    assert.deepEqual([map(9), map(10), map(12)], [10, 11, 13]);
  });

  it('keeps the number where nothing is left', () => {
    const map = lineMap(text(numbered), text(numbered.map((line) => `${line}!`)));
    assert.deepEqual([map(0), map(7), map(19)], [0, 7, 19]);
    assert.equal(lineMap(text(numbered), 'one')(12), 0);
  });

  it('always gives a line of the new text, and every line of an unchanged one', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [map, same] = [lineMap(text(before), text(after)), lineMap(text(before), text(before))];
        for (let line = 0; line < before.length; line += 1) {
          assert.ok(map(line) >= 0 && map(line) < after.length);
          assert.equal(same(line), line);
        }
      }),
    );
  });
});
