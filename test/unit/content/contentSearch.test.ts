import assert from 'node:assert/strict';
import { ContentSearch } from '../../../src/content/contentSearch';
import { resourceContent } from '../../../src/content/resourceContent';
import { longestStretch } from './longestStretch';

describe('ContentSearch', () => {
  it('gives way: eight texts of the largest size that come at once never hold the thread for 50 ms', async function () {
    this.timeout(60_000);
    const text = `${'The quick brown fox jumps over the lazy dog. é\n'.repeat(108_000)}needle`;
    const contents = Array.from({ length: 8 }, (_, index) => {
      const uri = `u://${index}`;
      return resourceContent([{ uri, text }], { uri });
    });
    const search = new ContentSearch({
      targets: contents.map((_, index) => ({ ref: { serverId: `s${index % 2}`, uri: `u://${index}` } })),
      query: { text: 'needle', matchCase: false, wholeWord: true },
      read: ({ uri }) => Promise.resolve(contents[Number(uri.slice(4))]!),
    });
    const longest = await longestStretch(() => search.run());
    assert.deepEqual([search.state, search.matches, search.failures], ['done', 8, []]);
    assert.deepEqual(
      search.hits.map(({ ref }) => ref.uri),
      contents.map((_, index) => `u://${index}`),
    );
    assert.ok(longest > 0 && longest < 50, `${longest.toFixed(1)} ms`);
  });

  it('gives what it is told from the outset, and is harmless where there is nothing to search', async () => {
    const failures = [{ serverId: 's', reason: 'it does not start' }];
    const search = new ContentSearch({
      targets: [],
      failures,
      query: { text: 'x', matchCase: false, wholeWord: false },
      read: () => Promise.reject(new Error('nothing is read')),
    });
    await search.run();
    assert.deepEqual([search.state, search.total, search.failures], ['done', 0, failures]);
    search.dispose();
    assert.equal(search.state, 'done');
  });
});
