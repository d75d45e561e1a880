import assert from 'node:assert/strict';
import { CancelledError } from '../../src/base/errors';
import { type Exclusion, type RecencyOf, ResourceIndex } from '../../src/catalog/resourceIndex';
import { TemplateInstances } from '../../src/catalog/templateInstances';
import type { Scenario } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, startCore } from './core';
import { type Fixture, ways } from './eras';

const nothing = () => false;
const showAll: Exclusion = { isHidden: nothing, excludedBy: () => nothing };

describe('the index of all resources', () => {
  let fixtures: Fixture[] = [];
  let core: Core | undefined;

  afterEach(async () => {
    await core?.end();
    await Promise.all(fixtures.map((fixture) => fixture.dispose()));
    core = undefined;
    fixtures = [];
  });

  /** Servers by name, not connected yet. */
  const begin = async (
    scenarios: Record<string, Scenario>,
    recencyOf: RecencyOf = () => new Map(),
    exclusion: Exclusion = showAll,
  ) => {
    const started = await Promise.all(
      Object.entries(scenarios).map(async ([name, scenario]) => [name, await ways[0]!.start(scenario)] as const),
    );
    fixtures = started.map(([, fixture]) => fixture);
    const running = startCore(Object.fromEntries(started.map(([name, { launch }]) => [name, launch])));
    core = running;
    const { pool, catalog } = running;
    const instances = new TemplateInstances({ get: () => undefined, update: () => Promise.resolve() });
    const index = new ResourceIndex({ pool, catalog, instances, recencyOf, exclusion });
    const load = async (name: string) => {
      await running.connection(name).connect('person');
      const { resources, templates } = running.catalog.of(running.connection(name))!;
      await Promise.all([resources.load(), templates.load()]);
    };
    const found = async (query: string, limit = 200) =>
      (await index.search({ query, limit })).map(({ source }) => `${source.ref.serverId} ${source.ref.uri}`);
    return { core: running, index, instances, load, found, fixture: Object.fromEntries(started) };
  };

  it('V1: leaves out hidden servers and what the settings exclude, and follows the settings', async () => {
    let isExcluded = (uri: string) => uri.endsWith('.png');
    const { load, found } = await begin(
      {
        docs: { resources: [{ uri: 'docs://a.md' }, { uri: 'docs://a.png' }] },
        secret: { resources: [{ uri: 'x://a' }] },
      },
      undefined,
      { isHidden: (id) => id === 'secret', excludedBy: () => isExcluded },
    );
    await Promise.all([load('docs'), load('secret')]);
    assert.deepEqual(await found(''), ['docs docs://a.md']);
    isExcluded = (uri) => uri.endsWith('.md');
    assert.deepEqual(await found('a'), ['docs docs://a.png']);
  });

  it('searches the resources and templates of all connected servers, and of no other', async () => {
    const { index, load, found, fixture } = await begin({
      docs: {
        resources: [
          { uri: 'docs://api/users.md', title: 'User guide' },
          { uri: 'docs://api/log.md', name: 'Log', description: 'Who used what' },
        ],
        templates: [{ uriTemplate: 'docs://api/{user}/notes', title: 'Notes of somebody' }],
      },
      notes: { resources: [{ uri: 'memo:user', name: 'Memo' }] },
      idle: { resources: [{ uri: 'idle:user' }] },
    });
    assert.deepEqual(await found('user'), []);
    await load('docs');
    await load('notes');
    assert.equal(index.size, 3);
    assert.deepEqual(await found(''), [
      'docs docs://api/users.md',
      'docs docs://api/log.md',
      'docs docs://api/{user}/notes',
      'notes memo:user',
    ]);
    assert.deepEqual((await found('user')).sort(), [
      'docs docs://api/users.md',
      'docs docs://api/{user}/notes',
      'notes memo:user',
    ]);
    assert.deepEqual(await found('who used'), ['docs docs://api/log.md']);
    assert.deepEqual(await found('', 1), ['docs docs://api/users.md']);
    const [match] = await index.search({ query: 'notes of', limit: 1 });
    assert.equal(match?.source.found.kind, 'template');
    assert.deepEqual(await fixture.idle!.control.requests(), []);
  });

  it('T11: finds what was made of a template, once, and only while it is not listed itself', async () => {
    const { index, instances, load, found, fixture } = await begin({
      docs: {
        resources: [{ uri: 'docs://users/bob', title: 'Bob' }],
        templates: [
          { uriTemplate: 'docs://users/{user}', title: 'Somebody' },
          { uriTemplate: 'docs://{+path}', title: 'Anything' },
        ],
      },
      files: { resources: [{ uri: 'f:1' }] },
    });
    await load('docs');
    await load('files');
    const put = (serverId: string, uriTemplate: string, uri: string, name?: string) =>
      instances.put({ serverId, uriTemplate, uri, texts: { user: uri.split('/').at(-1)! }, name });
    await put('docs', 'docs://users/{user}', 'docs://users/ann', 'Our Ann');
    await put('docs', 'docs://{+path}', 'docs://users/ann');
    await put('docs', 'docs://users/{user}', 'docs://users/bob');
    await put('docs', 'gone://{user}', 'gone://ann');
    await put('files', 'docs://users/{user}', 'docs://users/ann');
    assert.deepEqual(await found('ann'), ['docs docs://users/ann']);
    assert.deepEqual(await found('somebody our'), ['docs docs://users/ann']);
    assert.deepEqual(await found('bob'), ['docs docs://users/bob']);
    const [match] = await index.search({ query: 'ann', limit: 1 });
    assert.equal(match?.source.title, 'Our Ann');
    assert.ok(match.source.found.kind === 'resource' && match.source.found.madeFrom?.title === 'Somebody');
    await until('somebody listens', async () => (await fixture.docs!.control.add({ uri: 'docs://users/ann' })) > 0);
    await until('the list has it', async () => {
      const [listed, ...others] = await index.search({ query: 'docs://users/ann', limit: 10 });
      return others.length === 0 && listed?.source.found.kind === 'resource' && !listed.source.found.madeFrom;
    });
  });

  it('the name of a server finds what it lists, below what has the word itself', async () => {
    const { load, found } = await begin({
      docs: {
        resources: [
          { uri: 'memo:1', title: 'Read me' },
          { uri: 'memo:2', title: 'Other' },
        ],
      },
      files: {
        resources: [
          { uri: 'f:1', title: 'Ready' },
          { uri: 'f:2', title: 'The docs' },
        ],
      },
    });
    await Promise.all([load('docs'), load('files')]);
    assert.deepEqual(await found('docs'), ['files f:2', 'docs memo:1', 'docs memo:2']);
    assert.deepEqual(await found('docs read'), ['docs memo:1']);
  });

  it('what was used lately comes first, and follows what is used next', async () => {
    let recent: ReadonlyMap<string, number> = new Map([['n:2', 0]]);
    const { load, found } = await begin(
      { one: { resources: [{ uri: 'n:1' }, { uri: 'n:2' }, { uri: 'n:3' }] } },
      () => recent,
    );
    await load('one');
    assert.deepEqual(await found(''), ['one n:2', 'one n:1', 'one n:3']);
    recent = new Map([
      ['n:3', 0],
      ['n:2', 1],
    ]);
    assert.deepEqual(await found('n'), ['one n:3', 'one n:2', 'one n:1']);
    assert.deepEqual(await found(''), ['one n:3', 'one n:2', 'one n:1']);
    recent = new Map();
    assert.deepEqual(await found(''), ['one n:1', 'one n:2', 'one n:3']);
  });

  it('before anything is typed, each server has its share', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ uri: `n:${index}` }));
    const { load, found } = await begin(
      {
        big: { resources: many(300) },
        small: { resources: many(3), templates: [{ uriTemplate: 't:{a}' }] },
        large: { resources: many(200) },
      },
      (serverId) => new Map(serverId === 'big' ? [['n:299', 0]] : []),
    );
    await Promise.all(['big', 'small', 'large'].map(load));
    const listed = await found('', 101);
    assert.equal(listed.length, 101);
    assert.equal(listed[0], 'big n:299');
    const of = (server: string) => listed.slice(1).filter((line) => line.startsWith(server));
    assert.deepEqual(of('small'), ['small n:0', 'small n:1', 'small n:2', 'small t:{a}']);
    assert.equal(of('big').length, 48);
    assert.equal(of('large').length, 48);
    assert.deepEqual(listed.slice(1, 3), ['big n:0', 'big n:1']);
    assert.equal((await found('', 1000)).length, 504);
  });

  it('pages are found as they come, a new list takes the place of the old one, a stopped server is left out', async () => {
    const resources = Array.from({ length: 300 }, (_, index) => ({ uri: `n://h/${index}` }));
    const { core, index, load, found, fixture } = await begin({ one: { resources, pageSize: 100 } });
    const connection = core.connection('one');
    const list = core.catalog.of(connection)!.resources;
    const sizes = new Set<number>();
    const pages: Promise<void>[] = [];
    list.onDidChange(() => pages.push(found('', 1000).then(({ length }) => void sizes.add(length))));
    await load('one');
    await Promise.all(pages);
    assert.ok(sizes.has(300) && sizes.size > 1, `pages appear as they come: ${[...sizes].join()}`);
    await until('somebody listens', async () => (await fixture.one!.control.add({ uri: 'new://one' })) > 0);
    await until('the new one is found', async () => (await found('new://one')).length === 1);
    assert.equal(index.size, 301);
    await connection.stop();
    assert.equal(index.size, 0);
    assert.deepEqual(await found(''), []);
  });

  it('a search that is given up ends, and the next one finds everything', async () => {
    const resources = Array.from({ length: 5000 }, (_, index) => ({ uri: `n://h/${index}`, title: `Report ${index}` }));
    const { index, load, found } = await begin({ one: { resources, pageSize: 1000 } });
    await load('one');
    const abort = new AbortController();
    const given = index.search({ query: 'report', limit: 10 }, abort.signal);
    abort.abort();
    await assert.rejects(given, CancelledError);
    const [first, second] = await Promise.all([found('report', 10_000), found('4999', 10_000)]);
    assert.equal(new Set(first).size, 5000);
    assert.equal(first.length, 5000);
    assert.deepEqual(second, ['one n://h/4999']);
  });
});
