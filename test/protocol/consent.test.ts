import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancelledError } from '../../src/base/errors';
import type { UsedSettings } from '../../src/config/definitionPrint';
import type { Launch, ServerDefinition, ServerSource } from '../../src/config/serverDefinition';
import { Consent, type ConsentHost, type ConsentRequest } from '../../src/connection/consent';
import { ConsentNeeded } from '../../src/connection/consentNeeded';
import { type EnvironmentNames, environmentNames } from '../../src/connection/environmentNames';
import { LaunchVariables } from '../../src/connection/launchVariables';
import type { ServerConnection } from '../../src/connection/serverConnection';
import { fixtureLaunch, type FixtureLaunch, startFixture } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, definition, http, startCore, stdio } from './core';
import { MemoryStore } from './signInPerson';

/** A person who answers what servers may start, and a memory in plain sight of the test. */
class Answers implements ConsentHost {
  readonly stored = new Map<string, unknown>();
  readonly asked: ConsentRequest[] = [];
  allows = true;
  values: UsedSettings = {};
  /** What the person does before answering. */
  meanwhile: () => void = () => undefined;

  readonly memory = {
    get: (key: string): unknown => this.stored.get(key),
    update: (key: string, value: unknown): Promise<void> => {
      // As the editor does: what is kept is JSON.
      this.stored.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  };

  settings(names: readonly string[]): UsedSettings {
    return Object.fromEntries(Object.entries(this.values).filter(([name]) => names.includes(name)));
  }

  environment(each: ServerDefinition): Promise<EnvironmentNames | undefined> {
    return environmentNames(each, undefined);
  }

  ask(request: ConsentRequest): Promise<boolean> {
    this.asked.push(request);
    this.meanwhile();
    return Promise.resolve(this.allows);
  }

  get reasons(): string[] {
    return this.asked.map(({ reason }) => (reason.kind === 'changed' ? `changed ${reason.parts.join()}` : reason.kind));
  }
}

const folder = { name: 'w', path: process.cwd() };
const ofWorkspace: ServerSource = { kind: 'workspace', label: '.vscode/mcp.json', file: '/w/.vscode/mcp.json', folder };
const ofUser: ServerSource = { kind: 'user', label: 'user mcp.json', file: '/u/mcp.json', folder };
const byPerson = { initiative: 'person', signal: new AbortController().signal } as const;
const inBackground = { ...byPerson, initiative: 'background' } as const;

function server(launch: Launch, source: ServerSource = ofWorkspace, name = 'one'): ServerDefinition {
  return { ...definition(name, launch), source };
}

function args(...texts: string[]): Launch {
  return { type: 'stdio', command: 'x', args: texts, env: {} };
}

describe('consent before a server starts', () => {
  let core: Core | undefined;
  const fixtures: { dispose(): unknown }[] = [];
  let answers = new Answers();
  beforeEach(() => (answers = new Answers()));
  afterEach(async () => {
    await core?.end();
    core = undefined;
    await Promise.all(fixtures.splice(0).map((fixture) => fixture.dispose()));
  });

  const start = (): Core => {
    const consent = new Consent(answers);
    return (core = startCore({}, { consent: (...how) => consent.require(...how) }));
  };
  const one = (): ServerConnection => {
    assert.ok(core);
    return core.connection('one');
  };
  const fixture = (text = 'x'): FixtureLaunch => {
    const launch = fixtureLaunch({ era: 'legacy', scenario: { resources: [{ uri: 'a://b', text }] } });
    fixtures.push(launch);
    return launch;
  };

  it('no process runs before a yes; in the background it is a state, without a question', async () => {
    const launch = fixture();
    const { pool } = start();
    pool.update([server(stdio(launch))]);
    await assert.rejects(
      one().connect('background'),
      /^ConsentNeeded: Not allowed yet: it comes from \.vscode\/mcp\.json, and starts only after you said yes\.$/,
    );
    const { state } = one();
    assert.ok(state.kind === 'failed' && state.error instanceof ConsentNeeded && state.retryAt === undefined);
    assert.deepEqual(answers.asked, []);
    answers.allows = false;
    await assert.rejects(one().connect('person'), ConsentNeeded);
    assert.deepEqual(await launch.control.processes(), []);
    assert.equal(answers.asked.length, 1);
    answers.allows = true;
    await one().connect('person');
    assert.equal(one().state.kind, 'connected');
    await one().stop();
    await one().connect('person');
    assert.equal(answers.asked.length, 2, 'a yes is remembered');
  });

  it('says while it asks, and to be not allowed yet is no error in the log', async () => {
    const { pool, lines } = start();
    pool.update([server(stdio(fixture()))]);
    const states: string[] = [];
    one().onDidChangeState((state) => states.push(state.kind === 'connecting' && state.asks ? 'asks' : state.kind));
    answers.allows = false;
    await assert.rejects(one().connect('person'), ConsentNeeded);
    assert.deepEqual(states, ['connecting', 'asks', 'connecting', 'failed']);
    assert.deepEqual(lines.filter((line) => line.includes('Not allowed yet')).length, 1);
    assert.deepEqual(one().recent.errors, []);
  });

  it('no request is sent before a yes', async () => {
    const cloud = await startFixture({ era: 'modern', scenario: {} });
    fixtures.push({ dispose: () => cloud.stop() });
    const { pool } = start();
    pool.update([server(http(cloud.url))]);
    await assert.rejects(one().connect('background'), ConsentNeeded);
    answers.allows = false;
    await assert.rejects(one().connect('person'), ConsentNeeded);
    assert.deepEqual(await cloud.requests(), []);
    answers.allows = true;
    await one().connect('person');
    assert.ok((await cloud.requests()).length > 0);
  });

  it('a person goes on from what was begun in the background', async () => {
    const { pool } = start();
    pool.update([server(stdio(fixture()))]);
    const waiting = one().connect('background');
    const going = one().connect('person');
    await assert.rejects(waiting, ConsentNeeded);
    await going;
    assert.equal(answers.asked.length, 1);
  });

  it('a running server whose definition changes ends, and its successor waits for a yes to what changed', async () => {
    const [before, after] = [fixture('before'), fixture('after')];
    const { pool, content } = start();
    pool.update([server(stdio(before))]);
    await one().connect('person');
    pool.update([server(stdio(after))]);
    await until('it waits', () => one().state.kind === 'failed');
    await until('the old one is gone', async () => (await before.control.processes()).every(({ alive }) => !alive));
    const ref = { serverId: 'one', uri: 'a://b' };
    await assert.rejects(
      content.read(ref, { purpose: 'open', initiative: 'background' }),
      /Not allowed yet: its configuration has changed \(the arguments\)/,
    );
    assert.deepEqual(await after.control.processes(), []);
    const { content: read } = await content.read(ref, { purpose: 'open', initiative: 'person' });
    assert.equal(Buffer.from(read.bytes).toString(), 'after');
    assert.deepEqual(answers.reasons, ['new', 'changed args']);
  });

  it('a person’s own definition starts at once, and is asked about once it has changed', async () => {
    const consent = new Consent(answers);
    await consent.require(server(args('1'), ofUser), inBackground);
    await consent.require(server(args('1'), ofUser), inBackground);
    await consent.require(server(args('1'), { kind: 'setting', label: 's' }), inBackground);
    assert.deepEqual(answers.asked, []);
    await assert.rejects(consent.require(server(args('2'), ofUser), inBackground), /has changed \(the arguments\)/);
    await consent.require(server(args('2'), ofUser), byPerson);
    await consent.require(server(args('2'), ofUser), inBackground);
    assert.deepEqual(answers.reasons, ['changed args']);
    const elsewhere = { ...ofUser, folder: { name: 'v', path: '/v' } };
    await consent.require(server(args('2'), elsewhere), inBackground);
    await assert.rejects(consent.require(server(args('1'), ofUser), inBackground), ConsentNeeded);
  });

  it('what the extension brings along needs nobody’s consent, and is not remembered', async () => {
    const sample: ServerSource = { kind: 'sample', label: 'ours' };
    const consent = new Consent(answers);
    await consent.require(server(args('1'), sample), inBackground);
    await consent.require(server(args('2'), sample), inBackground);
    assert.equal(consent.count, 0);
  });

  it('X4: a yes is for one definition in one place: no name, content or address passes it on', async () => {
    const consent = new Consent(answers);
    const trusted = server(args('1'));
    await consent.require(trusted, byPerson);
    await consent.require(server(args('1'), ofUser), inBackground);
    const others = [
      server(args('1'), ofWorkspace, 'two'),
      server(args('1'), { ...ofWorkspace, label: '.mcp.json', file: '/w/.mcp.json' }),
      server(args('1'), { ...ofWorkspace, file: '/v/.vscode/mcp.json' }),
      server(args('1'), { kind: 'setting', label: 'workspace setting', ofWorkspace: true, folder }),
    ];
    for (const other of others) {
      await assert.rejects(consent.require(other, inBackground), /it comes from/);
    }
    await consent.require(others[3]!, byPerson);
    const otherFolder = { ...others[3]!.source, folder: { name: 'v', path: '/v' } };
    await assert.rejects(consent.require(server(args('1'), otherFolder), inBackground), ConsentNeeded);
    await consent.require(trusted, inBackground);
  });

  it('X4: what runs for a trusted server ends when a workspace’s takes its name', async () => {
    const launch = fixture();
    const { pool } = start();
    pool.update([server(stdio(launch), ofUser)]);
    await one().connect('background');
    pool.update([server(stdio(launch), ofWorkspace)]);
    await until('it waits', () => one().state.kind === 'failed');
    await until('the process is gone', async () => (await launch.control.processes()).every(({ alive }) => !alive));
    assert.equal(answers.asked.length, 0);
  });

  it('a setting of the workspace makes a person’s own definition the workspace’s, value for value', async () => {
    const consent = new Consent(answers);
    const own = server({ type: 'stdio', command: '${config:my.tool}', args: [], env: {} }, ofUser);
    answers.values = { 'my.tool': { value: '/bin/good', ofWorkspace: false } };
    await consent.require(own, inBackground);
    answers.values = { 'my.tool': { value: '/w/evil', ofWorkspace: true } };
    await assert.rejects(consent.require(own, inBackground), ConsentNeeded);
    await consent.require(own, byPerson);
    assert.deepEqual(answers.asked[0]?.settings, answers.values);
    answers.values = { 'my.tool': { value: '/w/worse', ofWorkspace: true } };
    await assert.rejects(consent.require(own, inBackground), /has changed \(settings that it uses\)/);
    answers.values = { 'my.tool': { value: '/bin/good', ofWorkspace: false } };
    await consent.require(own, inBackground);
  });

  it('a setting that changes while it is asked about is asked about again before anything starts', async () => {
    const launch = fixture();
    const nobody = (): never => {
      throw new Error('Nobody is asked for a value.');
    };
    const consent = new Consent(answers);
    const setting = (name: string): string | undefined => answers.values[name]?.value;
    core = startCore(
      {},
      {
        consent: (each, by) => consent.require(each, by),
        variables: { store: new MemoryStore(), folders: () => [], setting, ask: nobody, mayRun: nobody, run: nobody },
      },
    );
    core.pool.update([server(stdio({ ...launch, env: { ...launch.env, TOOL: '${config:my.tool}' } }))]);
    answers.values = { 'my.tool': { value: '/bin/good', ofWorkspace: true } };
    answers.meanwhile = () => {
      answers.values = { 'my.tool': { value: '/w/evil', ofWorkspace: true } };
      answers.allows = answers.asked.length === 1;
    };
    await assert.rejects(one().connect('person'), ConsentNeeded);
    assert.deepEqual(
      answers.asked.map(({ settings }) => settings['my.tool']?.value),
      ['/bin/good', '/w/evil'],
    );
    assert.deepEqual(await launch.control.processes(), []);
  });

  describe('of the variables in an environment file', () => {
    let home = '';
    beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'mcp-env-'))));
    afterEach(() => rmSync(home, { recursive: true }));

