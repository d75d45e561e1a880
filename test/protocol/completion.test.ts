import assert from 'node:assert/strict';
import { TypedCompletion } from '../../src/catalog/typedCompletion';
import type { CompletionRequest } from '../../src/connection/wire';
import type { Scenario } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, startCore } from './core';
import { type Fixture, ways } from './eras';

const many = Array.from({ length: 1234 }, (_, index) => `issue-${index}`);
const uriTemplate = 'repo://{owner}/{name}{?issue}';
const scenario: Scenario = {
  templates: [
    {
      uriTemplate,
      completions: {
        owner: ['ada', 'alan', 'grace'],
        name: { dependsOn: 'owner', values: { ada: ['engine', 'notes'], alan: ['machine'] } },
        issue: many,
      },
    },
  ],
};

const nothing = new AbortController().signal;
const owner = (value: string): CompletionRequest => ({ uriTemplate, argument: 'owner', value, context: {} });

for (const way of ways) {
  describe(`completion (${way.name})`, () => {
    let core: Core;
    let fixture: Fixture;

    afterEach(async () => {
      await core.end();
      await fixture.dispose();
    });

    const begin = async (served: Scenario) => {
      fixture = await way.start(served);
      core = startCore({ one: fixture.launch }, { requestTimeoutMs: 1000 });
      const connection = core.connection('one');
      await connection.connect('person');
      return { connection, completer: core.catalog.of(connection)!.completer };
    };
    const asked = () => fixture.control.requests('completion/complete');

    it('T8: the second request carries the values that were chosen before', async () => {
      const { completer } = await begin(scenario);
      assert.deepEqual((await completer.suggest(owner('a'), nothing))?.values, ['ada', 'alan']);
      const second = await completer.suggest(
        { uriTemplate, argument: 'name', value: '', context: { owner: 'ada' } },
        nothing,
      );
      assert.deepEqual(second?.values, ['engine', 'notes']);
      const [first, next] = (await asked()).map(({ params }) => params);
      assert.deepEqual(first?.ref, { type: 'ref/resource', uri: uriTemplate });
      assert.deepEqual(first?.argument, { name: 'owner', value: 'a' });
      assert.equal(first?.context, undefined);
      assert.deepEqual(next?.argument, { name: 'name', value: '' });
      assert.deepEqual(next?.context, { arguments: { owner: 'ada' } });
    });

    it('T9: the number of those that were not sent is known', async () => {
      const { completer } = await begin(scenario);
      const { values, total, hasMore } =
        (await completer.suggest({ uriTemplate, argument: 'issue', value: '', context: {} }, nothing)) ?? {};
      assert.deepEqual({ count: values?.length, total, hasMore }, { count: 100, total: 1234, hasMore: true });
    });

    it('T9: without the capability nothing is asked', async () => {
      const { completer } = await begin({ ...scenario, capabilities: { resources: {} } });
      assert.equal(await completer.suggest(owner(''), nothing), undefined);
      assert.deepEqual(await asked(), []);
    });

    it('T9: a server that does not know the method is asked once in a session', async () => {
      const fault = { error: { code: -32601, message: 'Method not found' } };
      const { completer, connection } = await begin({ ...scenario, methods: { 'completion/complete': fault } });
      assert.equal(await completer.suggest(owner(''), nothing), undefined);
      assert.equal(await completer.suggest(owner('a'), nothing), undefined);
      assert.equal((await asked()).length, 1);
      await connection.restart();
      await completer.suggest(owner(''), nothing);
      assert.equal((await asked()).length, 2);
    });

    it('T9: errors and time limits are no suggestions, told in the log alone, and the next request is sent', async () => {
      const { completer } = await begin(scenario);
      await fixture.control.fault('completion/complete', { error: { code: -32603, message: 'the index burns' } });
      assert.equal(await completer.suggest(owner('a'), nothing), undefined);
      await fixture.control.fault('completion/complete', { never: true });
      assert.equal(await completer.suggest(owner('a'), nothing), undefined);
      await fixture.control.fault('completion/complete', null);
      assert.deepEqual((await completer.suggest(owner('g'), nothing))?.values, ['grace']);
      const told = core.lines.filter((line) => line.includes('No suggestions for "owner"'));
      assert.equal(told.length, 2, told.join('\n'));
      assert.match(told[0]!, /the index burns/);
      assert.match(told[1]!, /no answer within 1 s/);
    });

    it('odd answers cost no good value', async () => {
      const { completer } = await begin(scenario);
      const answers = [
        { completion: { values: ['a', 5, null, 'b'], total: 'many', hasMore: 'yes' } },
        { completion: ['a', 'b'] },
        { completion: { values: many } },
        { completion: { values: 'a' } },
        { completion: null },
      ];
      const seen = [];
      for (const result of answers) {
        await fixture.control.fault('completion/complete', { result });
        seen.push(await completer.suggest(owner(''), nothing));
      }
      const plain = { total: undefined, hasMore: false };
      assert.deepEqual(seen, [
        { ...plain, values: ['a', 'b'] },
        { ...plain, values: ['a', 'b'] },
        { ...plain, values: many.slice(0, 100), hasMore: true },
        { ...plain, values: [] },
        { ...plain, values: [] },
      ]);
      assert.ok(core.lines.some((line) => line.includes('completion/complete') && line.includes('no strings')));
    });

    it('T9: while typing one request is sent per pause, and a late answer for an old text is dropped', async () => {
      const { completer } = await begin(scenario);
      const typed = new TypedCompletion((text, signal) => completer.suggest(owner(text), signal), 50);
      const shown: (readonly string[] | undefined)[] = [];
      typed.onDidChange(() => shown.push(typed.completion?.values));
      await fixture.control.hold('completion/complete');
      typed.type('', true);
      await until('the first request', async () => (await asked()).length === 1);
      for (const text of ['g', 'gr', 'gra']) {
        typed.type(text);
      }
      await until('the second request', async () => (await asked()).length === 2);
      assert.deepEqual(
        (await asked()).map(({ params }) => (params?.argument as { value: string }).value),
        ['', 'gra'],
      );
      assert.ok(typed.busy);
      await fixture.control.release('completion/complete');
      await until('the answer', () => !typed.busy);
      assert.deepEqual(typed.completion?.values, ['grace']);
      assert.ok(!shown.some((values) => values?.includes('ada')), 'the old answer never showed');
      typed.type('grac');
      assert.deepEqual(typed.completion?.values, ['grace'], 'what fits stays until the next answer');
      typed.type('x');
      assert.deepEqual(typed.completion?.values, []);
      typed.dispose();
    });
  });
}
