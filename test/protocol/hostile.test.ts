import assert from 'node:assert/strict';
import type { Disposable } from '../../src/base/lifecycle';
import type { JsonObject, Scenario } from '../server/scenario';
import { until } from '../until';
import { type Core, type CoreOptions, startCore } from './core';
import { type Fixture, type Way, ways } from './eras';

const legacyWays = ways.filter(({ era }) => era === 'legacy');
const modernWays = ways.filter(({ era }) => era === 'modern');

describe('servers that keep a client busy, or waiting', () => {
  let core: Core;
  let fixture: Fixture;
  let holds: Disposable[] = [];

  afterEach(async () => {
    holds.forEach((hold) => {
      hold.dispose();
    });
    holds = [];
    await core.end();
    await fixture.dispose();
  });

  const begin = async (way: Way, scenario: Scenario, options: CoreOptions = {}) => {
    fixture = await way.start(scenario);
    core = startCore({ one: fixture.launch }, options);
    await core.connection('one').connect('person');
  };

  const ref = (uri: string) => ({ serverId: 'one', uri });
  const hold = (uri: string) => {
    const held = core.content.hold(ref(uri));
    holds.push(held);
    return held;
  };
  const liveness = (uri: string) => core.connection('one').subscriptions.liveness(uri);
  const read = async (uri: string) =>
    Buffer.from(
      (await core.content.read(ref(uri), { purpose: 'open', initiative: 'person' })).content.bytes,
    ).toString();
  const count = async (method: string) => (await fixture.control.requests(method)).length;
  const resources = ['a://x', 'a://y', 'a://z'].map((uri) => ({ uri, text: uri }));

  for (const way of modernWays) {
    it(`S12: a stream that is answered as soon as it is open is not opened again and again (${way.name})`, async () => {
      await begin(way, { resources, listenEnds: 'answered' });
      hold('a://x');
      assert.equal(await read('a://x'), 'a://x');
      await until('not live', () => liveness('a://x') === 'notLive');
      // Each takes a turn of the loop that would open streams, too.
      for (let turn = 0; turn < 30; turn += 1) {
        await core.connection('one').listResources(undefined);
      }
      assert.ok((await count('subscriptions/listen')) <= 3, `${await count('subscriptions/listen')} streams`);
    });

    it(`S12: a stream that is cancelled as soon as it is open is tried again with growing pauses (${way.name})`, async () => {
      await begin(way, { resources, listenEnds: 'cancelled' }, { backoff: { firstMs: 5, longestMs: 10, attempts: 4 } });
      hold('a://x');
      await read('a://x');
      await until('some attempts', async () => (await count('subscriptions/listen')) >= 5);
      for (let turn = 0; turn < 30; turn += 1) {
        await core.connection('one').listResources(undefined);
      }
      assert.ok((await count('subscriptions/listen')) <= 8, `${await count('subscriptions/listen')} streams`);
      assert.equal(liveness('a://x'), 'notLive');
    });
  }

  for (const way of legacyWays) {
    it(`S10: a subscription that is never answered does not keep the others waiting (${way.name})`, async () => {
      await begin(way, { resources });
      await fixture.control.hold('resources/subscribe a://x');
      hold('a://x');
      assert.equal(await read('a://x'), 'a://x');
      hold('a://y');
      await until('the other is live', () => liveness('a://y') === 'live', 2000);
      assert.equal(liveness('a://x'), 'pending');
      await fixture.control.release('resources/subscribe a://x');
      await until('live in the end', () => liveness('a://x') === 'live');
    });

    it(`S9: an unsubscribe that is never answered does not keep the others waiting (${way.name})`, async () => {
      await begin(way, { resources });
      const first = hold('a://x');
      await until('live', () => liveness('a://x') === 'live');
      await fixture.control.hold('resources/unsubscribe');
      first.dispose();
      await fixture.control.waitForRequest('resources/unsubscribe');
      hold('a://y');
      await until('another is live', () => liveness('a://y') === 'live', 2000);
      // Wanted again meanwhile: asked for once the server has let go of it, not before.
      hold('a://x');
      await fixture.control.release('resources/unsubscribe');
      await until('live again', () => liveness('a://x') === 'live');
      assert.equal(await fixture.control.subscriptions(), 2);
    });

    it(`S9: two hundred quick openings leave no subscription behind (${way.name})`, async () => {
      await begin(way, { resources });
      for (let turn = 0; turn < 200; turn += 1) {
        const held = core.content.hold(ref(resources[turn % 3]!.uri));
        if (turn % 5 === 0) {
          await read(resources[turn % 3]!.uri);
        }
        held.dispose();
      }
      const { subscriptions } = core.connection('one');
      await until('nothing is wanted', () => subscriptions.facts.wanted === 0);
      await until('nothing is subscribed', async () => (await fixture.control.subscriptions()) === 0);
      assert.deepEqual([subscriptions.facts.live, subscriptions.facts.pending], [0, 0]);
      hold('a://x');
      await until('live', () => liveness('a://x') === 'live');
      assert.equal(await fixture.control.subscriptions(), 1);
    });
  }

  for (const way of ways) {
    it(`L10: a list that changes whenever it is asked for is listed, and not asked for again at once (${way.name})`, async () => {
      await begin(way, { resources, changeOnList: true });
      if (way.era === 'modern') {
        await fixture.control.waitForRequest('subscriptions/listen');
      }
      const catalog = core.catalog.of(core.connection('one'))!;
      assert.equal((await catalog.resources.load()).length, 3);
      for (let turn = 0; turn < 30; turn += 1) {
        assert.equal(await read('a://x'), 'a://x');
      }
      assert.ok((await count('resources/list')) <= 6, `${await count('resources/list')} lists`);
    });

    it(`L14: of a thousand list_changed the last one counts (${way.name})`, async () => {
      await begin(way, { resources });
      if (way.era === 'modern') {
        await fixture.control.waitForRequest('subscriptions/listen');
      }
      const catalog = core.catalog.of(core.connection('one'))!;
      await catalog.resources.load();
      for (let turn = 0; turn < 100; turn += 1) {
        await Promise.all(
          Array.from({ length: 10 }, () => fixture.control.notify('notifications/resources/list_changed')),
        );
      }
      await fixture.control.add({ uri: 'new://one' });
      await until(
        'the new one',
        () => catalog.entryOf('new://one') !== undefined && catalog.resources.state === 'loaded',
        3000,
      );
      assert.ok((await count('resources/list')) < 20, `${await count('resources/list')} lists`);
    });
  }

  for (const way of ways) {
    it(`L14: a change that comes during a walk that then fails leads to another walk, without hurry (${way.name})`, async () => {
      await begin(way, { resources });
      if (way.era === 'modern') {
        await fixture.control.waitForRequest('subscriptions/listen');
      }
      const catalog = core.catalog.of(core.connection('one'))!;
      const error = { code: -32000, message: 'not now' };
      await fixture.control.fault('resources/list', { error, delay: 300, times: 1 });
      const walk = catalog.resources.load();
      await fixture.control.waitForRequest('resources/list');
      await fixture.control.notify('notifications/resources/list_changed');
      await assert.rejects(walk, /not now/);
      await until('it is listed after all', () => catalog.resources.state === 'loaded', 5000);
      assert.equal(await count('resources/list'), 2);

      // A server that fails and announces a change each time.
      await fixture.control.fault('resources/list', { error, delay: 20 });
      const before = await count('resources/list');
      const begun = Date.now();
      const walks = () => (Date.now() - begun) / 500 + 2;
      await until('it is asked four times', async () => {
        await fixture.control.notify('notifications/resources/list_changed');
        return (await count('resources/list')) >= before + 4;
      });
      assert.ok(walks() >= 4, `${walks()} walks would be right`);
      await fixture.control.fault('resources/list', null);
      // What was announced so far may have led to the last walk that failed.
      await fixture.control.notify('notifications/resources/list_changed');
      await until('it is listed', () => catalog.resources.state === 'loaded', 5000);
    });
  }

  it('S1: a subscription that is answered by null is one', async () => {
    await begin(legacyWays[0]!, { resources, methods: { 'resources/subscribe': { raw: { result: null }, times: 1 } } });
    hold('a://x');
    await until('live', () => liveness('a://x') === 'live', 2000);
  });

  const odd: { name: string; raw: JsonObject; message: RegExp }[] = [
    {
      name: 'a word for its code',
      raw: { error: { code: 'E1', message: 'the disk is full' } },
      message: /^the disk is full$/,
    },
    { name: 'no message', raw: { error: { code: -32000 } }, message: /^error -32000$/ },
    { name: 'a broken number for its code', raw: { error: { code: 1.5, message: 'x' } }, message: /^x$/ },
    { name: 'a text for the error', raw: { error: 'broken' }, message: /^broken$/ },
    {
      name: 'a result of null beside it',
      raw: { result: null, error: { code: -32000, message: 'both' } },
      message: /^both$/,
    },
    { name: 'neither error nor result', raw: {}, message: /neither a result nor an error/ },
  ];
  for (const way of ways.filter(({ name }) => name.includes('stdio'))) {
    for (const { name, raw, message } of odd) {
      it(`an error with ${name} is told at once, in the server’s words (${way.name})`, async () => {
        await begin(way, { resources, methods: { 'resources/read': { raw } } });
        await assert.rejects(read('a://x'), { name: 'RequestError', message });
      });
    }
  }

  it('an answer over HTTP that is none is told in few words', async () => {
    await begin(modernWays[1]!, { resources, methods: { 'resources/read': { raw: { error: 'broken' } } } });
    await assert.rejects(read('a://x'), { name: 'RequestError', message: 'the answer is not valid' });
  });
});
