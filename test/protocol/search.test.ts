import assert from 'node:assert/strict';
import { ContentSearch, largestSearched, type SearchLimits } from '../../src/content/contentSearch';
import type { Scenario } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, startCore } from './core';
import { type Fixture, type Way, ways } from './eras';

describe('searching in contents', () => {
  let core: Core;
  let fixtures: Fixture[] = [];

  afterEach(async () => {
    await core.end();
    await Promise.all(fixtures.map((fixture) => fixture.dispose()));
    fixtures = [];
  });

  const begin = async (way: Way, ...scenarios: Scenario[]) => {
    fixtures = await Promise.all(scenarios.map((scenario) => way.start(scenario)));
    core = startCore(Object.fromEntries(fixtures.map(({ launch }, index) => [`s${index}`, launch])));
    for (const connection of core.pool.all) {
      await connection.connect('person');
      await core.catalog.of(connection)!.resources.load();
    }
  };

  const searchFor = (text: string, limits?: Partial<SearchLimits>) =>
    new ContentSearch({
      targets: core.pool.all.flatMap((connection) =>
        core.catalog.of(connection)!.resources.items.map(({ uri, size, mimeType }) => ({
          ref: { serverId: connection.id, uri },
          size,
          mimeType,
        })),
      ),
      query: { text, matchCase: false, wholeWord: false },
      read: (ref, signal) => core.content.look(ref, signal),
      limits: { bytes: 50 * 1024 * 1024, matches: 2000, milliseconds: 20_000, ...limits },
    });
  const reads = async (server = 0) => (await fixtures[server]!.control.requests('resources/read')).length;
  const many = (count: number, text = 'a needle') =>
    Array.from({ length: count }, (_, index) => ({ uri: `n://h/${index}`, text }));

  for (const way of ways) {
    describe(way.name, () => {
      it('finds what each text says, in the order of the list, and leaves no trace', async () => {
        await begin(way, {
          resources: [
            { uri: 'a://1', text: 'one\ntwo needle\nneedle', delay: 100 },
            { uri: 'a://2', contents: [{ bytes: 300, mimeType: 'image/png' }] },
            { uri: 'a://3', text: 'nothing' },
            {
              uri: 'a://4',
              contents: [
                { blob: Buffer.from('NEEDLE é', 'latin1').toString('base64'), mimeType: 'text/plain;charset=latin1' },
              ],
            },
            { uri: 'a://5', error: { code: -32603, message: 'the disk is on fire' } },
            { uri: 'a://6', contents: [] },
          ],
        });
        const search = searchFor('needle');
        let told = 0;
        search.onDidChange(() => (told += 1));
        await search.run();
        assert.equal(search.state, 'done');
        assert.deepEqual(
          search.hits.map(({ ref, matches }) => [ref.uri, matches.map(({ line, character }) => [line, character])]),
          [
            [
              'a://1',
              [
                [1, 4],
                [2, 0],
              ],
            ],
            ['a://4', [[0, 0]]],
          ],
        );
        assert.deepEqual(
          [search.searched, search.total, search.matches, search.resourcesWithMatches, search.binaries],
          [6, 6, 3, 2, 1],
        );
        assert.deepEqual(
          search.failures.map(({ uri, reason }) => [uri, reason.includes('the disk is on fire')]),
          [['a://5', true]],
        );
        assert.equal(told, 7);
        assert.equal(await reads(), 6);
        const asked = (await fixtures[0]!.control.requests()).map(({ method }) => method);
        assert.ok(!asked.includes('resources/subscribe'));
        assert.equal(core.content.peek({ serverId: 's0', uri: 'a://1' }), undefined);
        assert.equal(core.content.failureOf({ serverId: 's0', uri: 'a://5' }), undefined);
      });

      it('searches each part as a document of its own, and none that is listed by itself', async () => {
        const part = (uri: string, text: string) => ({ uri, text, mimeType: 'text/plain' });
        await begin(way, {
          resources: [
            {
              uri: 'd://dir',
              mimeType: 'inode/directory',
              contents: [part('d://dir/a', 'needle'), part('d://dir/b', 'needle needle'), part('d://dir/c', 'x')],
            },
            { uri: 'd://dir/a', text: 'needle' },
            {
              uri: 'd://two',
              contents: [
                { text: 'x', mimeType: 'text/plain' },
                { text: '<i>needle', mimeType: 'text/html' },
              ],
            },
          ],
        });
        const search = searchFor('needle');
        await search.run();
        assert.deepEqual(
          search.hits.map(({ ref, child, matches }) => [ref.uri, child, matches.length]),
          [
            ['d://dir', 'b.txt', 2],
            ['d://dir/a', undefined, 1],
            ['d://two', 'two.html', 1],
          ],
        );
        assert.equal(search.resourcesWithMatches, 3);
      });

      it('is cancelled at once, with what it has found so far, and the server is told', async () => {
        await begin(way, { resources: [...many(2), { uri: 'n://never', text: 'needle', never: true }] });
        const search = searchFor('needle');
        const abort = new AbortController();
        const running = search.run(abort.signal);
        await until('the two that answer', () => search.searched === 2);
        abort.abort();
        await running;
        assert.equal(search.state, 'cancelled');
        assert.equal(search.matches, 2);
        assert.deepEqual(search.failures, []);
        if (way.name.endsWith('stdio')) {
          await fixtures[0]!.control.waitForRequest(({ method }) => method === 'notifications/cancelled');
        }
      });

      it('ends when its time is over, without waiting for an answer', async () => {
        await begin(way, { resources: [...many(3), { uri: 'n://never', text: 'needle', never: true }] });
        const search = searchFor('needle', { milliseconds: 1500 });
        await search.run();
        assert.equal(search.state, 'milliseconds');
        assert.deepEqual([search.searched, search.matches], [3, 3]);
      });
    });
  }

  const legacy = ways[2]!;

  it('ends at the limit of matches, and says so only where there are more', async () => {
    await begin(legacy, { resources: many(4, 'needle needle needle') });
    const exact = searchFor('needle', { matches: 12 });
    await exact.run();
    assert.deepEqual([exact.state, exact.matches], ['done', 12]);
    const short = searchFor('needle', { matches: 10 });
    await short.run();
    assert.deepEqual([short.state, short.matches], ['matches', 10]);
  });

  it('ends at the limit of bytes, and reads no further', async () => {
    await begin(legacy, { resources: many(50, `needle${'x'.repeat(994)}`) });
    const search = searchFor('needle', { bytes: 10_000 });
    await search.run();
    assert.deepEqual([search.state, search.matches], ['bytes', 10]);
    assert.ok((await reads()) <= 14, `${await reads()} reads`);
  });

  it('does not search what is too large, and does not read what is known to be', async () => {
    await begin(legacy, {
      resources: [
        { uri: 'l://listed', text: 'needle', size: largestSearched + 1 },
        { uri: 'l://read', contents: [{ text: 'needle', repeat: 900_000 }] },
        { uri: 'l://small', text: 'needle' },
      ],
    });
    const search = searchFor('needle');
    await search.run();
    assert.equal(search.state, 'done');
    assert.deepEqual(
      search.hits.map(({ ref }) => ref.uri),
      ['l://small'],
    );
    assert.deepEqual(search.failures.map(({ uri, reason }) => `${uri} ${reason}`).sort(), [
      'l://listed it is larger than 5 MB',
      'l://read it is larger than 5 MB',
    ]);
    assert.equal(await reads(), 2);
  });

  it('does not read what is listed as a picture, sound or film, but an SVG', async () => {
    await begin(legacy, {
      resources: [
        { uri: 'm://png', mimeType: 'image/png', contents: [{ bytes: 100 }] },
        { uri: 'm://mp4', mimeType: 'video/mp4', contents: [{ bytes: 100 }] },
        { uri: 'm://svg', mimeType: 'image/svg+xml', text: '<svg><text>needle</text></svg>' },
        { uri: 'm://unsaid', contents: [{ bytes: 100 }] },
      ],
    });
    const search = searchFor('needle');
    await search.run();
    assert.deepEqual([search.state, search.matches, search.binaries, search.searched], ['done', 1, 3, 4]);
    assert.equal(await reads(), 2);
  });

  it('asks four at a time of each server', async () => {
    const scenario = { resources: many(10) };
    await begin(legacy, scenario, scenario);
    await Promise.all(fixtures.map(({ control }) => control.hold('resources/read')));
    const search = searchFor('needle');
    const running = search.run();
    await Promise.all(fixtures.map(({ control }) => control.waitForRequest('resources/read', { count: 4 })));
    // A request that is answered while the four wait: a fifth read would have come before it.
    await Promise.all(core.pool.all.map((connection) => connection.listTemplates(undefined)));
    assert.deepEqual([await reads(0), await reads(1)], [4, 4]);
    await Promise.all(fixtures.map(({ control }) => control.release('resources/read')));
    await running;
    assert.deepEqual([search.state, search.matches], ['done', 20]);
  });

  it('does not ask for what is known and fresh, or open', async () => {
    await begin(ways[3]!, {
      resources: [
        { uri: 'f://fresh', text: 'needle', ttlMs: 60_000 },
        { uri: 'f://open', text: 'needle' },
        { uri: 'f://old', text: 'needle' },
      ],
    });
    const read = (uri: string) => core.content.read({ serverId: 's0', uri }, { purpose: 'open', initiative: 'person' });
    const held = core.content.hold({ serverId: 's0', uri: 'f://open' });
    await Promise.all([read('f://fresh'), read('f://open')]);
    const before = await reads();
    const search = searchFor('needle');
    await search.run();
    held.dispose();
    assert.equal(search.matches, 3);
    assert.equal((await reads()) - before, 1);
  });

  it('asks nobody for input: such a resource is one that could not be searched', async () => {
    await begin(ways[3]!, {
      resources: [
        {
          uri: 'i://ask',
          text: 'needle',
          input: { requests: [{ message: 'Who?', requestedSchema: { type: 'object', properties: {} } }] },
        },
        { uri: 'i://plain', text: 'needle' },
      ],
    });
    const search = searchFor('needle');
    await search.run();
    assert.equal(search.matches, 1);
    assert.deepEqual(
      search.failures.map(({ uri }) => uri),
      ['i://ask'],
    );
  });

  it('a server that is lost costs only its own resources', async () => {
    await begin(ways[0]!, { resources: many(3) }, { resources: many(3) });
    await core.connection('s0').stop();
    const search = searchFor('needle');
    await search.run();
    assert.deepEqual([search.state, search.matches, search.failures.length], ['done', 3, 3]);
    assert.match(search.failures[0]!.reason, /stopped/);
  });
});
