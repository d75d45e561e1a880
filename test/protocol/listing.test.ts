import assert from 'node:assert/strict';
import { until } from '../until';
import { entryCharacters } from '../../src/catalog/entryCharacters';
import { PagedList } from '../../src/catalog/pagedList';
import { RequestError } from '../../src/connection/requestFailure';
import type { ResourceEntry } from '../../src/connection/wire';
import { type Core, startCore } from './core';
import { type Fixture, sseFallback, ways } from './eras';
import type { Scenario } from '../server/fixtureClient';

describe('listing', () => {
  let fixtures: Fixture[] = [];
  let core: Core | undefined;

  afterEach(async () => {
    await core?.end();
    await Promise.all(fixtures.map((fixture) => fixture.dispose()));
    core = undefined;
    fixtures = [];
  });

  const begin = async (way: (typeof ways)[number], scenario: Scenario) => {
    const fixture = await way.start(scenario);
    fixtures.push(fixture);
    core = startCore({ one: fixture.launch });
    const connection = core.connection('one');
    await connection.connect('person');
    const catalog = core.catalog.of(connection)!;
    return { fixture, connection, catalog, core };
  };

  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ uri: `n://h/${index}`, text: 'x' }));

  for (const way of [...ways, sseFallback]) {
    it(`connects and says what the server is (${way.name})`, async () => {
      const { connection } = await begin(way, { name: 'fixture', version: '7', resources: many(1) });
      assert.equal(connection.state.kind, 'connected');
      const info = connection.state.kind === 'connected' ? connection.state.info : undefined;
      assert.equal(info?.era, way.era);
      assert.equal(info.serverName, 'fixture');
      assert.equal(info.protocolVersion, way.era === 'modern' ? '2026-07-28' : '2025-11-25');
    });

    it(`L1: all pages are asked for, cursors go back untouched (${way.name})`, async () => {
      const templates = many(250).map(({ uri }) => ({ uriTemplate: `${uri}/{x}` }));
      const { catalog, fixture } = await begin(way, { resources: many(250), templates, pageSize: 100 });
      const sizes: number[] = [];
      catalog.resources.onDidChange(() => sizes.push(catalog.resources.items.length));
      const listed = await catalog.resources.load();
      assert.deepEqual(
        listed.map(({ uri }) => uri),
        many(250).map(({ uri }) => uri),
      );
      assert.ok(sizes.includes(100) && sizes.includes(200), `pages appear as they come: ${sizes.join()}`);
      assert.equal((await catalog.templates.load()).length, 250);
      assert.equal((await fixture.control.requests('resources/list')).length, 3);
      assert.equal((await fixture.control.requests('resources/templates/list')).length, 3);
    });

    it(`L3: no resources/templates/list is no failure (${way.name})`, async () => {
      const { catalog, connection } = await begin(way, {
        resources: many(2),
        methods: { 'resources/templates/list': { error: { code: -32601, message: 'Method not found' } } },
      });
      assert.equal((await catalog.resources.load()).length, 2);
      assert.deepEqual(await catalog.templates.load(), []);
      assert.equal(catalog.state, 'loaded');
      assert.equal(connection.state.kind, 'connected');
    });

    it(`L4: no resources/list although declared: nothing is offered, and it is asked once (${way.name})`, async () => {
      const { catalog, fixture } = await begin(way, {
        templates: [{ uriTemplate: 'a://{b}' }],
        methods: { 'resources/list': { error: { code: -32601, message: 'Method not found' } } },
      });
      assert.deepEqual(await catalog.resources.load(), []);
      assert.equal((await catalog.templates.load()).length, 1);
      await catalog.resources.load();
      assert.equal((await fixture.control.requests('resources/list')).length, 1);
    });

    it(`L6: a server that a person says to ask anyway is asked, once where it knows no such method (${way.name})`, async () => {
      const listed = await way.start({ resources: many(2), capabilities: { tools: {} } });
      const unknown = await way.start({
        capabilities: { tools: {} },
        methods: { 'resources/list': { error: { code: -32601, message: 'no such method' } } },
      });
      fixtures.push(listed, unknown);
      core = startCore({ listed: listed.launch, unknown: unknown.launch }, { listsAnyway: true });
      const list = (id: string) => core!.catalog.of(core!.connection(id))!.resources;
      assert.equal((await list('listed').load()).length, 2);
      assert.deepEqual(await list('unknown').load(), []);
      await list('unknown').load();
      assert.equal(list('unknown').state, 'loaded');
      assert.equal((await unknown.control.requests('resources/list')).length, 1);
    });

    it(`L5: without the capability no resources request is sent (${way.name})`, async () => {
      const { catalog, fixture, core } = await begin(way, { resources: many(1), capabilities: { tools: {} } });
      assert.deepEqual(await catalog.resources.load(), []);
      assert.deepEqual(await catalog.templates.load(), []);
      const held = core.content.hold({ serverId: 'one', uri: 'n://h/0' });
      await assert.rejects(
        core.content.read({ serverId: 'one', uri: 'n://h/0' }, { purpose: 'open', initiative: 'person' }),
        /offers no resources/,
      );
      held.dispose();
      const asked = (await fixture.control.requests()).map(({ method }) => method);
      assert.deepEqual(
        asked.filter((method) => /^(resources|subscriptions)\//.test(method ?? '')),
        [],
      );
    });

    it(`L8: a server with resources alone is connected and listed (${way.name})`, async () => {
      const { catalog } = await begin(way, { resources: many(3), capabilities: { resources: {} } });
      assert.equal((await catalog.resources.load()).length, 3);
    });

    it(`L14: list_changed shows what was added, templates are listed again too (${way.name})`, async () => {
      const { catalog, fixture } = await begin(way, { resources: many(2), templates: [{ uriTemplate: 'a://{b}' }] });
      await Promise.all([catalog.resources.load(), catalog.templates.load()]);
      if (way.era === 'modern') {
        await fixture.control.waitForRequest('subscriptions/listen');
      }
      await until('the stream of changes is open', async () => (await fixture.control.add({ uri: 'new://one' })) > 0);
      await until(
        'the new resource is listed',
        () => catalog.resources.items.some(({ uri }) => uri === 'new://one'),
        1000,
      );
      await until(
        'templates were listed again',
        async () => (await fixture.control.requests('resources/templates/list')).length > 1,
      );
    });
  }

  it('stops at a cursor that comes again', async () => {
    const { catalog } = await begin(ways[0]!, {
      methods: { 'resources/list': { result: { resources: [{ uri: 'a:1', name: 'a' }], nextCursor: 'again' } } },
    });
    assert.equal((await catalog.resources.load()).length, 1);
  });

  it('keeps what was listed when a later listing fails, and says why', async () => {
    const { catalog, fixture } = await begin(ways[2]!, { resources: many(2) });
    await catalog.resources.load();
    await fixture.control.fault('resources/list', { error: { code: -32603, message: 'database is locked' } });
    await assert.rejects(catalog.resources.reload(), /database is locked/);
    assert.equal(catalog.resources.state, 'failed');
    assert.equal(catalog.resources.items.length, 2);
    await fixture.control.fault('resources/list', null);
    await catalog.resources.reload();
    assert.equal(catalog.resources.state, 'loaded');
  });

  it('L9: a server without resources and a slow one never make the list of a fast one empty, fifty times over', async () => {
    const legacy = ways[2]!;
    const servers = await Promise.all([
      legacy.start({ capabilities: { tools: {} } }),
      legacy.start({ resources: many(1), methods: { 'resources/list': { delay: 100 } } }),
      legacy.start({ resources: many(2) }),
    ]);
    fixtures.push(...servers);
    const [none, slow, fast] = servers;
    for (let time = 0; time < 50; time += 1) {
      core = startCore({ none: none.launch, slow: slow.launch, fast: fast.launch });
      const lists = await Promise.all(
        ['none', 'slow', 'fast'].map((id) => core!.catalog.of(core!.connection(id))!.resources.load()),
      );
      assert.deepEqual(
        lists.map(({ length }) => length),
        [0, 1, 2],
      );
      await core.end();
    }
  });
  it('V6: each server is listed when it is asked for, by itself, and says how far it is', async () => {
    const legacy = ways[2]!;
    const servers = await Promise.all([
      legacy.start({ resources: many(1), methods: { 'resources/list': { never: true } } }),
      legacy.start({ resources: many(2) }),
      legacy.start({ resources: many(3) }),
    ]);
    fixtures.push(...servers);
    const [slow, fast, unasked] = servers;
    core = startCore({ slow: slow.launch, fast: fast.launch, unasked: unasked.launch });
    const lists = (id: string) => core!.catalog.of(core!.connection(id))!.resources;
    lists('slow')
      .load()
      .catch(() => undefined);
    assert.equal((await lists('fast').load()).length, 2);
    assert.equal(lists('slow').state, 'loading');
    assert.equal(lists('unasked').state, 'idle');
    assert.deepEqual(await unasked.control.requests('resources/list'), []);
    assert.equal(core.connection('unasked').state.kind, 'notConnected');
  });

  it('a list that brings its server up is walked once', async () => {
    for (const way of ways) {
      const fixture = await way.start({ resources: many(30), pageSize: 10 });
      fixtures.push(fixture);
      core = startCore({ one: fixture.launch });
      assert.equal((await core.catalog.of(core.connection('one'))!.resources.load()).length, 30);
      assert.equal((await fixture.control.requests('resources/list')).length, 3, way.name);
      await core.end();
    }
  });

  it('listing can be stopped: what was found stays, and it is said that it is not all', async () => {
    const { catalog, fixture } = await begin(ways[0]!, { resources: many(20), pageSize: 10 });
    await fixture.control.fault('resources/list', { never: true });
    const { resources } = catalog;
    const walk = resources.load();
    await fixture.control.waitForRequest('resources/list');
    catalog.stop();
    await assert.rejects(walk, { name: 'CancelledError' });
    assert.equal(resources.state, 'failed');
    assert.match(resources.error?.message ?? '', /stopped; 0 entries/);
    await fixture.control.fault('resources/list', null);
    await resources.reload();
    assert.equal(resources.items.length, 20);
  });

  it('an invalid cursor means: from the start', async () => {
    const asked: (string | undefined)[] = [];
    let known = false;
    const list = new PagedList<string>(
      (cursor) => {
        asked.push(cursor);
        if (cursor === 'old') {
          known = true;
          return Promise.reject(new RequestError('server', 'no such cursor', -32602));
        }
        return Promise.resolve(
          cursor === undefined ? { items: ['a'], nextCursor: known ? 'new' : 'old' } : { items: ['b'] },
        );
      },
      (item) => item,
      () => 0,
    );
    assert.deepEqual(await list.load(), ['a', 'b']);
    assert.deepEqual(asked, [undefined, 'old', undefined, 'new']);
    list.dispose();
  });

  it('pages expire one by one: only those whose time is over are asked for again', async () => {
    const { catalog, fixture } = await begin(ways[1]!, { resources: many(30), pageSize: 10, ttlMs: 60_000 });
    await catalog.resources.load();
    await catalog.resources.revalidate();
    assert.equal((await fixture.control.requests('resources/list')).length, 3);
    await catalog.resources.reload();
    assert.equal((await fixture.control.requests('resources/list')).length, 6);
    await fixture.control.change({ ttlMs: 1 });
    await catalog.resources.reload();
    await until('they are over', async () => {
      await catalog.resources.revalidate();
      return (await fixture.control.requests('resources/list')).length >= 12;
    });
    assert.equal(catalog.resources.items.length, 30);
  });

  it('L10: ten list_changed in a row beside a manual refresh end in the right list', async () => {
    const { catalog, fixture } = await begin(ways[0]!, { resources: many(2) });
    await catalog.resources.load();
    const manual = catalog.reload();
    for (let index = 0; index < 10; index += 1) {
      await fixture.control.add({ uri: `new://${index}` });
    }
    await manual;
    await until('all twelve', () => catalog.resources.items.length === 12 && catalog.state === 'loaded');
  });

  it('L11: a resource that is listed twice is one resource', async () => {
    const twice = [...many(2), ...many(2)];
    const { catalog } = await begin(ways[0]!, { resources: twice, pageSize: 3 });
    assert.equal((await catalog.resources.load()).length, 2);
  });

  it('L15: list_changed is honoured although it was not declared', async () => {
    const { catalog, fixture } = await begin(ways[0]!, { resources: many(1), capabilities: { resources: {} } });
    await catalog.resources.load();
    await fixture.control.add({ uri: 'new://one' }, { notify: 'everyone' });
    await until('the new resource', () => catalog.resources.items.length === 2);
  });

  it('L17: a server with templates alone has them listed', async () => {
    const { catalog } = await begin(ways[0]!, { templates: [{ uriTemplate: 'a://{b}' }] });
    assert.deepEqual(await catalog.resources.load(), []);
    assert.equal((await catalog.templates.load()).length, 1);
  });

  it('a list that never ends is cut, shown, and said to be too long', async function () {
    this.timeout(60_000);
    let pages = 0;
    const list = new PagedList<string>(
      () => {
        pages += 1;
        return Promise.resolve({
          items: Array.from({ length: 5000 }, (_, index) => `${pages}/${index}`),
          nextCursor: String(pages),
          failures: Array.from({ length: 100_000 }, () => 'it is null'),
        });
      },
      (item) => item,
      () => 0,
    );
    await assert.rejects(list.load(), /has more than 200000 entries; its first 200000 entries are shown/);
    assert.equal(list.items.length, 200_000);
    assert.equal(list.state, 'failed');
    assert.equal(list.failures.length, 100);
  });

  it('a list of huge entries, or of huge cursors, is cut before it fills the memory', async () => {
    const huge = 'x'.repeat(1_000_000);
    const entryOf = (page: number) => ({ uri: `a://${page}`, name: 'n', description: huge, icons: [{ src: huge }] });
    let pages = 0;
    const endless = (items: (page: number) => ResourceEntry[], cursor: string) =>
      new PagedList<ResourceEntry>(
        () => {
          pages += 1;
          return Promise.resolve({ items: items(pages), nextCursor: `${cursor}${pages}` });
        },
        ({ uri }) => uri,
        entryCharacters,
      );
    const ofEntries = endless((page) => [entryOf(page)], 'c');
    await assert.rejects(ofEntries.load(), /is too large; its first \d+ entries are shown/);
    assert.ok(pages < 200, `${pages} pages`);
    // The page after the last that counts was asked for already.
    assert.equal(ofEntries.items.length, pages - 1);
    pages = 0;
    await assert.rejects(endless(() => [], huge).load(), /is too large/);
    assert.ok(pages < 300, `${pages} pages`);
  });
});