    const write = (text: string): void => writeFileSync(join(home, '.env'), text);
    const reading = (source: ServerSource, envFile = '.env'): ServerDefinition =>
      server(
        { type: 'stdio', command: 'x', args: [], env: {}, envFile },
        { ...source, folder: { name: 'w', path: home } },
      );

    it('shows the names, and values only of what decides what runs; other names or such values are asked about again, others are not', async () => {
      const consent = new Consent(answers);
      write('API_TOKEN=s3cret\n# NOT=this\nMODE=s3cret');
      await consent.require(reading(ofWorkspace), byPerson);
      assert.deepEqual(answers.asked[0]?.environment, { names: ['API_TOKEN', 'MODE'], deciding: {} });
      assert.ok(!JSON.stringify([answers.asked, ...answers.stored]).includes('s3cret'));
      write('MODE=other\nAPI_TOKEN=other');
      await consent.require(reading(ofWorkspace), inBackground);
      write('MODE=other\nAPI_TOKEN=other\nNODE_OPTIONS=--require ./evil.js');
      await assert.rejects(
        consent.require(reading(ofWorkspace), inBackground),
        /its configuration has changed \(what the environment file sets\)/,
      );
      await consent.require(reading(ofWorkspace), byPerson);
      const { environment } = answers.asked[1]!;
      assert.ok(environment && 'deciding' in environment);
      assert.deepEqual(environment.deciding, { NODE_OPTIONS: '--require ./evil.js' });
      await consent.require(reading(ofWorkspace), inBackground);
      for (const text of ['', 'MODE=other\nAPI_TOKEN=other\nNODE_OPTIONS=--require ./worse.js']) {
        write(text);
        await assert.rejects(consent.require(reading(ofWorkspace), inBackground), ConsentNeeded);
      }
      assert.deepEqual(answers.reasons, ['new', 'changed envNames']);
    });

