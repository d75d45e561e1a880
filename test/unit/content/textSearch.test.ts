import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TimeSlices } from '../../../src/base/timeSlices';
import { longestStretch } from './longestStretch';
import { findMatches, nearestMatch, type SearchQuery, textOfBytes } from '../../../src/content/textSearch';

const query = (text: string, options: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  matchCase: false,
  wholeWord: false,
  ...options,
});
const find = (text: string, words: SearchQuery, limit = 100_000) => findMatches(text, words, limit, new TimeSlices());
const places = async (text: string, words: SearchQuery) =>
  (await find(text, words)).map(({ line, character }) => [line, character]);

describe('searching a text', () => {
  it('finds each occurrence at its line and character, whatever ends the lines', async () => {
    assert.deepEqual(await places('one\r\ntwo one\rone\n\n ONE', query('one')), [
      [0, 0],
      [1, 4],
      [2, 0],
      [4, 1],
    ]);
  });

  it('tells upper from lower case only when it is asked to', async () => {
    assert.deepEqual(await places('Straße STRASSE straße', query('STRAßE')), [
      [0, 0],
      [0, 15],
    ]);
    assert.deepEqual(await places('Εύρηκα εύρηκα', query('ΕΎΡΗΚΑ')), [
      [0, 0],
      [0, 7],
    ]);
    assert.deepEqual(await places('One one', query('one', { matchCase: true })), [[0, 4]]);
  });

  it('takes what is typed as plain text, however it looks', async () => {
    for (const text of ['(a+)+$', 'a.b', '[x', '\\d', 'a|b', '{1,', '^', '/re/g', '-]', '😀']) {
      assert.deepEqual(await places(`x ${text} y`, query(text)), [[0, 2]], text);
      assert.deepEqual(await places('aaaaab 1', query(text)), [], text);
    }
  });

  it('finds whole words where that is wanted, in any script', async () => {
    const whole = (text: string) => query(text, { wholeWord: true });
    assert.deepEqual(await places('cat concat cats cat_ cat', whole('cat')), [
      [0, 0],
      [0, 21],
    ]);
    assert.deepEqual(await places('kočka kočky', whole('koč')), []);
    assert.deepEqual(await places('naïve', whole('na')), []);
    assert.deepEqual(await places('(x) 𝒳x x', whole('x')), [
      [0, 1],
      [0, 8],
    ]);
    assert.deepEqual(await places('a 😀 b', whole('😀')), [[0, 2]]);
  });

  it('shows what is around an occurrence, cut between characters', async () => {
    const [first] = await find(`${'😀'.repeat(50)}needle${'😀'.repeat(200)}\nnext`, query('needle'));
    assert.equal(first!.before, `…${'😀'.repeat(12)}`);
    assert.equal(first!.text, 'needle');
    assert.equal(first!.after, '😀'.repeat(80));
    const [second] = await find('    let x = 1;\r\n', query('X'));
    assert.deepEqual([second!.before, second!.text, second!.after], ['let ', 'x', ' = 1;']);
  });

  it('stops at the limit, and finds nothing in nothing', async () => {
    assert.equal((await find('a'.repeat(50), query('a'), 7)).length, 7);
    assert.deepEqual(await find('', query('a')), []);
    assert.deepEqual(await find('abc', query('')), []);
  });

  it('finds across its windows what one look at the whole text finds', async () => {
    const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', 'aab', '😀');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 60 }),
        fc.constantFrom('a', 'aa', 'aab', 'ba', '😀a', 'aba'),
        fc.integer({ min: 0, max: 16 }),
        async (pieces, text, shift) => {
          const whole = `${'.'.repeat(16 * 1024 - shift)}${pieces.join('')}`;
          const expected = [...whole.matchAll(new RegExp(text, 'gu'))].map(({ index }) => index);
          const lineStarts = [0, ...[...whole.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)];
          const found = await places(whole, query(text));
          assert.deepEqual(
            found.map(([line, character]) => lineStarts[line!]! + character!),
            expected,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('a text that has moved: the nearest occurrence', async () => {
    const text = 'x\n\nx\n\n\n\nx  x\n';
    const near = (line: number, character: number, words = query('x')) =>
      nearestMatch(text, words, { line, character }, new TimeSlices());
    assert.deepEqual(await near(2, 0), { line: 2, character: 0 });
    assert.deepEqual(await near(3, 5), { line: 2, character: 0 });
    assert.deepEqual(await near(5, 9), { line: 6, character: 3 });
    assert.deepEqual(await near(6, 1), { line: 6, character: 0 });
    assert.deepEqual(await near(900, 0), { line: 6, character: 0 });
    assert.equal(await near(0, 0, query('y')), undefined);
  });

  it('leaves out a byte order mark, as the editor does', async () => {
    const bytes = new Uint8Array([...Buffer.from('xx'), ...Buffer.from('\uFEFFneedle')]).subarray(2);
    assert.deepEqual(await places(textOfBytes(bytes), query('needle')), [[0, 0]]);
  });

  it('gives way: the worst text and pattern of the largest size never hold the thread for 50 ms', async function () {
    this.timeout(60_000);
    // As bytes become text: what is put together of parts is joined by the first who looks at it.
    const flat = (text: string): string => Buffer.from(text).toString();
    const text = flat('a'.repeat(5 * 1024 * 1024));
    const withWord = flat(`${text} a`);
    const longest = await longestStretch(async () => {
      assert.deepEqual(await find(text, query(`${'A'.repeat(199)}b`)), []);
      assert.equal((await find(text, query('a'), 2000)).length, 2000);
      assert.equal((await find(withWord, query('a', { wholeWord: true }))).length, 1);
    });
    assert.ok(longest > 0 && longest < 50, `${longest.toFixed(1)} ms`);
  });
});
