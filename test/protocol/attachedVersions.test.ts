import assert from 'node:assert/strict';
import { AttachedVersions } from '../../src/content/attachedVersions';
import { until } from '../until';
import { type Core, startCore } from './core';
import { type Fixture, ways } from './eras';

describe('what was attached to a chat', () => {
  let core: Core;
  let fixture: Fixture;
  let attached: AttachedVersions | undefined;
  const stored = new Map<string, unknown>();
  const storage = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, JSON.parse(JSON.stringify(value)))),
  };
  const errors: unknown[] = [];
  const ref = { serverId: 'one', uri: 'a://x' };

  afterEach(async () => {
    attached?.dispose();
    stored.clear();
    await core.end();
    await fixture.dispose();
    assert.deepEqual(errors.splice(0), []);
  });

  const versions = () =>
    new AttachedVersions({ storage, pool: core.pool, content: core.content, onError: (error) => errors.push(error) });
  const read = () => core.content.read(ref, { purpose: 'open', initiative: 'person' });
  const attach = async (to: AttachedVersions) => to.note([{ ref, snapshot: await read() }]);
  const reads = async () => (await fixture.control.requests('resources/read')).length;

  for (const way of ways) {
    describe(way.name, () => {
      beforeEach(async () => {
        fixture = await way.start({ resources: [{ uri: 'a://x', text: 'one' }] });
        core = startCore({ one: fixture.launch });
        await core.connection('one').connect('person');
        attached = versions();
      });

      it('A7: is marked once it has changed, though nobody has it open, until it is attached again', async () => {
        const fired: boolean[] = [];
        attached!.onDidChange((changed) => fired.push(attached!.isOutdated(changed)));
        await attach(attached!);
        await until('it is live', () => core.connection('one').subscriptions.liveness('a://x') === 'live');
        assert.equal(await reads(), 1);
        await fixture.control.set('a://x', 'two');
        await until('it is marked', () => attached!.isOutdated(ref));
        assert.deepEqual(fired, [true]);
        await attach(attached!);
        assert.equal(attached!.isOutdated(ref), false);
        assert.deepEqual(fired, [true, false]);
      });

      it('A7: an update that changes nothing marks nothing', async () => {
        await attach(attached!);
        await until('it is live', () => core.connection('one').subscriptions.liveness('a://x') === 'live');
        const before = await reads();
        await fixture.control.set('a://x', 'one');
        await until('it was looked at', async () => (await reads()) > before);
        await read();
        assert.equal(attached!.isOutdated(ref), false);
      });

      // A process over stdio would say again what it said at first.
      const itOverHttp = way.name.endsWith('stdio') ? undefined : it;
      itOverHttp?.('A7: what changed while its server was away is marked once the server is back', async () => {
        await attach(attached!);
        await until('it is live', () => core.connection('one').subscriptions.liveness('a://x') === 'live');
        await core.connection('one').stop();
        await fixture.control.set('a://x', 'two', { notify: false });
        assert.equal(attached!.isOutdated(ref), false);
        await core.connection('one').connect('person');
        await until('it is marked', () => attached!.isOutdated(ref));
        await fixture.control.set('a://x', 'one', { notify: false });
        await core.content.read(ref, { purpose: 'refresh', initiative: 'person' });
        assert.equal(attached!.isOutdated(ref), false, 'it says again what was attached');
        await until('it is live again', () => core.connection('one').subscriptions.liveness('a://x') === 'live');
        await fixture.control.set('a://x', 'three');
        await until('it is marked again', () => attached!.isOutdated(ref));
      });

      it('A7: the next window knows what was attached, and sees the change when the resource is read', async () => {
        await attach(attached!);
        attached!.dispose();
        await fixture.control.set('a://x', 'two', { notify: false });
        attached = versions();
        assert.equal(attached.isOutdated(ref), false);
        await core.content.read(ref, { purpose: 'refresh', initiative: 'person' });
        assert.equal(attached.isOutdated(ref), true);
      });
    });
  }
});
