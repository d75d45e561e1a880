import assert from 'node:assert/strict';
import type { AuthOptions } from '../server/authServer';
import { until } from '../until';
import { startFixture } from '../server/fixtureClient';
import { type Core, http, startCore } from './core';
import { nobodySignsIn } from './signInPerson';
import { SignInWorld } from './signInWorld';

describe('a sign-in that is needed', () => {
  let world: SignInWorld | undefined;
  let core: Core | undefined;

  const make = async (options?: AuthOptions): Promise<SignInWorld> => (world = await SignInWorld.make(options));

  afterEach(async () => {
    await core?.end();
    await world?.end();
    world = core = undefined;
  });

  for (const [era, transport] of [
    ['legacy', 'http'],
    ['modern', 'http'],
  ] as const) {
    it(`C8: in the background it is a state, without a dialog or a request elsewhere (${era})`, async () => {
      const { auth, ...rest } = await make();
      const fixture = await world!.protect(era, transport);
      await world!.configure(fixture);
      await assert.rejects(world!.connection().connect('background'), /Sign-in needed/);
      assert.equal(world!.reason(), 'noToken');
      assert.deepEqual([auth.log, rest.person.asked], [[], []]);
      const shown = auth.shown.length;
      for (let turn = 0; turn < 3; turn += 1) {
        await assert.rejects(world!.connection().connect('background'), /Sign-in needed/);
      }
      assert.equal(auth.shown.length, shown, 'it stays so, without asking again');
    });

    it(`C8: a refused token is renewed once; refused again, it is never sent a third time (${era})`, async () => {
      const { auth } = await make();
      await world!.configure(await world!.protect(era, transport));
      assert.equal(await world!.read(), 'x');
      auth.shown.length = 0;
      auth.expire();
      assert.equal(await world!.read('background'), 'x');
      assert.equal(auth.log.filter((line) => line === 'POST /token refresh_token').length, 1);

      auth.shown.length = 0;
      auth.habits.rejectAll = true;
      await assert.rejects(world!.read('background'), /Sign-in needed/);
      await until('the state says so', () => world!.reason() === 'rejected');
      const times = new Map<string, number>();
      auth.shown.forEach((token) => times.set(token, (times.get(token) ?? 0) + 1));
      assert.ok(times.size >= 2, `${times.size} tokens`);
      const before = auth.shown.length;
      await assert.rejects(world!.read('background'), /Sign-in needed/);
      await assert.rejects(world!.connection().connect('background'), /Sign-in needed/);
      assert.equal(auth.shown.length, before, 'nothing is sent any more');
    });

    it(`C8: revoked: asked once to renew, then a state; signing in mends it (${era})`, async () => {
      const { auth, person } = await make();
      await world!.configure(await world!.protect(era, transport));
      assert.equal(await world!.read(), 'x');
      auth.revoke();
      await assert.rejects(world!.read('background'), /revoked or has expired/);
      await until('the state says so', () => world!.reason() === 'revoked');
      assert.equal(auth.log.filter((line) => line === 'POST /token refresh_token').length, 1);
      const visits = person.asked.length;
      await world!.connection().signIn();
      assert.equal(person.asked.length, visits + 2);
      assert.equal(await world!.read('background'), 'x');
    });
  }

  it('C8: a server that refuses what a person has just signed in with is left at that', async () => {
    const { auth, person } = await make();
    auth.habits.rejectAll = true;
    await world!.configure(await world!.protect());
    await assert.rejects(world!.read('person'), /refuses what the last one gave/);
    assert.equal(world!.reason(), 'rejected');
    assert.equal(person.asked.length, 2);
    assert.equal(auth.log.filter((line) => line.startsWith('POST /token')).length, 1);
    assert.equal(auth.shown.filter((token) => token !== '-').length, 1);
  });

  for (const status of [401, 403] as const) {
    for (const era of ['legacy', 'modern'] as const) {
      it(`C9: a credential in the headers that is rejected (${status}) never opens a sign-in (${era})`, async () => {
        const challenge = 'Bearer resource_metadata="http://127.0.0.1:9/metadata"';
        const requireHeader = { name: 'authorization', value: 'Bearer right', status, challenge };
        const fixture = await startFixture({ era, scenario: { http: { requireHeader } } });
        core = startCore(
          { one: http(fixture.url, { Authorization: 'Bearer wrong-one' }) },
          { signIn: nobodySignsIn() },
        );
        const words = new RegExp(`HTTP ${status}.*credential in its headers was rejected`);
        await assert.rejects(core.connection('one').connect('person'), words);
        const { state } = core.connection('one');
        assert.ok(state.kind === 'failed' && words.test(state.error.message));
        const log = await fixture.log();
        assert.ok(log.length > 0 && log.every(({ http: facts }) => facts === undefined || facts.path === '/mcp'));
        assert.ok(!core.lines.some((line) => line.includes('wrong-one')));
        await fixture.stop();
      });
    }
  }
});
