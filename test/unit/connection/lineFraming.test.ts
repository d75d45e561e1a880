import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineFraming, type OversizeLine } from '../../../src/connection/lineFraming';

describe('LineFraming', () => {
  const frame = (chunks: readonly Buffer[], maxBytes = 1000): { lines: string[]; oversize: OversizeLine[] } => {
    const lines: string[] = [];
    const oversize: OversizeLine[] = [];
    const framing = new LineFraming(
      maxBytes,
      (line) => lines.push(line),
      (line) => oversize.push(line),
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

  it('leaves out a line that is too long, keeps its ends, and drops nothing else', () => {
    const chunks = [Buffer.from(`one\n<${'x'.repeat(2000)}`), Buffer.from('y'.repeat(2000)), Buffer.from('yz>\ntwo\n')];
    const { lines, oversize } = frame(chunks, 1000);
    assert.deepEqual(lines, ['one', 'two']);
    assert.equal(oversize.length, 1);
    assert.equal(oversize[0]!.length, 4004);
    assert.match(oversize[0]!.head, /^<x{511}$/);
    assert.match(oversize[0]!.tail, /^y{510}z>$/);
  });
});
