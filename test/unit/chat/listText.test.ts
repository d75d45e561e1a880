import assert from 'node:assert/strict';
import { type FoundEntry, listText } from '../../../src/chat/listText';
import type { ResourceEntry } from '../../../src/connection/wire';

describe('listText', () => {
  const found = (...entries: readonly Partial<ResourceEntry>[]): readonly FoundEntry[] =>
    entries.map((each) => ({ server: 'docs', entry: { uri: 'a://x', name: 'x', ...each } }));
  const list = (entries: readonly FoundEntry[], limit: number) => {
    const text = listText(['- Servers: `docs`'], { entries, offset: 0, total: entries.length }, limit);
    const rows = [...text.matchAll(/^\{.*\}$/gm)].map(([row]) => JSON.parse(row) as Record<string, unknown>);
    return { text, rows };
  };

  it('a URI that fits is given whole, and rows as far as the limit goes', () => {
    const uri = `a://${'y'.repeat(10_000)}`;
    const { text, rows } = list(found({ uri }, { uri }, { uri }), 25_000);
    assert.deepEqual(
      rows.map((row) => row.uri),
      [uri, uri],
    );
    assert.match(text, /^- Entries: 1 to 2 of 3\. For more: "offset": 2$/m);
  });

  it('a URI of 20 MB becomes a short row that says so, and the rows after it stay', () => {
    const { text, rows } = list(found({ uri: `a://${'z'.repeat(20 * 1024 * 1024)}` }, { uri: 'a://next' }), 50_000);
    assert.ok(text.length < 2000, String(text.length));
    assert.equal(rows[0]!.uri, undefined);
    assert.match(String(rows[0]!.note), /The URI has 20971524 characters and cannot be used from here/);
    assert.equal(rows[1]!.uri, 'a://next');
  });

  it('no other field is without end', () => {
    const endless = 'x'.repeat(1_000_000);
    const audience = Array.from({ length: 100_000 }, () => 'user' as const);
    const entries = found({ title: endless, description: endless, mimeType: endless, annotations: { audience } });
    const { text, rows } = list(entries, 50_000);
    assert.ok(text.length < 1500, String(text.length));
    assert.equal(rows[0]!.uri, 'a://x');
    assert.deepEqual(rows[0]!.audience, ['user']);
  });

  it('where nothing is found, it says so', () => {
    assert.match(list([], 500).text, /^- Entries: none from 0 on, of 0$/m);
  });
});
