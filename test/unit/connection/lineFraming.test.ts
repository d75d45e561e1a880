import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineFraming } from '../../../src/connection/lineFraming';

describe('LineFraming', () => {
  const frame = (chunks: readonly Buffer[], maxBytes = 1000): { lines: string[]; oversize: number } => {
    const lines: string[] = [];
    let oversize = 0;
    const framing = new LineFraming(
      maxBytes,
      (line) => lines.push(line),
      () => (oversize += 1),
    );
    chunks.forEach((chunk) => {
      framing.push(chunk);
    });
    framing.end();
    return { lines, oversize };
  };

  it('gives the same lines however the stream is cut', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(50)), (lines, cuts) => {
        const stream = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const chunks: Buffer[] = [];
        let start = 0;
        for (const length of cuts) {
          chunks.push(stream.subarray(start, start + length));
          start += length;
        }
        chunks.push(stream.subarray(start));
        assert.deepEqual(frame(chunks, 1_000_000).lines, lines);
      }),
    );
  });

  it('leaves out a line that is too long, and nothing else', () => {
    const { lines, oversize } = frame([Buffer.from(`one\n${'x'.repeat(20)}`), Buffer.from('yyy\ntwo\n')], 10);
    assert.deepEqual(lines, ['one', 'two']);
    assert.equal(oversize, 1);
  });
});
