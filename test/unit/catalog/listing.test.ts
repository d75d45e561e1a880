import assert from 'node:assert/strict';
import { excludedBy } from '../../../src/catalog/uriGlobs';
import { Listing, type ListingFacts } from '../../../src/catalog/listing';
import {
  defaultListing,
  isFiltering,
  type ListingFilter,
  listingOptionsFrom,
  type SortKey,
} from '../../../src/catalog/listingOptions';
import type { ResourceEntry } from '../../../src/connection/wire';

const entry = (uri: string, more: Partial<ResourceEntry> = {}): ResourceEntry => ({ uri, name: uri, ...more });

const entries: readonly ResourceEntry[] = [
  entry('docs://a', { title: 'Alpha', mimeType: 'text/markdown', size: 10, annotations: { priority: 0.1 } }),
  entry('docs://b', {
    title: 'beta 10',
    mimeType: 'TEXT/Markdown; charset=utf-8',
    annotations: { audience: ['user'] },
  }),
  entry('img://c', { title: 'beta 9', mimeType: 'image/png', size: 500, annotations: { priority: 0.9 } }),
  entry('img://d', {
    title: 'Alpha',
    description: 'The second of that name',
    annotations: { audience: ['assistant'], lastModified: '2026-01-02T00:00:00Z' },
  }),
];

const facts: ListingFacts = {
  isChanged: (uri) => uri === 'docs://b',
  isLive: (uri) => uri.startsWith('docs:'),
  isExcluded: () => false,
};

const shownBy = async (filter: ListingFilter, sort: SortKey = 'listed', more: Partial<ListingFacts> = {}) => {
  const options = { ...defaultListing, filter, sort };
  const shown = await new Listing().of(entries, { options, facts: { ...facts, ...more }, version: 0 });
  assert.equal(shown.total, entries.length);
  return shown.entries.map(({ uri }) => uri);
};

describe('Listing', () => {
  it('shows everything in the server’s order, and knows which labels occur twice', async () => {
    const listing = new Listing();
    const shown = await listing.of(entries, { options: defaultListing, facts, version: 0 });
    assert.deepEqual(shown.entries, entries);
    assert.deepEqual([...(await listing.ambiguousIn(entries))], ['Alpha']);
  });

  it('a list that is shown as it is costs nothing: no entry is looked at', async () => {
    const untouchable = new Proxy<ResourceEntry[]>([...entries], {
      get: (target, key) => {
        assert.ok(typeof key !== 'string' || !/^\d+$/u.test(key), 'an entry was looked at');
        return Reflect.get(target, key) as unknown;
      },
    });
    const asItIs = { options: defaultListing, facts: { ...facts, isExcluded: excludedBy({}) }, version: 0 };
    const shown = await new Listing().of(untouchable, asItIs);
    assert.equal(shown.total, entries.length);
    assert.equal(shown.entries, untouchable);
  });

  it('V1: filters by words in title, name, URI and description', async () => {
    assert.deepEqual(await shownBy({ text: 'BETA docs' }), ['docs://b']);
    assert.deepEqual(await shownBy({ text: 'second' }), ['img://d']);
    assert.deepEqual(await shownBy({ text: 'nowhere' }), []);
  });

  it('filters by MIME type, audience, changed and live, alone and together', async () => {
    assert.deepEqual(await shownBy({ mimeType: 'text/markdown' }), ['docs://a', 'docs://b']);
    assert.deepEqual(await shownBy({ audience: 'assistant' }), ['docs://a', 'img://c', 'img://d']);
    assert.deepEqual(await shownBy({ changed: true }), ['docs://b']);
    assert.deepEqual(await shownBy({ live: true, text: 'alpha' }), ['docs://a']);
  });

  it('V1: leaves out what the person’s settings exclude', async () => {
    assert.deepEqual(await shownBy({}, 'listed', { isExcluded: (uri) => uri.startsWith('img:') }), [
      'docs://a',
      'docs://b',
    ]);
  });

  it('V4: sorts by name, priority, last change and size; what is unknown comes last', async () => {
    assert.deepEqual(await shownBy({}, 'name'), ['docs://a', 'img://d', 'img://c', 'docs://b']);
    assert.deepEqual(await shownBy({}, 'priority'), ['img://c', 'docs://a', 'docs://b', 'img://d']);
    assert.deepEqual(await shownBy({}, 'lastModified'), ['img://d', 'docs://a', 'docs://b', 'img://c']);
    assert.deepEqual(await shownBy({}, 'size'), ['img://c', 'docs://a', 'docs://b', 'img://d']);
  });

  it('looks only at what is new of a list that grows', async () => {
    const growing: ResourceEntry[] = [...entries];
    const listing = new Listing();
    let asked = 0;
    const how = {
      options: { ...defaultListing, filter: { changed: true as const } },
      facts: { ...facts, isChanged: () => (asked += 1) > 0 },
      version: 0,
    };
    await listing.of(growing, how);
    growing.push(entry('new://e', { title: 'Alpha' }));
    const shown = await listing.of(growing, how);
    assert.equal(asked, 5);
    assert.equal(shown.entries.length, 5);
    await listing.of(growing, { ...how, version: 1 });
    assert.equal(asked, 10);
  });

  it('remembered options are taken as far as they are understood', () => {
    assert.deepEqual(listingOptionsFrom(undefined), defaultListing);
    assert.deepEqual(
      listingOptionsFrom({ sort: 'colour', grouping: 7, filter: { text: 3, live: 'yes' } }),
      defaultListing,
    );
    const options = { grouping: 'path', sort: 'size', filter: { text: 'x', changed: true } };
    assert.deepEqual(listingOptionsFrom(options), options);
    assert.ok(isFiltering({ text: 'x' }));
    assert.ok(!isFiltering({}));
  });
});
