import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthOptions } from '../server/authServer';
import { startFixture } from '../server/fixtureClient';
import { until } from '../until';
import { SignInWorld } from './signInWorld';

describe('signing in', () => {
  let world: SignInWorld;

  const make = async (options?: AuthOptions): Promise<SignInWorld> => (world = await SignInWorld.make(options));

  afterEach(() => world.end());

  /** Signs in to a server of its own and reads. */
  const signedIn = async (
    options?: AuthOptions,
    ...[era = 'modern', transport]: Parameters<SignInWorld['protect']>
  ): Promise<SignInWorld> => {
    await make(options);
    await world.configure(await world.protect(era, transport));
    assert.equal(await world.read(), 'x');
    return world;
  };

  const count = (line: string): number => world.auth.log.filter((each) => each === line).length;

  const ways = [
    ['legacy', 'http'],
    ['modern', 'http'],
    ['legacy', 'sse'],
  ] as const;

  for (const [era, transport] of ways) {
    it(`a person is asked once, then the resources are there (${era}, ${transport})`, async () => {
      const { auth, person, store } = await make();
      const core = await world.configure(await world.protect(era, transport));
      assert.equal(await world.read(), 'x');
      assert.deepEqual(person.asked, [`choose ${auth.issuer}`, 'visit']);
      assert.deepEqual([count('POST /register'), count('POST /token authorization_code')], [1, 1]);
      assert.equal(auth.query.get('resource'), world.fixtures[0]!.url);
      const secrets = [...store.entries.values()].join('\n').match(/(access|refresh)-[0-9a-f-]+/g) ?? [];
      assert.equal(secrets.length, 2);
      assert.ok(![...store.entries.keys()].some((key) => key.includes('127.0.0.1')));
      assert.ok(!core.lines.some((line) => secrets.some((secret) => line.includes(secret))));
    });
  }

  it('a later window connects in the background by what is stored', async () => {
    const { person } = await signedIn();
    const asked = person.asked.length;
    await world.configure(world.fixtures[0]!);
    assert.equal(await world.read('background'), 'x');
    assert.equal(person.asked.length, asked);
  });

  it('what another window has renewed is used, and not renewed again', async () => {
    const { auth, store } = await signedIn();
    const stored = new Map(store.entries);
    auth.expire();
    assert.equal(await world.read('background'), 'x');
    const renewed = new Map(store.entries);
    stored.forEach((value, key) => store.entries.set(key, value));
    await world.configure(world.fixtures[0]!);
    await world
      .connection()
      .connect('background')
      .catch(() => undefined);
    assert.equal(world.reason(), 'revoked', 'a refresh token is good once');
    renewed.forEach((value, key) => store.entries.set(key, value));
    await world.configure(world.fixtures[0]!);
    assert.equal(await world.read('background'), 'x');
    assert.equal(count('POST /token refresh_token'), 2);
  });

  it('requests that are refused together share one renewal', async () => {
    const { auth } = await signedIn();
    auth.expire();
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map(() => world.read('background'))), ['x', 'x', 'x', 'x']);
    assert.equal(count('POST /token refresh_token'), 1);
  });

  it('two servers of one issuer share the registration, never a token', async () => {
    const { auth } = await make();
    await world.configure(await world.protect(), await world.protect());
    assert.equal(await world.read('person', 'one'), 'x');
    assert.equal(await world.read('person', 'two'), 'x');
    assert.equal(count('POST /register'), 1);
    assert.equal(count('POST /token authorization_code'), 2);
    assert.deepEqual(auth.misplaced, []);
  });

  it('a configured client id is used as it is; nothing is registered', async () => {
    const { person, auth } = await make({ registration: false, clients: { ours: undefined } });
    const { url } = await world.protect();
    await world.configure({ type: 'http', url, headers: {}, oauth: { clientId: 'ours' } });
    assert.equal(await world.read(), 'x');
    assert.equal(auth.query.get('client_id'), 'ours');
    assert.deepEqual(person.asked, [`choose ${auth.issuer}`, 'visit']);
    auth.expire();
    assert.equal(await world.read('background'), 'x');
  });

  it('the secret of a configured client id is asked for once, and asked again when it is wrong', async () => {
    const { person, store } = await make({ registration: false, clients: { ours: 'right-secret' } });
    const { url } = await world.protect();
    const launch = { type: 'http', url, headers: {}, oauth: { clientId: 'ours' } } as const;
    const core = await world.configure(launch);
    person.client = { clientId: 'ours', clientSecret: 'wrong-secret' };
    await assert.rejects(world.read(), /client id or its secret was refused/);
    person.client = { clientId: 'ours', clientSecret: 'right-secret' };
    assert.equal(await world.read(), 'x');
    assert.equal(person.asked.filter((each) => each === 'secret of ours').length, 2);
    assert.ok([...store.entries.values()].some((value) => value.includes('right-secret')));
    assert.ok(!core.lines.some((line) => /(right|wrong)-secret/.test(line)));
    await world.configure(launch);
    await world.connection().signOut();
    assert.equal(await world.read(), 'x');
    assert.equal(person.asked.filter((each) => each === 'secret of ours').length, 2);
  });

  it('where nothing can be registered, an id is asked for once', async () => {
    const { person, auth } = await make({ registration: false, clients: { mine: undefined } });
    await world.configure(await world.protect());
    await assert.rejects(world.read(), /cancelled/);
    assert.equal(world.reason(), 'cancelled');
    person.client = { clientId: 'mine' };
    assert.equal(await world.read(), 'x');
    assert.equal(auth.query.get('client_id'), 'mine');
    await world.connection().signOut();
    assert.equal(await world.read(), 'x');
    assert.equal(person.asked.filter((each) => each === 'client').length, 2);
  });

  it('a document that describes us is used where its address is set and such documents are read', async () => {
    const { person, auth } = await make({ documents: true });
    person.metadataUrl = 'https://example.org/client.json';
    await world.configure(await world.protect());
    assert.equal(await world.read(), 'x');
    assert.equal(auth.query.get('client_id'), 'https://example.org/client.json');
    assert.equal(count('POST /register'), 0);
    auth.expire();
    assert.equal(await world.read('background'), 'x');
  });

  it('wrong issuer: neither an answer nor metadata in a foreign name are believed', async () => {
    const { auth } = await make();
    await world.configure(await world.protect());
    auth.habits.answersAs = 'https://elsewhere.example';
    await assert.rejects(world.read(), /not answered by the right authorization server/);
    assert.equal(world.reason(), 'wrongIssuer');
    assert.equal(count('POST /token authorization_code'), 0);
    auth.habits.answersAs = undefined;
    auth.habits.claims = 'https://elsewhere.example';
    await assert.rejects(world.connection().signIn(), /not answered by the right authorization server/);
    assert.equal(world.reason(), 'wrongIssuer');
    auth.habits.claims = undefined;
    await world.connection().signIn();
    assert.equal(await world.read(), 'x');
  });

  it('a refresh token is shown to no other authorization server than its own', async () => {
    const { auth } = await signedIn();
    auth.expire();
    auth.habits.claims = 'https://elsewhere.example';
    await assert.rejects(world.read('background'), /right authorization server/);
    await until('the state says so', () => world.reason() === 'wrongIssuer');
    assert.equal(count('POST /token refresh_token'), 0);
  });

  it('cancelled in the editor, denied in the browser, not wanted at all: states, each mended by signing in', async () => {
    const { auth, person } = await make();
    await world.configure(await world.protect());
    const { browse } = person;
    person.browse = (_url, giveUp) => {
      giveUp();
      return Promise.resolve();
    };
    await assert.rejects(world.read(), /was cancelled/);
    assert.equal(world.reason(), 'cancelled');
    person.way = undefined;
    await assert.rejects(world.connection().signIn(), /was cancelled/);
    person.way = 'browser';
    person.browse = browse;
    auth.habits.deny = true;
    await assert.rejects(world.connection().signIn(), /access was denied/);
    assert.equal(world.reason(), 'denied');
    auth.habits.deny = false;
    await world.connection().signIn();
    assert.equal(await world.read(), 'x');
  });

  it('stopping the server ends a sign-in under way', async () => {
    const { person } = await make();
    await world.configure(await world.protect());
    person.browse = () => Promise.resolve();
    const connecting = world.connection().connect('person');
    connecting.catch(() => undefined);
    await until('it waits', () => person.asked.includes('visit'));
    await world.connection().stop();
    await assert.rejects(connecting, /stopped/);
    assert.equal(world.connection().state.kind, 'stopped');
  });

  it('an answer that does not bear the state is not taken', async () => {
    const { person } = await make();
    await world.configure(await world.protect());
    const statuses: number[] = [];
    person.browse = async (url) => {
      const back = new URL(new URL(url).searchParams.get('redirect_uri')!);
      const forged = [`${back.href}?code=forged&state=forged`, `${back.href}?code=forged`, `${back.href}favicon.ico`];
      for (const address of forged) {
        statuses.push((await fetch(address)).status);
      }
      statuses.push((await fetch(url)).status);
    };
    assert.equal(await world.read(), 'x');
    assert.deepEqual(statuses, [404, 404, 404, 200]);
  });

  for (const [era, transport] of ways) {
    it(`step-up: a person is asked for more rights and loses none; the session goes on (${era}, ${transport})`, async () => {
      const { auth, person } = await signedIn({}, era, transport);
      const asked = person.asked.length;
      auth.habits.demand = 'write';
      await assert.rejects(world.read('background'), /more rights/);
      assert.equal(world.connection().state.kind, 'connected');
      assert.equal(world.connection().signInNeeded?.reason, 'scope');
      assert.equal(person.asked.length, asked);
      assert.equal(await world.read('person'), 'x');
      assert.equal(auth.query.get('scope'), 'read write');
      assert.equal(world.connection().signInNeeded, undefined);
      assert.equal(person.asked.length, asked + 2);
    });
  }

  it('step-up that is not granted is said after one attempt', async () => {
    const { auth, person } = await signedIn();
    const asked = person.asked.length;
    auth.habits.demand = 'write';
    auth.habits.grants = 'read';
    await assert.rejects(world.read('person'), /more rights/);
    assert.equal(person.asked.length, asked + 2);
  });

  it('signing out forgets the token, not the registration', async () => {
    const { auth, store } = await signedIn();
    await world.connection().signOut();
    assert.equal(world.reason(), 'signedOut');
    assert.ok(![...store.entries.values()].some((value) => value.includes('access-')));
    await assert.rejects(world.read('background'), /signed out/);
    const shown = auth.shown.length;
    await world.configure(world.fixtures[0]!);
    await assert.rejects(world.read('background'), /Sign-in needed/);
    assert.deepEqual([...new Set(auth.shown.slice(shown))], ['-']);
    assert.equal(await world.read('person'), 'x');
    assert.equal(count('POST /register'), 1);
  });

  it('what was kept for one account is not there for the next', async () => {
    await make();
    const core = await world.configure(await world.protect());
    const ref = { serverId: 'one', uri: 'a://x' };
    await core.content.read(ref, { purpose: 'open', initiative: 'person' });
    const lists = core.catalog.of(world.connection())!;
    assert.equal((await lists.resources.load()).length, 1);
    await world.connection().signOut();
    assert.deepEqual([core.content.peek(ref), lists.resources.items], [undefined, []]);
  });

  it('a person who comes while the background still tries is asked all the same', async () => {
    await make();
    await world.configure(await world.protect());
    const background = world.connection().connect('background');
    const person = world.connection().connect('person');
    await assert.rejects(background, /Sign-in needed/);
    assert.ok((await person).info.resources);
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`a server that says nowhere how one signs in is asked at the pages of old (${era})`, async () => {
      const { auth, person } = await make({ atServer: true });
      await world.configure(await world.protect(era));
      assert.equal(await world.read(), 'x');
      assert.deepEqual(person.asked, [`choose ${new URL(world.fixtures[0]!.url).origin}`, 'visit']);
      assert.equal(auth.query.get('code_challenge_method'), 'S256');
      auth.expire();
      assert.equal(await world.read('background'), 'x');
      assert.equal(count('POST /token refresh_token'), 1);
    });

    it(`a server without such pages names no place to sign in, and nobody is asked (${era})`, async () => {
      const { person } = await make();
      const fixture = await startFixture({
        era,
        guard: ({ url }, response) => {
          response.writeHead(url === '/mcp' ? 401 : 404).end();
          return true;
        },
      });
      world.fixtures.push(fixture);
      await world.configure(fixture);
      await assert.rejects(world.connection().connect('person'), /names no place to sign in/);
      assert.deepEqual(person.asked, []);
    });
  }

  it('an authorization server out of order is no reason to sign in', async () => {
    const { auth } = await signedIn();
    auth.expire();
    auth.habits.down = true;
    await assert.rejects(world.read('background'), /could not be renewed/);
    assert.equal(world.reason(), undefined);
    auth.habits.down = false;
    assert.equal(await world.read('background'), 'x');
  });

  it('without a refresh token an expired one is a state', async () => {
    const { auth } = await make();
    auth.habits.noRefresh = true;
    await world.configure(await world.protect());
    assert.equal(await world.read(), 'x');
    auth.expire();
    await assert.rejects(world.read('background'), /has expired/);
    await until('the state says so', () => world.reason() === 'expired');
  });

  it('the headers of the configuration never reach the authorization server', async () => {
    const { auth } = await make();
    const { url } = await world.protect();
    await world.configure({ type: 'http', url, headers: { 'x-team': 'blue' } });
    assert.equal(await world.read(), 'x');
    auth.expire();
    assert.equal(await world.read('background'), 'x');
    assert.ok(auth.headers.length > 4);
    assert.deepEqual(
      auth.headers.filter((headers) => headers['x-team'] !== undefined),
      [],
    );
  });

  it('a redirect carries no token to another origin', async () => {
    const { auth } = await make();
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await world.configure(await world.protect());
    assert.equal(await world.read(), 'x');
    auth.habits.redirectTo = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
    await assert.rejects(world.read('background'), /[Rr]edirect/);
    assert.deepEqual(seen, []);
    other.close();
  });

  it('without PKCE nobody is sent anywhere', async () => {
    const { auth, person } = await make();
    auth.habits.noPkce = true;
    await world.configure(await world.protect());
    await assert.rejects(world.read(), /does not support PKCE/);
    assert.deepEqual(person.asked, []);
  });

  for (const page of ['vscode://some.extension/run', 'file:///etc/passwd', 'http://auth.example/authorize']) {
    it(`a page at ${page} is not opened`, async () => {
      const { auth, person } = await make();
      auth.habits.pageIs = page;
      await world.configure(await world.protect());
      await assert.rejects(world.read(), /not secure/);
      assert.deepEqual(person.asked, []);
    });
  }

  it('X10: nothing is asked of anybody in an untrusted workspace', async () => {
    const { auth, person } = await make();
    await world.configure(await world.protect());
    world.refusal = 'not trusted';
    await assert.rejects(world.read(), /not trusted/);
    await assert.rejects(world.connection().signIn(), /not trusted/);
    assert.deepEqual([auth.log, auth.shown, person.asked], [[], [], []]);
  });
});
