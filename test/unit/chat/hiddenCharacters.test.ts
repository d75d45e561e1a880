import assert from 'node:assert/strict';
import { hiddenCharacters } from '../../../src/chat/hiddenCharacters';

describe('hiddenCharacters', () => {
  it('X3: counts tag, bidi and zero-width characters, and names the line of the first of each', () => {
    const text = 'one\u200b\r\ntwo \u202eowt\u202c\rthree\n\u{e0041}\u{e0042}\u{e007f} four\u200d';
    assert.deepEqual(hiddenCharacters(text), [
      { kind: 'zeroWidth', count: 2, line: 1 },
      { kind: 'bidi', count: 2, line: 2 },
      { kind: 'tag', count: 3, line: 4 },
    ]);
  });

  it('finds nothing in ordinary text of any script, nor in a byte order mark at the start', () => {
    for (const text of ['', 'plain\ttext\n', 'Привет, 世界, שלום, مرحبا, é', '🙂 ❤️', '\ufeffwith a mark']) {
      assert.deepEqual(hiddenCharacters(text), [], JSON.stringify(text));
    }
    assert.deepEqual(hiddenCharacters('\ufeffa\ufeff'), [{ kind: 'zeroWidth', count: 1, line: 1 }]);
  });

  it('counts no joiner that is seen in what it joins, and no flag that is spelled in tags', () => {
    const seen = [
      '👨‍👩‍👧‍👦',
      '🧑🏽‍💻',
      '❤️‍🔥',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
      'می\u200cخواهم',
      'क्\u200dष',
    ];
    for (const text of seen) {
      assert.deepEqual(hiddenCharacters(text), [], JSON.stringify(text));
    }
  });

  it('counts joiners beyond that', () => {
    for (const [text, count] of [
      ['a\u200db', 1],
      ['👨\u200d\u200d👩', 2],
      ['👨\u200d', 1],
      ['می\u200c\u200dخ', 2],
      ['a\u200cخ', 1],
    ] as const) {
      assert.deepEqual(hiddenCharacters(text), [{ kind: 'zeroWidth', count, line: 1 }], JSON.stringify(text));
    }
    const spelled = '🏴\u{e0067}\u{e0062}\u{e0061}\u{e007f}';
    assert.deepEqual(hiddenCharacters(spelled), [{ kind: 'tag', count: 4, line: 1 }]);
  });

  it('finds bytes that are hidden in variation selectors', () => {
    assert.deepEqual(hiddenCharacters('a\n😀\u{e0101}\u{e01ef}'), [{ kind: 'zeroWidth', count: 2, line: 2 }]);
  });

  it('finds bytes that are hidden in runs of the usual selectors, and controls that nothing shows', () => {
    assert.deepEqual(hiddenCharacters('a\ufe00\ufe01\ufe0f b\ufe0f\u{e0101}\ufe02'), [
      { kind: 'zeroWidth', count: 4, line: 1 },
    ]);
    assert.deepEqual(hiddenCharacters('a\u206a\ufff9b\ufffb'), [{ kind: 'zeroWidth', count: 3, line: 1 }]);
    assert.deepEqual(hiddenCharacters('☺\ufe0e 1\ufe0f\u20e3 ﷽ 葛\ufe00'), []);
  });

  for (const [name, piece] of [
    ['tags', '\u{e0041}'],
    ['joiners that join nothing', 'a\u200d'],
    ['joiners that are seen', 'क\u200d'],
    ['flags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ] as const) {
    it(`X3: 50 MB of ${name} hold nothing up for long`, () => {
      const text = piece.repeat((50 * 1024 * 1024) / Buffer.byteLength(piece));
      const before = process.cpuUsage();
      const found = hiddenCharacters(text);
      const took = workSince(before);
      assert.ok(took < 4000, `${took} ms`);
      assert.ok(
        found.every(({ count, isMore }) => count === (isMore ? 100_000 : 1)),
        JSON.stringify(found),
      );
    }).timeout(30_000);
  }

  it('looks through ten million characters of one line in less than a second of work', () => {
    const before = process.cpuUsage();
    assert.deepEqual(hiddenCharacters(`${'a'.repeat(10_000_000)}\u{e0041}`), [{ kind: 'tag', count: 1, line: 1 }]);
    assert.ok(workSince(before) < 1000);
  }).timeout(30_000);
});

/** Milliseconds of processor time: a busy machine takes longer by the clock. */
function workSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
