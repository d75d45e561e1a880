import assert from 'node:assert/strict';
import type { Disposable } from '../../src/base/lifecycle';
import { type HttpFixture, type Scenario, startFixture } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, http, startCore } from './core';
import { type Fixture, ways } from './eras';

describe('lost and found', () => {
  let core: Core | undefined;
  let disposals: (() => Promise<unknown>)[] = [];
  let holds: Disposable[] = [];

  afterEach(async () => {
    holds.forEach((hold) => {
      hold.dispose();
    });
    holds = [];
    await core?.end();
    for (const dispose of disposals) {
      await dispose();
    }
    disposals = [];
  });

  const ref = (uri: string) => ({ serverId: 'one', uri });
  const shown = (uri = 'a://x') => Buffer.from(core!.content.peek(ref(uri))?.content.bytes ?? []).toString();
  const liveness = (uri = 'a://x') => core!.connection('one').subscriptions.liveness(uri);

  /** Connects, holds and reads `a://x`. */
  const open = async (launch: Fixture['launch']): Promise<void> => {
    core = startCore({ one: launch });
    await core.connection('one').connect('person');
    holds.push(core.content.hold(ref('a://x')));
    await core.content.read(ref('a://x'), { purpose: 'open', initiative: 'person' });
  };

  for (const way of ways) {
    it(`S2: a server that dies and returns is subscribed and read again (${way.name})`, async () => {
      const fixture = await way.start({ resources: [{ uri: 'a://x', text: 'x' }] });
      disposals.push(() => fixture.dispose());
      await open(fixture.launch);
      await until('live', () => liveness() === 'live');
      const mark = await fixture.control.mark();
      if ('restart' in fixture.control) {
        await (fixture.control as HttpFixture).restart();
        // Over HTTP the loss shows at the next message, or when the stream breaks.
        await core!.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' });
      } else {
        await fixture.control.exit(1);
      }
      await until('live again', () => liveness() === 'live', 15_000);
      await until('read again', async () =>
        (await fixture.control.log()).slice(mark).some(({ method }) => method === 'resources/read'),
      );
      await until('updates arrive', async () => {
        await fixture.control.set('a://x', 'newer');
        return shown() === 'newer';
      });
    });
  }

  const overHttp = async (era: 'legacy' | 'modern', scenario: Scenario): Promise<HttpFixture> => {
    const fixture = await startFixture({ era, scenario: { resources: [{ uri: 'a://x', text: 'x' }], ...scenario } });
    disposals.push(() => fixture.stop());
    await open(http(fixture.url));
    return fixture;
  };

  for (const getStream of [405, 400, 404, 'silent'] as const) {
    it(`S4: a GET stream answered by ${getStream}: usable, not live, no storm`, async () => {
      const fixture = await overHttp('legacy', { http: { getStream } });
      assert.equal(shown(), 'x');
      assert.notEqual(liveness(), 'live');
      await fixture.set('a://x', 'y', { notify: false });
      await core!.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' });
      assert.equal(shown(), 'y');
      const gets = (await fixture.log()).filter(({ http: facts }) => facts?.method === 'GET');
      assert.ok(gets.length <= 2, `${gets.length} GET requests`);
      assert.equal(core!.connection('one').state.kind, 'connected');
    });
  }

  it('a session that the server has forgotten is begun anew, and the read goes through', async () => {
    const fixture = await overHttp('legacy', {});
    await fixture.forgetSessions();
    const snapshot = await core!.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' });
    assert.equal(Buffer.from(snapshot.content.bytes).toString(), 'x');
    assert.equal((await fixture.requests('initialize')).length, 2);
    await until('live again', () => liveness() === 'live');
  });

  it('S12: a listen stream that breaks is opened again, and what was missed is read', async () => {
    const fixture = await overHttp('modern', {});
    await until('live', () => liveness() === 'live');
    await fixture.closeStreams();
    await until('not live', () => liveness() !== 'live');
    await fixture.set('a://x', 'missed', { notify: false });
    await until('live again', () => liveness() === 'live');
    await until('what was missed', () => shown() === 'missed');
  });

  it('S12: a listen stream that the server ends is not asked for again by itself, but by Refresh', async () => {
    const fixture = await overHttp('modern', {});
    await until('live', () => liveness() === 'live');
    await fixture.closeStreams({ graceful: true });
    await until('not live', () => liveness() === 'notLive');
    const before = (await fixture.requests('subscriptions/listen')).length;
    await core!.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' });
    await until('live again', () => liveness() === 'live');
    assert.equal((await fixture.requests('subscriptions/listen')).length, before + 1);
  });

  it('a subscription whose answer is lost is asked for again, and what was missed is read', async () => {
    const fixture = await startFixture({
      era: 'legacy',
      scenario: {
        resources: [{ uri: 'a://x', text: 'x' }],
        methods: { 'resources/subscribe': { never: true, times: 1 } },
      },
    });
    disposals.push(() => fixture.stop());
    core = startCore({ one: http(fixture.url) }, { requestTimeoutMs: 300 });
    await core.connection('one').connect('person');
    holds.push(core.content.hold(ref('a://x')));
    await core.content.read(ref('a://x'), { purpose: 'open', initiative: 'person' });
    await fixture.set('a://x', 'missed', { notify: false });
    await until('live', () => liveness() === 'live');
    await until('what was missed', () => shown() === 'missed');
  });
});
