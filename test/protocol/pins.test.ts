import assert from 'node:assert/strict';
import { Pins } from '../../src/chat/pins';
import { AttachedVersions } from '../../src/content/attachedVersions';
import type { Scenario } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, type CoreOptions, startCore } from './core';
import { type Fixture, type Way, ways } from './eras';

/** A workspace's memory, as it is on disk. */
class Memory {
  text = '{}';

  get(key: string): unknown {
    return (JSON.parse(this.text) as Record<string, unknown>)[key];
  }

  update(key: string, value: unknown): Promise<void> {
    this.text = JSON.stringify({ ...(JSON.parse(this.text) as object), [key]: value });
    return Promise.resolve();
  }
}

const fail = (error: unknown): never => {
  throw error;
};

describe('pins', () => {
  let core: Core;
  let fixture: Fixture;
  let pins: Pins;
  let attached: AttachedVersions;
  let storage: Memory;

  const open = (options: CoreOptions = {}) => {
    core = startCore({ one: fixture.launch }, options);
    attached = new AttachedVersions({ storage, pool: core.pool, content: core.content, onError: fail });
    pins = new Pins({
      storage,
      attached,
      pool: core.pool,
      content: core.content,
      tokensOf: ({ isText, bytes }) => (isText ? bytes.byteLength : undefined),
    });
  };
  const close = async () => {
    pins.dispose();
    attached.dispose();
    await core.end();
  };
  const begin = async (way: Way, scenario: Scenario) => {
    fixture = await way.start(scenario);
    storage = new Memory();
    open();
  };
  afterEach(async () => {
    await close();
    await fixture.dispose();
  });

  const ref = (uri: string) => ({ serverId: 'one', uri });
  const note = (uri: string) => attached.note([{ ref: ref(uri), snapshot: core.content.peek(ref(uri))! }]);
  const looks = () => pins.all.map((pin) => [pin.label, pin.state, pin.tokens, pin.changed]);
  const untilLooks = (expected: ReturnType<typeof looks>) =>
    until('the pins look so', () => JSON.stringify(looks()) === JSON.stringify(expected)).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(looks())}`);
    });
  const resources = [
    { uri: 'a://x', text: 'one' },
    { uri: 'a://y', text: 'other' },
  ];

  for (const way of ways) {
    describe(way.name, () => {
      it('A10: a pin waits for its server, is read when that is there, and holds one subscription', async () => {
        await begin(way, { resources });
        await pins.pin(ref('a://x'), 'X');
        await pins.pin(ref('a://x'), 'X again');
        assert.deepEqual(looks(), [['X', 'waiting', undefined, false]]);
        assert.equal(core.connection('one').state.kind, 'notConnected');
        await core.connection('one').connect('person');
        await untilLooks([['X', 'ready', 3, false]]);
        const { subscriptions } = core.connection('one');
        await until('it is live', () => subscriptions.liveness('a://x') === 'live');
        const other = core.content.hold(ref('a://x'));
        other.dispose();
        assert.equal(subscriptions.liveness('a://x'), 'live', 'somebody else who lets go ends nothing');
        await fixture.control.set('a://x', 'longer');
        await untilLooks([['X', 'ready', 6, false]]);
        await pins.unpin(ref('a://x'));
        await until('nobody is interested', async () => (await fixture.control.subscriptions()) === 0);
        assert.equal(core.content.isHeld(ref('a://x')), false);
      });

      it('A7: what says something else than when it was attached is marked, also in the next window, until it is attached again', async () => {
        await begin(way, { resources });
        await core.connection('one').connect('person');
        await pins.pin(ref('a://y'), 'Y');
        await pins.pin(ref('a://x'), 'X');
        await untilLooks([
          ['Y', 'ready', 5, false],
          ['X', 'ready', 3, false],
        ]);
        await note('a://x');
        await fixture.control.set('a://x', 'two');
        await fixture.control.set('a://y', 'never attached');
        await untilLooks([
          ['Y', 'ready', 14, false],
          ['X', 'ready', 3, true],
        ]);
        await fixture.control.set('a://x', 'one');
        await untilLooks([
          ['Y', 'ready', 14, false],
          ['X', 'ready', 3, false],
        ]);
        await note('a://y');
        await close();
        open();
        assert.deepEqual(looks(), [
          ['Y', 'waiting', undefined, false],
          ['X', 'waiting', undefined, false],
        ]);
        await core.connection('one').connect('person');
        await until('both are read', () => pins.all.every(({ state }) => state === 'ready'));
        const [y] = pins.all;
        // A server over HTTP goes on, one over stdio begins anew with its first text.
        assert.equal(y?.changed, y?.tokens !== 14);
        await note('a://y');
        assert.equal(pins.all[0]?.changed, false);
      });
    });
  }

  for (const way of ways) {
    for (const subscribe of [true, false]) {
      const name = `${way.name}, ${subscribe ? 'with' : 'without'} subscriptions`;
      it(`A10: five hundred pins start nothing after a restart; once their server is there, each is read once (${name})`, async function () {
        this.timeout(60_000);
        const uris = Array.from({ length: 500 }, (_, index) => `a://${index}`);
        const capabilities = { resources: subscribe ? { subscribe: true } : {} };
        await begin(way, { resources: uris.map((uri) => ({ uri, text: uri })), capabilities });
        await close();
        await storage.update(
          'pins',
          uris.map((uri) => ({ serverId: 'one', uri, label: uri })),
        );
        open({ isInView: () => false });
        assert.ok(pins.all.every(({ state }) => state === 'waiting'));
        assert.deepEqual(await fixture.control.requests(), []);
        await core.connection('one').connect('person');
        await until('all are read', () => pins.all.every(({ state }) => state === 'ready'), 40_000);
        const { subscriptions } = core.connection('one');
        await until('all are answered', () => subscriptions.facts.pending === 0, 40_000);
        const reads = (await fixture.control.requests('resources/read')).map(({ params }) => params?.uri);
        assert.equal(new Set(reads).size, 500);
        // A subscription that takes longer than is waited for leaves a gap, which a second read closes.
        assert.ok(reads.length <= 510, String(reads.length));
      });
    }
  }

  it('A10: a pin whose subscription is never answered keeps nobody waiting who opens it', async () => {
    await begin(ways[0]!, { resources, methods: { 'resources/subscribe': { never: true } } });
    await pins.pin(ref('a://x'), 'X');
    await close();
    open({ isInView: () => false });
    await core.connection('one').connect('person');
    await fixture.control.waitForRequest('resources/subscribe');
    assert.deepEqual(looks(), [['X', 'unread', undefined, false]]);
    const opened = core.content.read(ref('a://x'), { purpose: 'open', initiative: 'person' });
    await until('it is read', () => core.content.peek(ref('a://x')), 3000);
    assert.equal(Buffer.from((await opened).content.bytes).toString(), 'one');
  });

  it('a pin that is stored twice is one, and lets go of its resource when it is unpinned', async () => {
    await begin(ways[0]!, { resources });
    await close();
    const stored = { serverId: 'one', uri: 'a://x', label: 'X' };
    await storage.update('pins', [stored, { ...stored, label: 'again' }]);
    open();
    assert.deepEqual(looks(), [['X', 'waiting', undefined, false]]);
    await pins.unpin(ref('a://x'));
    assert.equal(core.content.isHeld(ref('a://x')), false);
  });

  it('what vanished, cannot be read or has no server says so; damaged memory is no pin', async () => {
    await begin(ways[0]!, {
      resources: [
        { uri: 'a://x', text: 'one' },
        { uri: 'a://bad', error: { code: -32000, message: 'no luck' } },
      ],
    });
    await pins.pin(ref('a://x'), 'X');
    await pins.pin(ref('a://bad'), 'Bad');
    await pins.pin({ serverId: 'two', uri: 'b://z' }, 'Z');
    await core.connection('one').connect('person');
    await untilLooks([
      ['X', 'ready', 3, false],
      ['Bad', 'failed', undefined, false],
      ['Z', 'lost', undefined, false],
    ]);
    assert.match(pins.all[1]?.failure ?? '', /no luck/);
    await fixture.control.remove('a://x');
    await core.content.read(ref('a://x'), { purpose: 'refresh', initiative: 'person' }).catch(() => undefined);
    await untilLooks([
      ['X', 'gone', undefined, false],
      ['Bad', 'failed', undefined, false],
      ['Z', 'lost', undefined, false],
    ]);
    await close();
    await storage.update('pins', [1, null, { serverId: 'one' }, { serverId: 'one', uri: 'a://x', label: 'X' }]);
    open();
    assert.deepEqual(looks(), [['X', 'waiting', undefined, false]]);
  });
});
