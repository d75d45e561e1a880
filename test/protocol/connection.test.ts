import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Control, fixtureLaunch, type Scenario, startFixture } from '../server/fixtureClient';
import { isAlive } from '../server/fixtureFolder';
import { until } from '../until';
import { type Core, definition, http, startCore, stdio } from './core';

describe('connections', () => {
  let core: Core | undefined;
  let disposals: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    await core?.end();
    for (const dispose of disposals.reverse()) {
      await dispose();
    }
    core = undefined;
    disposals = [];
  });

  const process = (scenario: Scenario, era: 'legacy' | 'modern' = 'legacy') => {
    const fixture = fixtureLaunch({ era, scenario });
    disposals.push(() => fixture.dispose());
    return fixture;
  };

  const gone = async (control: Control): Promise<boolean> =>
    (await control.processes()).every(
      ({ alive, grandchild }) => !alive && (grandchild === undefined || !isAlive(grandchild)),
    );

  const state = (id = 'one') => core!.connection(id).state;

  describe('the whole process tree ends within 5 s', () => {
    const stubborn: Scenario = { stdio: { ignoreEnd: true, ignoreTerm: true, grandchild: 'attached' } };

    for (const era of ['legacy', 'modern'] as const) {
      it(`C7: on stop, of a server that ignores everything and has a child (${era})`, async () => {
        const { control, ...launch } = process(stubborn, era);
        core = startCore({ one: stdio(launch) });
        await core.connection('one').connect('person');
        const begun = Date.now();
        await core.connection('one').stop();
        assert.ok(await gone(control));
        assert.ok(Date.now() - begun < 5000);
        assert.equal(state().kind, 'stopped');
      });
    }

    it('C7: of a well-behaved server at once', async () => {
      const { control, ...launch } = process({});
      core = startCore({ one: stdio(launch) });
      await core.connection('one').connect('person');
      const begun = Date.now();
      await core.connection('one').stop();
      assert.ok(await gone(control));
      assert.ok(Date.now() - begun < 1000);
    });

    it('C7: while it is still connecting', async () => {
      const { control, ...launch } = process({ ...stubborn, probe: 'ignore', methods: { '*': { never: true } } });
      core = startCore({ one: stdio(launch) });
      const attempt = core.connection('one').connect('person');
      attempt.catch(() => undefined);
      await until('a process', async () => (await control.processes()).length > 0);
      const begun = Date.now();
      await core.connection('one').stop();
      assert.ok(await gone(control));
      assert.ok(Date.now() - begun < 5000);
      await assert.rejects(attempt, /stopped/);
    });

    it('C7: when the configuration changes and when it is deleted', async () => {
      const { control, ...launch } = process(stubborn);
      core = startCore({ one: stdio(launch) });
      await core.connection('one').connect('person');
      core.pool.update([definition('one', { ...stdio(launch), env: { ...launch.env, CHANGED: '1' } } as never)]);
      await until('the new one is connected', () => state().kind === 'connected', 15_000);
      assert.equal((await control.processes()).filter(({ alive }) => alive).length, 1);
      core.pool.update([]);
      await until('all are gone', () => gone(control), 5000);
    });

    it('C7: when the extension ends, also while connecting', async () => {
      const first = process(stubborn);
      const second = process({ ...stubborn, methods: { '*': { never: true } }, probe: 'ignore' });
      core = startCore({ one: stdio(first), two: stdio(second) });
      await core.connection('one').connect('person');
      core
        .connection('two')
        .connect('person')
        .catch(() => undefined);
      await until('a process', async () => (await second.control.processes()).length > 0);
      const begun = Date.now();
      await core.end();
      core = undefined;
      assert.ok((await gone(first.control)) && (await gone(second.control)));
      assert.ok(Date.now() - begun < 5000);
    });
  });

  it('a definition that starts the same thing keeps its process, wherever it was found', async () => {
    const fixture = process({});
    core = startCore({ one: stdio(fixture) });
    await core.connection('one').connect('person');
    core.pool.update([
      {
        ...definition('one', stdio(fixture)),
        source: { kind: 'user', label: 'user' },
        shadows: [{ kind: 'user', label: 'x' }],
      },
    ]);
    assert.equal(state().kind, 'connected');
    assert.equal(core.connection('one').definition.source.kind, 'user');
    assert.equal((await fixture.control.processes()).filter(({ alive }) => alive).length, 1);
  });

  for (const probe of ['refuse', 'exit', 'ignore'] as const) {
    it(`a legacy server that ${probe}s the modern opening is connected by initialize`, async () => {
      const fixture = process({ probe });
      core = startCore({ one: stdio(fixture) });
      const session = await core.connection('one').connect('person');
      assert.equal(session.info.era, 'legacy');
      // The second connection knows the era: one process, no probe.
      const before = (await fixture.control.processes()).length;
      await core.connection('one').restart();
      assert.equal((await fixture.control.processes()).length, before + 1);
    });
  }

  it('a modern server needs one process', async () => {
    const fixture = process({}, 'modern');
    core = startCore({ one: stdio(fixture) });
    await core.connection('one').connect('person');
    assert.equal((await fixture.control.processes()).length, 1);
  });

  it('text on stdout that is no message is survived and told once, stderr goes to the log', async () => {
    const fixture = process({ stdio: { noise: ['Welcome!', 'to my server'], stderr: ['warming up'] } }, 'modern');
    core = startCore({ one: stdio(fixture) });
    await core.connection('one').connect('person');
    assert.equal(core.lines.filter((line) => line.includes('no message')).length, 1);
    await until('stderr', () => core!.lines.some((line) => line.includes('[stderr] warming up')));
  });

  it('a server that exits at once says so', async () => {
    const fixture = process({ stdio: { exitAtStart: 3 } });
    core = startCore({ one: stdio(fixture) });
    await assert.rejects(core.connection('one').connect('person'), /exited with code 3/);
    assert.equal(state().kind, 'failed');
    // Work in the background does not start it again.
    const before = (await fixture.control.processes()).length;
    await assert.rejects(core.connection('one').connect('background'), /exited with code 3/);
    assert.equal((await fixture.control.processes()).length, before);
  });

  it('V7: what a server said before it exited is in the failure, without secrets', async () => {
    const script = `
      console.error('Error: cannot open database /var/db.sqlite with s3cret-value');
      console.error('    at main (/srv/error.js:1:1)');
      process.exitCode = 3;
    `;
    core = startCore({
      one: { type: 'stdio', command: 'node', args: ['-e', script], env: { DB_TOKEN: 's3cret-value' } },
    });
    const words = 'exited with code 3: Error: cannot open database /var/db.sqlite with ••••••';
    await assert.rejects(core.connection('one').connect('person'), new RegExp(`${words}$`));
    const now = state();
    assert.ok(now.kind === 'failed' && now.error.message.endsWith(words));
  });

  it('C5: a start has its time limit', async () => {
    const fixture = process({ probe: 'ignore', methods: { '*': { never: true } } });
    core = startCore({ one: stdio(fixture) }, { startTimeoutMs: 1000 });
    await assert.rejects(core.connection('one').connect('person'), /did not answer within 1 s/);
    await until('its processes are gone', () => gone(fixture.control));
  });

  it('C1: a missing command and a missing folder are told apart, with what was searched', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'mcp-cwd-'));
    disposals.push(() => rm(cwd, { recursive: true }));
    core = startCore({
      command: { type: 'stdio', command: 'no-such-command', args: [], env: {}, cwd },
      relative: { type: 'stdio', command: './no-such-command', args: [], env: {}, cwd },
      absolute: { type: 'stdio', command: '/no/such-command', args: [], env: {}, cwd },
      folder: { type: 'stdio', command: 'node', args: [], env: {}, cwd: '/no/such/folder' },
    });
    const rejects = (id: string, words: string): Promise<void> =>
      assert.rejects(core!.connection(id).connect('person'), ({ message }: Error) => message.startsWith(words));
    await rejects('relative', `The command "./no-such-command" was not found in the folder ${cwd}. `);
    await rejects('absolute', 'The command "/no/such-command" was not found. Check its path');
    assert.ok(!core.lines.some((line) => line.includes('PATH was: ')));
    await rejects('command', 'The command "no-such-command" was not found on the PATH. Check that it is installed, or');
    assert.ok(core.lines.some((line) => line.includes('PATH was: ')));
    await assert.rejects(core.connection('folder').connect('person'), /folder .* does not exist: \/no\/such\/folder/);
  });

  it('an envFile that is a named pipe is refused, and never waited for', async function () {
    if (platform() === 'win32') {
      this.skip();
    }
    const folder = await mkdtemp(join(tmpdir(), 'mcp-pipe-'));
    disposals.push(() => rm(folder, { recursive: true }));
    const envFile = join(folder, '.env');
    execFileSync('mkfifo', [envFile]);
    core = startCore({ one: { type: 'stdio', command: 'node', args: [], env: {}, envFile } });
    await assert.rejects(
      core.connection('one').connect('person'),
      /envFile .* cannot be read: It is not a regular file/,
    );
  });

  it('X1: while the workspace is not trusted, nothing is started and nothing contacted', async () => {
    const one = process({});
    const two = await startFixture({ era: 'legacy' });
    disposals.push(() => two.stop());
    core = startCore({ one: stdio(one), two: http(two.url) }, { refusal: () => 'This workspace is not trusted.' });
    for (const id of ['one', 'two']) {
      await assert.rejects(core.connection(id).connect('person'), /not trusted/);
    }
    assert.deepEqual(await one.control.processes(), []);
    assert.deepEqual(
      (await two.log()).filter(({ kind }) => kind !== 'event'),
      [],
    );
  });

  it('headers are sent with every request, and a refusal says what to check', async () => {
    const scenario = { http: { requireHeader: { name: 'x-api-key', value: 'secret-value' } } };
    const fixture = await startFixture({ era: 'modern', scenario });
    disposals.push(() => fixture.stop());
    core = startCore({ good: http(fixture.url, { 'x-api-key': 'secret-value' }), bad: http(fixture.url) });
    await core.connection('good').connect('person');
    await assert.rejects(core.connection('bad').connect('person'), /refuses access \(HTTP 401\).*credentials/);
    assert.ok(!core.lines.some((line) => line.includes('secret-value')));
  });

  it('a port where nobody listens is said plainly', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    core = startCore({ one: http(`http://127.0.0.1:${port}/mcp`) });
    await assert.rejects(core.connection('one').connect('person'), /Nothing answers at .* \(ECONNREFUSED\)/);
  });

  it('an address that cannot be used is said plainly', async () => {
    core = startCore({ port: http('http://127.0.0.1:1/mcp'), scheme: http('ftp://127.0.0.1/mcp') });
    await assert.rejects(core.connection('port').connect('person'), /^HumanError: The port of .* is blocked/);
    await assert.rejects(core.connection('scheme').connect('person'), (error: Error) => {
      assert.doesNotMatch(error.message, /probe|negotiation|fetch failed/);
      return true;
    });
  });

  it('a process that dies is started again by itself, with growing pauses, until it is left to a person', async () => {
    const fixture = process({ resources: [{ uri: 'a:1', text: 'x' }] });
    core = startCore({ one: stdio(fixture) }, { backoff: { firstMs: 10, longestMs: 50, attempts: 2 } });
    await core.connection('one').connect('person');
    const states: string[] = [];
    core.connection('one').onDidChangeState(({ kind }) => states.push(kind));
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      const died = states.length;
      await fixture.control.exit(1);
      await until('it is noticed', () => states.slice(died).includes('failed'));
      if (deaths < 3) {
        await until('it is back', () => state().kind === 'connected');
      }
    }
    const last = state();
    assert.ok(last.kind === 'failed' && last.retryAt === undefined, 'a crash loop stops');
    await core.connection('one').connect('person');
    assert.equal(state().kind, 'connected');
  });

  it('what never worked is not tried again by itself, and stopping ends the attempts', async () => {
    const broken = process({ stdio: { exitAtStart: 1 } });
    const good = process({});
    const backoff = { firstMs: 20_000, longestMs: 20_000, attempts: 9 };
    core = startCore({ broken: stdio(broken), good: stdio(good) }, { backoff });
    await assert.rejects(core.connection('broken').connect('person'));
    const failed = state('broken');
    assert.ok(failed.kind === 'failed' && failed.retryAt === undefined);
    await core.connection('good').connect('person');
    await good.control.exit(1);
    await until('it waits', () => {
      const now = state('good');
      return now.kind === 'failed' && now.retryAt !== undefined;
    });
    await core.connection('good').stop();
    assert.equal(state('good').kind, 'stopped');
  });

  it('a server that dies during a read is a lost connection, also while a child of it holds its streams', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const answer = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
        if (method === 'initialize') {
          answer({ protocolVersion: '2025-11-25', capabilities: { resources: {} }, serverInfo: { name: 'x', version: '1' } });
        } else if (method === 'resources/read') {
          spawn('sleep', ['30'], { stdio: 'inherit' }).on('spawn', () => process.exit(4));
        } else if (id !== undefined) {
          console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
        }
      });
    `;
    core = startCore(
      { one: { type: 'stdio', command: 'node', args: ['-e', script], env: {} } },
      { backoff: { firstMs: 20_000, longestMs: 20_000, attempts: 3 } },
    );
    const session = await core.connection('one').connect('person');
    const begun = Date.now();
    await assert.rejects(session.read('a://x', { initiative: 'person' }), { kind: 'disconnected' });
    assert.ok(Date.now() - begun < 5000);
    await until('it is noticed', () => state().kind === 'failed');
  });
});