    it('what is new is told by name, and that something is gone; of a yes from before that was kept, the parts alone', async () => {
      const consent = new Consent(answers);
      const changes = async (text: string): Promise<unknown> => {
        const before = answers.asked.length;
        write(text);
        await consent.require(reading(ofWorkspace), byPerson);
        const reason = answers.asked[before]?.reason;
        return reason?.kind === 'changed' ? reason.variables : reason?.kind;
      };
      assert.equal(await changes('A=s3cret\nPATH=/s3cret'), 'new');
      assert.deepEqual(await changes('A=2\nPATH=/s3cret\nOTHER=s3cret\nLD_PRELOAD=/x.so'), {
        fresh: ['OTHER', 'LD_PRELOAD'],
        someGone: false,
      });
      assert.deepEqual(await changes('OTHER=1\nLD_PRELOAD=/y.so\nPATH=/s3cret'), {
        fresh: ['LD_PRELOAD'],
        someGone: true,
      });
      assert.deepEqual(await changes('OTHER=1\nPATH=/s3cret'), { fresh: [], someGone: true });
      const text = JSON.stringify([...answers.stored]);
      assert.doesNotMatch(text, /s3cret|OTHER|PATH/);
      // As a record was before there were digests of each variable.
      const kept = JSON.stringify(answers.stored.get('consents')).replace(/,"variables":\{[^}]*\}/, '');
      assert.ok(text.includes('variables') && !kept.includes('variables'));
      answers.stored.set('consents', JSON.parse(kept));
      await consent.require(reading(ofWorkspace), inBackground);
      assert.equal(await changes('B=1'), undefined);
      assert.deepEqual(await changes('B=1\nC=1'), { fresh: ['C'], someGone: false });
      assert.deepEqual(answers.reasons, ['new', ...Array.from({ length: 5 }, () => 'changed envNames')]);
    });

    it('a file that cannot be read is said to be; once it can, its names are asked about before anything starts', async () => {
      const consent = new Consent(answers);
      await consent.require(reading(ofWorkspace), byPerson);
      const [first] = answers.asked;
      assert.ok(first?.environment && 'lack' in first.environment);
      assert.match(first.environment.lack, /^The envFile [^ ]*\.env does not exist\.$/);
      await consent.require(reading(ofWorkspace), inBackground);
      write('A=1');
      await assert.rejects(consent.require(reading(ofWorkspace), inBackground), ConsentNeeded);
      await consent.require(reading(ofWorkspace), byPerson);
      write('x'.repeat(1024 * 1024 + 1));
      await consent.require(reading(ofWorkspace), inBackground);
      assert.equal(answers.asked.length, 2);
      await consent.require(reading(ofWorkspace, '${workspaceFolder}/${env:NOT_THERE_AT_ALL}/.env'), byPerson);
      const { environment } = answers.asked[2]!;
      assert.ok(environment && 'lack' in environment && environment.lack.includes('NOT_THERE_AT_ALL'));
    });

    it('no variable is asked for or run for it, and no password is shown in its path', async () => {
      const nobody = (): never => {
        throw new Error('Nobody is asked, and nothing is run.');
      };
      const ask = (): Promise<string> => Promise.resolve('s3cret');
      const host = {
        store: new MemoryStore(),
        folders: () => [],
        setting: () => undefined,
        mayRun: nobody,
        run: nobody,
      };
      const inputs = [{ id: 'a', type: 'promptString', password: true }] as const;
      const each = { ...reading(ofWorkspace, '${input:a}/.env'), inputs };
      const byCommand = { ...reading(ofWorkspace, '${command:b}/.env'), inputs };
      const asks = new LaunchVariables({ ...host, ask });
      const lackOf = async (definition: ServerDefinition, variables: LaunchVariables): Promise<string> => {
        const found = await environmentNames(definition, variables);
        return found && 'lack' in found ? found.lack : '';
      };
      assert.match(await lackOf(each, new LaunchVariables({ ...host, ask: nobody })), /"a"/);
      assert.match(await lackOf(byCommand, asks), /"b"/);
      await asks.of(each, byPerson);
      assert.match(await lackOf(each, asks), /••••••\/\.env does not exist/);
      assert.doesNotMatch(await lackOf(each, asks), /s3cret/);
    });

    it('a person’s own file starts at once, also when it came later, and is asked about once its names have changed', async () => {
      const consent = new Consent(answers);
      await consent.require(reading(ofUser), inBackground);
      write('A=1');
      await consent.require(reading(ofUser), inBackground);
      write('B=1');
      await assert.rejects(consent.require(reading(ofUser), inBackground), /\(what the environment file sets\)/);
      assert.deepEqual(answers.asked, []);
    });

    it('names that change while a person is asked are asked about again before anything starts', async () => {
      const launch = fixture();
      start().pool.update([{ ...reading(ofWorkspace), launch: { ...stdio(launch), envFile: '.env' } as Launch }]);
      write('A=1');
      answers.meanwhile = () => {
        write('A=1\nPATH=/w/evil');
        answers.allows = answers.asked.length === 1;
      };
      await assert.rejects(one().connect('person'), ConsentNeeded);
      assert.deepEqual(
        answers.asked.map(({ environment }) => environment),
        [
          { names: ['A'], deciding: {} },
          { names: ['A', 'PATH'], deciding: { PATH: '/w/evil' } },
        ],
      );
      assert.deepEqual(await launch.control.processes(), []);
    });

    it('what starts is what a person was shown, not what stood in the file for a moment between two looks', async () => {
      const launch = fixture();
      start().pool.update([{ ...reading(ofWorkspace), launch: { ...stdio(launch), envFile: '.env' } as Launch }]);
      write('A=1');
      let looks = 0;
      const environment = answers.environment.bind(answers);
      answers.environment = async (each) => {
        looks += 1;
        if (looks > 1) {
          write('A=1');
        }
        const names = await environment(each);
        write('A=1\nPATH=/w/evil');
        return names;
      };
      answers.meanwhile = () => (answers.allows = answers.asked.length === 1);
      await assert.rejects(one().connect('person'), ConsentNeeded);
      assert.deepEqual(
        answers.asked.map((each) => each.environment),
        [
          { names: ['A'], deciding: {} },
          { names: ['A', 'PATH'], deciding: { PATH: '/w/evil' } },
        ],
      );
      assert.deepEqual(await launch.control.processes(), []);
    });
  });

  it('Reset Trust forgets all, so that even a person’s own definition is asked about, changed or not', async () => {
    const consent = new Consent(answers);
    await consent.require(server(args('1')), byPerson);
    await consent.require(server(args('1'), ofUser), inBackground);
    assert.equal(consent.count, 2);
    await consent.reset();
    assert.equal(consent.count, 0);
    for (const each of [server(args('1')), server(args('1'), ofUser), server(args('2'), ofUser)]) {
      await assert.rejects(consent.require(each, inBackground), /Not allowed yet: trust was reset\./);
    }
    await consent.require(server(args('1')), byPerson);
    assert.deepEqual([consent.count, answers.reasons], [1, ['new', 'forgotten']]);
  });

  it('questions come one after the other, the same one once, and none for a start that was given up', async () => {
    const consent = new Consent(answers);
    await Promise.all([consent.require(server(args('1')), byPerson), consent.require(server(args('1')), byPerson)]);
    assert.equal(answers.asked.length, 1);
    const abort = new AbortController();
    abort.abort();
    const givenUp = { initiative: 'person', signal: abort.signal } as const;
    await assert.rejects(consent.require(server(args('2')), givenUp), CancelledError);
    assert.equal(answers.asked.length, 1);
  });

  it('a yes to what was stopped meanwhile does not count', async () => {
    const launch = fixture();
    const { pool } = start();
    pool.update([server(stdio(launch))]);
    answers.meanwhile = () => void one().stop();
    await assert.rejects(one().connect('person'), /was stopped/);
    assert.deepEqual(await launch.control.processes(), []);
    answers.meanwhile = () => undefined;
    await one().connect('person');
    assert.equal(answers.asked.length, 2);
  });

  it('nothing of a definition is stored but digests', async () => {
    const consent = new Consent(answers);
    const secret = { ...stdio({ command: 's3cret-command', args: ['s3cret'], env: { KEY: 's3cret' } }) };
    await consent.require(server(secret), byPerson);
    await consent.require(server(http('https://s3cret.example', { key: 's3cret' }), ofUser), inBackground);
    const text = JSON.stringify([...answers.stored]);
    assert.ok(text.length > 100);
    assert.ok(!text.includes('s3cret') && !text.includes('.vscode') && !text.includes('one'), text);
  });
});
