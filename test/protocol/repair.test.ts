import assert from 'node:assert/strict';
import type { Scenario } from '../server/fixtureClient';
import { goodEntries, oddEntries, oddReads, oddScenario } from '../server/oddScenario';
import { type Core, startCore } from './core';
import { type Fixture, sseFallback, type Way, ways } from './eras';

describe('repair', () => {
  let core: Core;
  let fixture: Fixture;

  afterEach(async () => {
    await core.end();
    await fixture.dispose();
  });

  const begin = async (way: Way, scenario: Scenario) => {
    fixture = await way.start(scenario);
    core = startCore({ one: fixture.launch });
    const connection = core.connection('one');
    await connection.connect('person');
    return {
      connection,
      catalog: core.catalog.of(connection)!,
      read: (uri: string) => connection.read(uri, { initiative: 'person' }),
    };
  };
  const repairs = () => core.lines.filter((line) => line.includes('Repaired '));

  for (const way of [...ways, sseFallback]) {
    describe(way.name, () => {
      it('a list with every oddity costs no good entry, and each repair is logged', async () => {
        const { catalog } = await begin(way, oddScenario);
        const listed = (await catalog.resources.load()).slice(0, oddEntries.length);
        const names = oddEntries.flatMap(({ name }) => name ?? []);
        assert.deepEqual(
          listed.map(({ name }) => name),
          ['first', ...names, 'last'],
        );
        assert.deepEqual(catalog.resources.failures, ['entry 12 is null', 'entry 13 has no URI (its name is "lost")']);
        for (const log of oddEntries.flatMap(({ log }) => log ?? [])) {
          assert.ok(
            repairs().some((line) => log.test(line) && line.includes('resources/list')),
            `${String(log)} in\n${repairs().join('\n')}`,
          );
        }
        assert.ok(!repairs().some((line) => /good:\/\/|odd:\/\/u"/.test(line)));
      });

      it('V4: a bad date and a priority of 7 are ignored, the entry stays', async () => {
        const annotations = { lastModified: 'last week', priority: 7, audience: ['user'] };
        const { catalog } = await begin(way, { resources: [{ ...goodEntries.first, annotations }] });
        const expected = { audience: ['user'], priority: undefined, lastModified: undefined };
        assert.deepEqual((await catalog.resources.load())[0]?.annotations, expected);
      });

      it('templates are mended like resources', async () => {
        const templates = [
          { uriTemplate: 'a', entry: { uriTemplate: 'a://{b}/{c}' } },
          { uriTemplate: 'b', entry: { name: 'lost' } },
          { uriTemplate: 'c', entry: { uriTemplate: 'c://{d}', name: 'c', annotations: { priority: 'high' } } },
        ];
        const { catalog } = await begin(way, { templates, pageSize: 1 });
        const listed = await catalog.templates.load();
        assert.deepEqual(
          listed.map(({ uriTemplate, name }) => [uriTemplate, name]),
          [
            ['a://{b}/{c}', '{c}'],
            ['c://{d}', 'c'],
          ],
        );
        assert.deepEqual(catalog.templates.failures, ['page 2: entry 1 has no URI template (its name is "lost")']);
      });

      it('the fields around a list are mended too', async () => {
        const envelope = { resultType: 7, ttlMs: -1, cacheScope: 'all', nextCursor: null };
        const result = { ...envelope, resources: [{ uri: goodEntries.first.uri, name: goodEntries.first.name }] };
        const { catalog } = await begin(way, { methods: { 'resources/list': { result } } });
        assert.equal((await catalog.resources.load()).length, 1);
        assert.ok(repairs().some((line) => line.includes('nextCursor null')));
      });

      it('odd items of a read are mended or fail alone', async () => {
        const { read } = await begin(way, oddScenario);
        for (const { name, expected, log } of oddReads) {
          const before = repairs().length;
          const { contents } = await read(`odd://${name}`);
          assert.equal(contents.length, expected.length, name);
          expected.forEach((item, index) => assert.deepEqual({ ...contents[index], ...item }, contents[index], name));
          const said = repairs().slice(before).join('\n');
          assert.ok(log ? log.test(said) && said.includes(`odd://${name}`) : said === '', `${name}: ${said}`);
        }
      });

      it('R10: text and blob both stay reachable', async () => {
        const raw = { uri: 'odd://both', mimeType: 'image/png', text: 'a picture', blob: 'AQI=' };
        const { read } = await begin(way, { resources: [{ uri: 'odd://both', contents: [{ raw }] }] });
        const { contents } = await read('odd://both');
        assert.deepEqual(
          contents.map(({ text, blob, mimeType }) => [text ?? blob, mimeType]),
          [
            ['a picture', undefined],
            ['AQI=', 'image/png'],
          ],
        );
        assert.match(repairs().join(), /"odd:\/\/both".*both text and blob/);
      });

      it('R11: contents: [null] is a failed item with its reason, no contents are none', async () => {
        const resources = [{ uri: 'odd://null', contents: [{ raw: null }] }];
        const { connection, read } = await begin(way, { resources });
        const [item] = (await read('odd://null')).contents;
        assert.deepEqual(item, { uri: 'odd://null', mimeType: undefined, failure: 'it is null' });
        await fixture.control.fault('resources/read', { result: { contents: null } });
        assert.deepEqual((await read('odd://null')).contents, []);
        await fixture.control.fault('resources/read', { result: { isError: true, content: [{ text: 'locked' }] } });
        const [told] = (await read('odd://null')).contents;
        assert.equal(told?.failure, 'the answer has no contents; the server says: locked');
        assert.equal(connection.state.kind, 'connected');
      });
    });
  }
});
