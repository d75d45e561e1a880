import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textRange } from '../../../src/chat/textRange';

/** Reads a text to its end as a model would: by what each note says. */
function pieces(text: string, limit: number): readonly string[] {
  const found: string[] = [];
  let start = { line: 1, character: 1 };
  for (;;) {
    const { text: piece, note = '' } = textRange(text, start, limit);
    found.push(piece);
    const next = /To read on: "startLine": (\d+)(?:, "startCharacter": (\d+))?\./.exec(note);
    if (!next) {
      return found;
    }
    start = { line: Number(next[1]), character: Number(next[2] ?? 1) };
  }
}

describe('textRange', () => {
  it('gives a short text whole, without a note', () => {
    assert.deepEqual(textRange('a\nb', { line: 1, character: 1 }, 3), { text: 'a\nb' });
  });

  it('any text read by any limit comes together again, with no character cut', () => {
    const signs = fc.constantFrom('a', '\n', '\r\n', '😀', 'é', '`');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (letters, limit) => {
        const text = letters.join('');
        const found = pieces(text, limit);
        assert.equal(found.join(''), text);
        assert.ok(
          found.every(
            (piece) => !/[\ud800-\udbff](?![\udc00-\udfff])/.test(piece) && piece.length <= Math.max(2, limit),
          ),
        );
      }),
    );
  });

  it('ends with a line where one ends in the second half', () => {
    assert.equal(textRange('aaaa\nbbb\ncccccc', { line: 1, character: 1 }, 10).text, 'aaaa\nbbb\n');
    assert.equal(textRange('a\nbbbbbbbbbbbbbbb', { line: 1, character: 1 }, 10).text, 'a\nbbbbbbbb');
  });
});
