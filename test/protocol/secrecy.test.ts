import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverDiagnostics } from '../../src/catalog/diagnostics';
import { fixtureLaunch, type FixtureEra, type Scenario, startFixture } from '../server/fixtureClient';
import { testRoot } from '../server/testRoot';
import { until } from '../until';
import { type Core, http, startCore, stdio } from './core';
import { SignInWorld } from './signInWorld';

const secrets = /SECRET-777|s3cr3t|secret-of-query|in-a-body/;
const ofHeader = 'SECRET-777-abc"quoted"';

describe('secrets stand in no log, no error and no diagnostics', () => {
  let core: Core | undefined;
  let world: SignInWorld | undefined;
  let disposals: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    await core?.end();
    await world?.end();
    for (const dispose of disposals) {
      await dispose();
    }
    core = world = undefined;
    disposals = [];
  });

  const diagnostics = (id: string): string => {
    const connection = core!.connection(id);
    return serverDiagnostics(connection, core!.catalog.of(connection));
  };
  const clean = (text: string): void =>
    assert.deepEqual(
      text.split('\n').filter((line) => secrets.test(line)),
      [],
    );

  for (const era of ['legacy', 'modern'] satisfies FixtureEra[]) {
    it(`X5: even where the server repeats them, and every message is kept (${era})`, async () => {
      const words = `denied for Bearer ${ofHeader} and in-a-body`;
      const scenario: Scenario = {
        resources: [
          { uri: 'a://x', error: { code: -32603, message: words } },
          { uri: 'a://y', text: `${ofHeader} secret-of-query ${encodeURIComponent('s3cr3t variable')}` },
        ],
        stdio: { stderr: ['token is s3cr3t variable', `header is ${ofHeader}`] },
      };
      const web = await startFixture({ era, scenario });
      const local = fixtureLaunch({ era, scenario });
      disposals = [() => web.stop(), () => local.dispose()];
      core = startCore(
        {
          web: http(`${web.url}?api_key=secret-of-query`, {
            Authorization: `Bearer ${ofHeader}`,
            'x-token': 'in-a-body',
          }),
          local: stdio({
            ...local,
            env: {
              ...local.env,
              MY_TOKEN: 's3cr3t variable',
              BODY_SECRET: 'in-a-body',
              QUERY_KEY: 'secret-of-query',
              PASSWD: ofHeader,
            },
          }),
        },
        { traces: true },
      );
      for (const id of ['web', 'local']) {
        await core.connection(id).connect('person');
        const reading = core.content.read({ serverId: id, uri: 'a://x' }, { purpose: 'open', initiative: 'person' });
        await assert.rejects(reading, (error: Error) => {
          assert.match(error.message, /denied for/);
          return !secrets.test(error.message);
        });
      }
      // The variable was given to this one alone.
      await core.content.read({ serverId: 'local', uri: 'a://y' }, { purpose: 'open', initiative: 'person' });
      await until('stderr', () => core!.lines.some((line) => line.includes('[stderr] header is')));
      const traced = core.lines.filter((line) => line.startsWith('trace'));
      for (const sign of ['→ {', '← {', '→ HTTP POST', '← HTTP 200']) {
        assert.ok(
          traced.some((line) => line.includes(sign)),
          sign,
        );
      }
      clean(core.lines.join('\n'));
      for (const id of ['web', 'local']) {
        const text = diagnostics(id);
        assert.match(text, new RegExp(`state: connected\\n +protocol: \\S+ \\(${era}\\)`));
        clean(text);
      }
    });
  }

  it('what a failure says is masked in the diagnostics, too', async () => {
    const scenario: Scenario = {
      resources: [{ uri: 'a://x', text: 'x' }],
      methods: { 'resources/list': { error: { code: -32603, message: 'no list for in-a-body' } } },
    };
    const web = await startFixture({ era: 'legacy', scenario });
    disposals = [() => web.stop()];
    core = startCore({ web: http(web.url, { 'x-token': 'in-a-body' }) });
    const lists = core.catalog.of(core.connection('web'))!;
    await core.connection('web').connect('person');
    await assert.rejects(lists.resources.load());
    assert.match(diagnostics('web'), /resources: failed: no list for •+, 0 entries/);
    clean(diagnostics('web'));
  });

  it('what signing in gave stands in no message of the wire', async () => {
    world = await SignInWorld.make();
    world.traces = true;
    const own = await world.configure(await world.protect());
    assert.equal(await world.read(), 'x');
    world.auth.expire();
    assert.equal(await world.read('background'), 'x');
    const given = [...world.store.entries.values()].join('\n').match(/(access|refresh)-[0-9a-f-]+/g) ?? [];
    assert.equal(given.length, 2);
    const text = [...own.lines, serverDiagnostics(world.connection(), undefined)].join('\n');
    assert.match(text, /→ HTTP POST .*"authorization":"•+"/);
    assert.deepEqual(
      [...given, ...world.auth.shown.filter((token) => token !== '-')].filter((token) => text.includes(token)),
      [],
    );
  });
});

describe('the console of the editor', () => {
  it('hears nothing of the SDK, which repeats what an authorization server says, codes and verifiers included', () => {
    const bundle = readFileSync(join(testRoot(), 'dist', 'sdk.js'), 'utf8');
    assert.ok(bundle.includes('invalid_grant'));
    assert.deepEqual(bundle.match(/console\.(?:log|info|warn|error|debug)\(/g) ?? [], []);
  });
});

describe('what a server says for its log', () => {
  it('is written at its level, in both families', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const fixture = await startFixture({ era, scenario: { resources: [{ uri: 'a://x', text: 'x' }] } });
      const core = startCore({ one: http(fixture.url) });
      try {
        await core.connection('one').connect('person');
        // A stream has to be there by which it can be said.
        await core.content.read({ serverId: 'one', uri: 'a://x' }, { purpose: 'open', initiative: 'person' });
        const interest = core.connection('one').subscriptions.acquire('a://x');
        await until('live', () => core.connection('one').subscriptions.liveness('a://x') === 'live');
        await fixture.notify('notifications/message', { level: 'critical', logger: 'db', data: { code: 7 } });
        await fixture.notify('notifications/message', { level: 'notice', data: 'two\nlines' });
        await until('both are there', () => core.lines.filter((line) => line.includes('[server')).length === 2);
        assert.deepEqual(
          core.lines.filter((line) => line.includes('[server')),
          ['error [one] [server db] {"code":7}', 'info [one] [server] two ⏎ lines'],
        );
        interest.dispose();
      } finally {
        await core.end();
        await fixture.stop();
      }
    }
  });
});
