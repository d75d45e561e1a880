import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthOptions } from '../server/authServer';
import { until } from '../until';
import { SignInWorld } from './signInWorld';

describe('signing out, and what becomes of the tokens', () => {
  let world: SignInWorld;

  const make = async (options?: AuthOptions): Promise<SignInWorld> => (world = await SignInWorld.make(options));

  afterEach(() => world.end());

  it('signing out has the tokens taken back, and those alone', async () => {
    const { auth } = await make();
    const core = await world.configure(await world.protect(), await world.protect());
    await world.read('person', 'one');
    await world.read('person', 'two');
    await world.connection('one').signOut();
    await until('both are taken back', () => auth.good.access === 1 && auth.good.refresh === 1);
    assert.deepEqual(
      auth.log.filter((line) => line.includes('/revoke')),
      ['POST /revoke refresh_token', 'POST /revoke access_token'],
    );
    await until('the log says so', () => core.lines.some((line) => line.includes('access token was taken back')));
    assert.ok(!core.lines.some((line) => /(access|refresh)-[0-9a-f]/.test(line)));
    assert.equal(await world.read('background', 'two'), 'x');
  });

  it('a client with a secret says who it is when it has tokens taken back', async () => {
    const { person, auth } = await make({ registration: false, clients: { ours: 'right-secret' } });
    const { url } = await world.protect();
    await world.configure({ type: 'http', url, headers: {}, oauth: { clientId: 'ours' } });
    person.client = { clientId: 'ours', clientSecret: 'right-secret' };
    await world.read();
    await world.connection().signOut();
    await until('both are taken back', () => auth.good.access + auth.good.refresh === 0);
  });

  it('a renewal that is under way brings nothing back: what it gets is taken back, too', async () => {
    const { auth, store } = await make();
    await world.configure(await world.protect());
    await world.read();
    const connection = world.connection();
    const isKept = (): boolean => [...store.entries.keys()].some((key) => key.startsWith('tokens '));
    assert.ok(isKept());
    auth.expire();
    const renewals = (): number => auth.log.filter((line) => line.startsWith('POST /token')).length;
    const before = renewals();
    const [get, forget] = [store.get.bind(store), store.delete.bind(store)];
    let out: Promise<void> | undefined;
    store.get = (key) => {
      // Between the metadata and the renewal.
      out ??= key.startsWith('client ') ? connection.signOut() : undefined;
      return get(key);
    };
    store.delete = async (key) => {
      await until('it is renewed', () => renewals() > before);
      await forget(key);
    };
    await connection.read('a://x', { initiative: 'background' }).catch(() => undefined);
    await until('it is signed out', () => out !== undefined);
    await out;
    await until('none is good any more', () => auth.good.access + auth.good.refresh === 0);
    await until('the new ones are', () => auth.log.filter((line) => line === 'POST /revoke access_token').length === 2);
    assert.ok(!isKept());
    await assert.rejects(connection.connect('background'), /signed out/i);
  });

  it('signing out is done whatever becomes of the tokens, which no other address is shown', async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(String(request.url));
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { auth } = await make();
    const core = await world.configure(await world.protect());
    const signOutWhen = async (habits: typeof auth.habits, told: RegExp): Promise<void> => {
      await world.connection().connect('person');
      Object.assign(auth.habits, habits);
      const before = core.lines.length;
      await world.connection().signOut();
      assert.equal(world.reason(), 'signedOut');
      await until(String(told), () => core.lines.slice(before).some((line) => told.test(line)));
      Object.assign(auth.habits, {
        openId: false,
        down: false,
        claims: undefined,
        revokesAt: undefined,
        redirectTo: undefined,
      });
    };
    await signOutWhen({ openId: true }, /access token was taken back/);
    await signOutWhen({ down: true }, /not taken back \(HTTP 503\)/);
    await signOutWhen({ revokesAt: null }, /takes back no tokens/);
    await signOutWhen({ revokesAt: 'http://auth.example/revoke' }, /not told: .*not secure/);
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await signOutWhen({ claims: elsewhere }, /not told: /);
    await signOutWhen({ redirectTo: elsewhere }, /not told: /);
    await auth.stop();
    assert.deepEqual(seen, []);
    other.close();
  });
});
