import assert from 'node:assert/strict';
import type { ListingFacts } from '../../../src/catalog/listing';
import type { ListingFilter } from '../../../src/catalog/listingOptions';
import { templateFilter } from '../../../src/catalog/templateFilter';
import type { TemplateInstance } from '../../../src/catalog/templateInstances';
import type { TemplateEntry } from '../../../src/connection/wire';

const facts: ListingFacts = {
  isChanged: (uri) => uri.endsWith('/ann'),
  isLive: () => false,
  isExcluded: () => true,
};
const users: TemplateEntry = {
  uriTemplate: 'docs://users/{user}',
  name: 'users',
  title: 'Somebody',
  description: 'Whoever it is',
  mimeType: 'text/markdown',
  annotations: { audience: ['user'] },
};
const anything: TemplateEntry = { uriTemplate: 'x://{+path}', name: 'anything' };
const made = (uri: string, name?: string): TemplateInstance => ({
  serverId: 'docs',
  uriTemplate: users.uriTemplate,
  uri,
  texts: { user: uri.split('/').at(-1)! },
  name,
});
const ours = [made('docs://users/ann'), made('docs://users/bob%20b', 'The boss')];

/** What is kept: a template's name, and what was made of it. */
const kept = (filter: ListingFilter) => {
  const { keeps, keptOf } = templateFilter(filter, facts);
  const all = [{ entry: users, mine: ours }].concat({ entry: anything, mine: [] });
  return all.flatMap(({ entry, mine }) =>
    keeps(entry, mine) ? [entry.name, ...keptOf(entry, mine).map(({ uri }) => uri)] : [],
  );
};
const [ann, boss] = ours.map(({ uri }) => uri);

describe('the filter of templates', () => {
  it('V1: text is looked for in title, name, URI template and description, and keeps all that was made of it', () => {
    for (const text of ['somebody', 'USERS', '{user}', 'whoever', 'some whoever']) {
      assert.deepEqual(kept({ text }), ['users', ann, boss], text);
    }
    assert.deepEqual(kept({ text: '+path' }), ['anything']);
    assert.deepEqual(kept({ text: 'nothing' }), []);
    assert.deepEqual(kept({}), ['users', ann, boss, 'anything']);
  });

  it('a template stays for what was made of it, which stays for its name, values or URI', () => {
    for (const text of ['ann', 'users/ann', 'somebody ann']) {
      assert.deepEqual(kept({ text }), ['users', ann], text);
    }
    for (const text of ['boss', 'bob%20b', 'the whoever']) {
      assert.deepEqual(kept({ text }), ['users', boss], text);
    }
    assert.deepEqual(kept({ text: 'ann boss' }), []);
  });

  it('type and audience count where a template says them', () => {
    assert.deepEqual(kept({ mimeType: 'text/markdown' }), ['users', ann, boss, 'anything']);
    assert.deepEqual(kept({ mimeType: 'image/png' }), ['anything']);
    assert.deepEqual(kept({ audience: 'user' }), ['users', ann, boss, 'anything']);
    assert.deepEqual(kept({ audience: 'assistant' }), ['anything']);
    assert.deepEqual(kept({ audience: 'assistant', text: 'users' }), []);
  });

  it('what has changed, and what is live, are things made of templates', () => {
    assert.deepEqual(kept({ changed: true }), ['users', ann]);
    assert.deepEqual(kept({ changed: true, text: 'boss' }), []);
    assert.deepEqual(kept({ live: true }), []);
  });
});
