import assert from 'node:assert/strict';
import type { Disposable } from '../../src/base/lifecycle';
import { Changes } from '../../src/content/changes';
import type { Scenario } from '../server/fixtureClient';
import { type StormPlan, textsAfter } from '../server/storm';
import { until } from '../until';
import { type Core, type CoreOptions, startCore } from './core';
import { type Fixture, type Way, ways } from './eras';

describe('contents', () => {
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
  const read = async (uri: string, purpose: 'open' | 'stat' | 'bytes' | 'refresh' = 'open') =>
    Buffer.from((await core.content.read(ref(uri), { purpose, initiative: 'person' })).content.bytes).toString();
  const hold = (uri: string) => holds.push(core.content.hold(ref(uri)));
  const shown = (uri: string) => Buffer.from(core.content.peek(ref(uri))?.content.bytes ?? []).toString();
  const reads = async () => (await fixture.control.requests('resources/read')).length;
  const live = (uri: string) =>
    until('it is live', () => core.connection('one').subscriptions.liveness(uri) === 'live');

  it('a server that answers no read keeps no pins of another server waiting', async () => {
    const hanging = ways[0]!.start({
      resources: Array.from({ length: 10 }, (_, index) => ({ uri: `b://${index}`, text: 'x' })),
      methods: { 'resources/read': { never: true } },
    });
    fixture = await ways[0]!.start({ resources: [{ uri: 'a://x', text: 'one' }] });
    const other = await hanging;
    try {
      core = startCore({ one: fixture.launch, two: other.launch }, { isInView: () => false, requestTimeoutMs: 60_000 });
      await Promise.all(core.pool.all.map((connection) => connection.connect('person')));
      for (let index = 0; index < 10; index += 1) {
        const stuck = { serverId: 'two', uri: `b://${index}` };
        holds.push(core.content.hold(stuck));
        core.content.prepare(stuck);
      }
      await until('eight have been asked', async () => (await other.control.requests('resources/read')).length === 8);
      hold('a://x');
      core.content.prepare(ref('a://x'));
      await until('it is read', () => shown('a://x') === 'one', 3000);
    } finally {
      await other.dispose();
    }
  });

  for (const way of ways) {
    describe(way.name, () => {
      it('F13: the calls of one opening share one read', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: 'text' }] });
        await Promise.all([read('a://x', 'stat'), read('a://x', 'stat'), read('a://x', 'bytes')]);
        await read('a://x', 'stat');
        assert.equal(await reads(), 1);
      });

      it('S1: a held resource follows the server', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: 'one' }] });
        hold('a://x');
        assert.equal(await read('a://x'), 'one');
        await live('a://x');
        const changed: string[] = [];
        core.content.onDidChangeContent(({ uri }) => changed.push(uri));
        const before = core.content.peek(ref('a://x'))!.revision;
        await fixture.control.set('a://x', 'two');
        await until('the new text', () => shown('a://x') === 'two', 1000);
        assert.deepEqual(changed, ['a://x']);
        assert.ok(core.content.peek(ref('a://x'))!.revision > before);
      });

      it('S1: who asks while a held resource is read again waits for that answer, at no further request', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: 'one' }] });
        hold('a://x');
        await read('a://x');
        await live('a://x');
        await fixture.control.hold('resources/read a://x');
        const asked = new Promise<string>((resolve, reject) => {
          core.content.onDidBeginReread(() => void read('a://x', 'stat').then(resolve, reject));
        });
        await fixture.control.set('a://x', 'two');
        await fixture.control.waitForRequest('resources/read', { count: 2 });
        await fixture.control.release('resources/read a://x');
        assert.equal(await asked, 'two');
        assert.equal(await read('a://x', 'bytes'), 'two');
        assert.equal(await reads(), 2);
      });

      it('R13: Refresh always asks, and an error is not kept', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: 'x{reads}', countReads: true, ttlMs: 60_000 }] });
        hold('a://x');
        const first = await read('a://x');
        assert.notEqual(await read('a://x', 'refresh'), first);
        await fixture.control.fault('resources/read', { error: { code: -32603, message: 'no' } });
        await assert.rejects(read('a://x', 'refresh'), /no/);
        await fixture.control.fault('resources/read', null);
        assert.match(await read('a://x'), /^x\d/);
      });

      it('S7: fifty notifications in a burst lead to at most two reads, and the last state wins', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: '0' }] });
        hold('a://x');
        await read('a://x');
        await live('a://x');
        const before = await reads();
        await Promise.all(Array.from({ length: 50 }, (_, index) => fixture.control.set('a://x', String(index + 1))));
        await until('the last state', () => shown('a://x') === '50');
        assert.ok((await reads()) - before <= 2, `${(await reads()) - before} reads`);
      });

      /** Resolves with a Refresh whose answer an update has overtaken. */
      const overtaken = async (): Promise<string> => {
        hold('a://x');
        await read('a://x');
        await live('a://x');
        await fixture.control.hold('resources/read a://x');
        const slow = read('a://x', 'refresh');
        await fixture.control.waitForRequest('resources/read', { count: 2 });
        let heard = false;
        core.pool.onDidUpdateResource(() => (heard = true));
        await fixture.control.set('a://x', 'new');
        await until('the update was heard', () => heard);
        await fixture.control.release('resources/read a://x');
        return slow;
      };

      it('S8: an answer that an update has overtaken is thrown away', async () => {
        // However busy the machine is.
        await begin(way, { resources: [{ uri: 'a://x', text: 'old' }] }, { times: { discardForMs: 10_000 } });
        const seen: string[] = [];
        core.content.onDidChangeContent(() => seen.push(shown('a://x')));
        assert.equal(await overtaken(), 'new');
        assert.deepEqual(seen, ['new']);
      });

      it('an update of a sub-resource reads its held parent again, by segment', async () => {
        await begin(way, {
          resources: [
            { uri: 'a://h/dir', text: 'dir {reads}', countReads: true },
            { uri: 'a://h/di', text: 'other {reads}', countReads: true },
          ],
        });
        hold('a://h/dir');
        hold('a://h/di');
        await Promise.all([read('a://h/dir'), read('a://h/di')]);
        await Promise.all([live('a://h/dir'), live('a://h/di')]);
        const before = shown('a://h/di');
        await fixture.control.notify('notifications/resources/updated', { uri: 'a://h/dir/child' });
        await until('the parent was read again', async () => (await reads()) > 2 && shown('a://h/dir') !== 'dir 1');
        assert.equal(shown('a://h/di'), before);
      });

      it('a held resource that vanishes from the list says so, and recovers when it returns', async () => {
        const resource = { uri: 'a://x', text: 'here', mimeType: 'text/plain' };
        await begin(way, { resources: [resource] });
        await core.catalog.of(core.connection('one'))!.resources.load();
        hold('a://x');
        await read('a://x');
        await live('a://x');
        const failures: (string | undefined)[] = [];
        core.content.onDidChangeFailure(({ error }) => failures.push(error?.message));
        await fixture.control.remove('a://x');
        await until('it is missed', () => core.content.failureOf(ref('a://x')) !== undefined);
        assert.ok(core.content.isUnlisted(ref('a://x')));
        await fixture.control.add({ ...resource, text: 'back' });
        await until('it is back', () => shown('a://x') === 'back');
        assert.equal(core.content.failureOf(ref('a://x')), undefined);
        assert.ok(!core.content.isUnlisted(ref('a://x')));
        assert.equal(failures.length, 2);
        assert.equal(failures[1], undefined);
      });

      it('what nobody holds is only marked: no read', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: 'x' }] });
        await core.catalog.of(core.connection('one'))!.resources.load();
        const changes = new Changes({ ...core, isVisible: () => false });
        try {
          await until('it is marked', async () => {
            await fixture.control.notify('notifications/resources/updated', { uri: 'a://x' });
            await fixture.control.notify('notifications/resources/updated', { uri: 'a://unknown' });
            return changes.isMarked(ref('a://x'));
          });
          assert.deepEqual(changes.marks, [ref('a://x')]);
          assert.equal(await reads(), 0);
        } finally {
          changes.dispose();
        }
      });

      it('S8: an overtaken answer that is shown all the same is followed by the next one', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: 'old' }] }, { times: { discardForMs: 0 } });
        assert.equal(await overtaken(), 'old');
        await until('the new text', () => shown('a://x') === 'new', 2000);
      });

      it('a reload gets what was announced, although the next update is being read', async () => {
        await begin(way, { resources: [{ uri: 'a://x', text: 'one' }] });
        hold('a://x');
        await read('a://x');
        await live('a://x');
        await fixture.control.set('a://x', 'two');
        await until('the second text', () => shown('a://x') === 'two');
        await fixture.control.hold('resources/read a://x');
        await fixture.control.set('a://x', 'three');
        await fixture.control.waitForRequest('resources/read', { count: 3 });
        assert.equal(await read('a://x', 'stat'), 'two');
        assert.equal(await read('a://x', 'bytes'), 'two');
        // Who comes after the reload gets what the server says now.
        const next = read('a://x', 'bytes');
        await fixture.control.release('resources/read a://x');
        assert.equal(await next, 'three');
      });

      it('S7: a storm is read at a bounded pace, and the last state of every resource wins', async () => {
        const uris = Array.from({ length: 20 }, (_, index) => `a://${index}`);
        await begin(way, { resources: uris.map((uri) => ({ uri, text: 'quiet' })) });
        uris.forEach(hold);
        await Promise.all(uris.map((uri) => read(uri)));
        await Promise.all(uris.map(live));
        const mark = await fixture.control.mark();
        const plan: StormPlan = { uris, changing: 10, perSecond: 1000, milliseconds: 1000, name: 'storm' };
        const begun = Date.now();
        assert.equal(await fixture.control.storm(plan), 1000);
        await until('the last texts', () => [...textsAfter(plan)].every(([uri, text]) => shown(uri) === text));
        const most = (Date.now() - begun) / 110 + 2;
        const asked = (await fixture.control.log()).slice(mark).filter(({ method }) => method === 'resources/read');
        for (const uri of uris) {
          const own = asked.filter(({ params }) => params?.uri === uri).length;
          assert.ok(own <= most, `${own} reads of ${uri}, at most ${most}`);
        }
      });
    });
  }

  const [legacy, modern] = [ways[0]!, ways[1]!];

  it('S9: interest is counted: one subscribe, one unsubscribe', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'x' }] });
    const [first, second] = [core.content.hold(ref('a://x')), core.content.hold(ref('a://x'))];
    await live('a://x');
    first.dispose();
    first.dispose();
    second.dispose();
    await fixture.control.waitForRequest('resources/unsubscribe');
    assert.equal((await fixture.control.requests('resources/subscribe')).length, 1);
    assert.equal((await fixture.control.requests('resources/unsubscribe')).length, 1);
  });

  it('interests that come together are one listen stream, and a changed set opens the new one first', async () => {
    await begin(modern, { resources: ['a', 'b', 'c'].map((name) => ({ uri: `a://${name}`, text: name })) });
    await fixture.control.waitForRequest('subscriptions/listen');
    hold('a://a');
    hold('a://b');
    await Promise.all([live('a://a'), live('a://b')]);
    assert.equal((await fixture.control.requests('subscriptions/listen')).length, 2);
    hold('a://c');
    await live('a://c');
    await fixture.control.waitForRequest(({ method }) => method === 'notifications/cancelled', { count: 2 });
    const said = (await fixture.control.log()).map(({ method }) => method);
    const order = said.filter((method) => method === 'subscriptions/listen' || method === 'notifications/cancelled');
    const [open, close] = ['subscriptions/listen', 'notifications/cancelled'];
    assert.deepEqual(order, [open, open, close, open, close]);
  });

  it('S10: a URI whose subscription is refused opens all the same, and the others stay live', async () => {
    await begin(modern, {
      resources: [
        { uri: 'a://x', text: 'x', subscribable: false },
        { uri: 'a://y', text: 'y' },
      ],
    });
    hold('a://x');
    hold('a://y');
    assert.equal(await read('a://x'), 'x');
    await live('a://y');
    assert.equal(core.connection('one').subscriptions.liveness('a://x'), 'notLive');
  });

  it('S5: without the subscribe capability none is sent, and a notification refreshes all the same', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'one' }], capabilities: { resources: {} } });
    hold('a://x');
    await read('a://x');
    await fixture.control.set('a://x', 'two', { notify: 'everyone' });
    await until('the new text', () => shown('a://x') === 'two');
    assert.equal((await fixture.control.requests('resources/subscribe')).length, 0);
  });

  it('S15: without live updates the next opening reads again', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'one' }], capabilities: { resources: {} } });
    assert.equal(await read('a://x'), 'one');
    await fixture.control.set('a://x', 'two', { notify: false });
    assert.equal(await read('a://x'), 'two');
  });

  it('S13: within the ttl that the server gave nothing is read again, and an update ends it at once', async () => {
    await begin(modern, { resources: [{ uri: 'a://x', text: 'one', ttlMs: 60_000, subscribable: false }] });
    await read('a://x');
    assert.equal(await read('a://x'), 'one');
    assert.equal(await reads(), 1);
    await fixture.control.waitForRequest('subscriptions/listen');
    await fixture.control.set('a://x', 'two', { notify: false });
    await until(
      'somebody hears it',
      async () => (await fixture.control.notify('notifications/resources/updated', { uri: 'a://x' })) > 0,
    );
    await until('the new text', async () => (await read('a://x')) === 'two');
  });

  it('S2: after the server was restarted, what is held is subscribed and read again', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'x{reads} ', countReads: true }] });
    hold('a://x');
    await read('a://x');
    await live('a://x');
    const mark = await fixture.control.mark();
    await core.connection('one').restart();
    await fixture.control.waitForRequest('resources/subscribe', { after: mark });
    await fixture.control.waitForRequest('resources/read', { after: mark });
    await live('a://x');
    const later = (await fixture.control.log()).slice(mark).filter(({ method }) => method === 'resources/read');
    assert.equal(later.length, 1);
  });

  it('R14: opened, closed and opened again five times there is content each time', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'x' }] });
    for (let times = 0; times < 5; times += 1) {
      const held = core.content.hold(ref('a://x'));
      assert.equal(await read('a://x'), 'x');
      assert.equal(await read('a://x', 'bytes'), 'x');
      held.dispose();
    }
  });

  it('an answer of nothing is an empty document, and an odd item is an error that says so', async () => {
    await begin(legacy, {
      resources: [
        { uri: 'a://empty', contents: [] },
        { uri: 'a://odd', contents: [{ raw: { uri: 'a://odd' } }] },
      ],
    });
    assert.equal(await read('a://empty'), '');
    await assert.rejects(read('a://odd'), /valid|neither text nor binary/);
  });

  it('U9: a read that is never answered ends with its time limit', async () => {
    fixture = await legacy.start({ resources: [{ uri: 'a://x', never: true }] });
    core = startCore({ one: fixture.launch }, { requestTimeoutMs: 300 });
    await core.connection('one').connect('person');
    await assert.rejects(read('a://x'), /no answer within/);
  });

  it('cancelling a read cancels it on the wire once nobody waits any more', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', never: true }] });
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [first, second].map(({ signal }) =>
      core.content.read(ref('a://x'), { purpose: 'open', initiative: 'person', signal }),
    );
    waiting.forEach((each) => {
      each.catch(() => undefined);
    });
    await fixture.control.waitForRequest('resources/read');
    first.abort();
    second.abort();
    await fixture.control.waitForRequest(({ method }) => method === 'notifications/cancelled');
    await assert.rejects(waiting[1]!, { name: 'CancelledError' });
  });

  it('what a legacy server cannot read just now is tried again with growing pauses', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'x' }] });
    await fixture.control.fault('resources/read', { error: { code: -32003, message: 'locked' }, times: 1 });
    assert.equal(await read('a://x'), 'x');
    assert.equal(await reads(), 2);
  });

  it('in the modern era that code has no meaning', async () => {
    await begin(modern, { resources: [{ uri: 'a://x', text: 'x' }] });
    await fixture.control.fault('resources/read', { error: { code: -32003, message: 'locked' } });
    await assert.rejects(read('a://x'), /locked/);
    assert.equal(await reads(), 1);
  });

  it('a session that the server has lost is replaced, and the read tried again once', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'x' }] });
    await fixture.control.fault('resources/read', { error: { code: -32001, message: 'session lost' } });
    assert.equal(await read('a://x'), 'x');
    assert.equal(await reads(), 2);
    assert.ok((await fixture.control.requests('initialize')).length >= 2);
  });

  it('a resource that is not found is dropped, and the list asked again', async () => {
    await begin(legacy, { resources: [{ uri: 'a://x', text: 'x' }] });
    await read('a://x');
    await fixture.control.remove('a://x', { notify: false });
    await assert.rejects(read('a://x', 'refresh'), { kind: 'notFound' });
    assert.equal(core.content.peek(ref('a://x')), undefined);
  });
});
