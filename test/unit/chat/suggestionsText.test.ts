import assert from 'node:assert/strict';
import { suggestionsText } from '../../../src/chat/suggestionsText';

describe('suggestionsText, of the tool that fills in templates', () => {
  const text = (values: readonly string[], limit = 20_000) =>
    suggestionsText(['- Server: `docs`'], { variable: 'owner', found: { values, hasMore: false } }, limit);

  it('gives each value as JSON', () => {
    assert.ok(text(['ada', 'gr\nace']).includes('- Suggestions for `owner`: 2\n'));
    assert.ok(text(['ada', 'gr\nace']).includes('```\n"ada"\n"gr\\nace"\n```'));
  });

  it('a hundred long values stay within the limit, and it says how many there are', () => {
    const long = text(Array.from({ length: 100 }, () => 'x'.repeat(1500)));
    assert.ok(long.length < 21_000, String(long.length));
    assert.match(long, /^- Suggestions for `owner`: 100; the first 13 of them follow, for their length$/m);
  });

  it('a value without end is named, not given', () => {
    const endless = text(['x'.repeat(5_000_000), 'ada'], 500);
    assert.ok(endless.length < 1000, endless);
    assert.ok(endless.includes('the value has 5000000 characters and cannot be used from here'));
    assert.ok(endless.includes('\n"ada"\n'));
  });

  it('says where there are none', () => {
    const none = suggestionsText([], { variable: 'owner', found: undefined }, 500);
    assert.equal(none, '- Suggestions for `owner`: the server has none to give\n');
  });
});
