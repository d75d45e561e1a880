import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  const open = async (launch: Fixture['launch'], options?: Parameters<typeof startCore>[1]): Promise<void> => {
    core = startCore({ one: launch }, options);
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

  const overHttp = async (
    era: 'legacy' | 'modern',
    scenario: Scenario,
    options?: Parameters<typeof startCore>[1],
  ): Promise<HttpFixture> => {
    const fixture = await startFixture({ era, scenario: { resources: [{ uri: 'a://x', text: 'x' }], ...scenario } });
    disposals.push(() => fixture.stop());
    await open(http(fixture.url), options);
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

  it('reads that fail together share one new session', async () => {
    const fixture = await overHttp('legacy', {});
    await fixture.forgetSessions();
    await fixture.add({ uri: 'a://y', text: 'y' }, { notify: false });
    const refresh = { purpose: 'refresh', initiative: 'person' } as const;
    await Promise.all(['a://x', 'a://y'].map((uri) => core!.content.read(ref(uri), refresh)));
    assert.deepEqual([shown('a://x'), shown('a://y')], ['x', 'y']);
    assert.equal((await fixture.requests('initialize')).length, 2);
  });

  it('a session that the server has forgotten is noticed when its stream comes back, without a request', async () => {
    const fixture = await overHttp('legacy', {});
    await until('live', () => liveness() === 'live');
    await fixture.forgetSessions();
    await fixture.set('a://x', 'missed', { notify: false });
    await until('live again', () => liveness() === 'live');
    await until('what was missed', () => shown() === 'missed');
  });

  it('a GET stream that a gateway could not pass on is asked for again', async () => {
    const fixture = await overHttp('legacy', { http: { getStream: 503 } });
    await until('refused', async () => (await fixture.log()).some(({ http: facts }) => facts?.method === 'GET'));
    assert.notEqual(liveness(), 'live');
    await fixture.change({ http: {} });
    await until('live', () => liveness() === 'live');
  });

  it('a subscription that failed on its way is asked for again', async () => {
    await overHttp('legacy', { methods: { 'resources/subscribe': { httpStatus: 502, times: 1 } } });
    await until('live', () => liveness() === 'live');
  });

  it('what a session is asked after its end is a lost connection', async () => {
    const fixture = await overHttp('modern', {});
    const session = await core!.connection('one').connect('person');
    await core!.connection('one').stop();
    await assert.rejects(session.listResources(undefined), { name: 'RequestError', kind: 'disconnected' });
    assert.equal((await fixture.requests('resources/list')).length, 0);
  });

  it('a server that takes the connection and says nothing fails within the time to start', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    disposals.push(() => {
      silent.closeAllConnections();
      return new Promise((resolve) => silent.close(resolve));
    });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/sse`;
    core = startCore({ one: { type: 'sse', url, headers: {} } }, { startTimeoutMs: 100 });
    await assert.rejects(core.connection('one').connect('person'), /did not answer/);
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

  it('S12: a stream that breaks while a wider one is asked for in vain is not taken for live', async () => {
    const fixture = await startFixture({
      era: 'modern',
      scenario: { resources: [{ uri: 'a://x' }, { uri: 'a://y' }] },
    });
    disposals.push(() => fixture.stop());
    core = startCore({ one: http(fixture.url) }, { requestTimeoutMs: 300 });
    await core.connection('one').connect('person');
    holds.push(core.content.hold(ref('a://x')));
    await until('live', () => liveness() === 'live');
    const before = (await fixture.requests('subscriptions/listen')).length;
    await fixture.fault('subscriptions/listen', { never: true });
    holds.push(core.content.hold(ref('a://y')));
    await fixture.waitForRequest('subscriptions/listen', { count: before + 1 });
    await fixture.closeStreams();
    await fixture.waitForRequest('subscriptions/listen', { count: before + 2 });
    assert.notEqual(liveness(), 'live');
    await fixture.fault('subscriptions/listen', null);
    await until('live again', () => liveness() === 'live' && liveness('a://y') === 'live');
  });

  it('S12: what changed while the stream was broken is read, also when a read was under way all the time', async () => {
    const fixture = await overHttp('modern', {});
    await until('live', () => liveness() === 'live');
    await fixture.hold('resources/read a://x');
    const slow = core!.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' });
    await fixture.waitForRequest('resources/read', { count: 2 });
    await fixture.closeStreams();
    await until('not live', () => liveness() !== 'live');
    await fixture.set('a://x', 'missed', { notify: false });
    await until('live again', () => liveness() === 'live');
    await fixture.release('resources/read a://x');
    await slow;
    await until('what was missed', () => shown() === 'missed');
  });

  it('Refresh does not take the answer of a read that set out before it, however late that comes', async () => {
    const fixture = await overHttp('modern', {}, { times: { discardForMs: 0 } });
    await until('live', () => liveness() === 'live');
    await fixture.hold('resources/read a://x');
    await fixture.set('a://x', 'second');
    await fixture.waitForRequest('resources/read', { count: 2 });
    const refreshed = core!.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' });
    await fixture.set('a://x', 'third', { notify: false });
    await fixture.release('resources/read a://x');
    await refreshed;
    assert.equal(shown(), 'third');
    assert.equal((await fixture.requests('resources/read')).length, 3);
  });

  it('Refresh does not take the failure of a read that set out before it, and asks once however often it is pressed', async () => {
    const fixture = await overHttp('modern', {});
    await until('live', () => liveness() === 'live');
    await fixture.hold('resources/read a://x');
    await fixture.fault('resources/read', { error: { code: -32603, message: 'broken' }, times: 1 });
    await fixture.set('a://x', 'second');
    await fixture.waitForRequest('resources/read', { count: 2 });
    const refresh = { purpose: 'refresh', initiative: 'person' } as const;
    const presses = [1, 2, 3].map(() => core!.content.read(ref('a://x'), refresh));
    await fixture.release('resources/read a://x');
    await Promise.all(presses);
    assert.equal(shown(), 'second');
    assert.equal((await fixture.requests('resources/read')).length, 3);
  });

  it('an update is read, although a person who waited for its read gave up', async () => {
    const fixture = await overHttp('modern', {}, { times: { betweenReadsMs: 10 } });
    await until('live', () => liveness() === 'live');
    await fixture.hold('resources/read a://x');
    await fixture.set('a://x', 'second');
    await fixture.waitForRequest('resources/read', { count: 2 });
    const abort = new AbortController();
    const opened = core!.content.read(ref('a://x'), { purpose: 'open', initiative: 'person', signal: abort.signal });
    abort.abort();
    await assert.rejects(opened, { name: 'CancelledError' });
    await fixture.release('resources/read a://x');
    await until('what it says now', () => shown() === 'second');
  });

  it('a person who stops a server during a read does not get it back', async () => {
    const fixture = await overHttp('modern', {});
    await fixture.hold('resources/read a://x');
    const slow = core!.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' });
    const refused = assert.rejects(slow, { name: 'RequestError', kind: 'disconnected' });
    await fixture.waitForRequest('resources/read', { count: 2 });
    await core!.connection('one').stop();
    await refused;
    assert.equal(core!.connection('one').state.kind, 'stopped');
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

  for (const era of ['legacy', 'modern'] as const) {
    it(`a changed resource whose server cannot be reached just now is asked for again (${era})`, async () => {
      const fixture = await startFixture({ era, scenario: { resources: [{ uri: 'a://x', text: 'x' }] } });
      disposals.push(() => fixture.stop());
      core = startCore({ one: http(fixture.url) }, { times: { retryPausesMs: [10, 20] } });
      holds.push(core.content.hold(ref('a://x')));
      await core.content.read(ref('a://x'), { purpose: 'open', initiative: 'person' });
      await until('live', () => liveness() === 'live');
      await fixture.fault('resources/read', { httpStatus: 502, times: 2 });
      await fixture.set('a://x', 'newer');
      await until('what it says now', () => shown() === 'newer');
      assert.equal((await fixture.requests('resources/read')).length, 4);
    });
  }

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
