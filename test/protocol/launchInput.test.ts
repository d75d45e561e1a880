import assert from 'node:assert/strict';
import { CancelledError } from '../../src/base/errors';
import type { InputDefinition, Launch, ServerDefinition } from '../../src/config/serverDefinition';
import { InputNeeded } from '../../src/connection/inputNeeded';
import { LaunchVariables, type VariableHost } from '../../src/connection/launchVariables';
import { fixtureLaunch } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, definition, startCore } from './core';
import { MemoryStore } from './signInPerson';

/** A person who answers what variables ask, and an editor that knows two settings and one command. */
class Answers implements VariableHost {
  readonly asked: string[] = [];
  readonly ran: string[] = [];
  inputs: Record<string, string | undefined> = {};
  allows = true;

  constructor(readonly store = new MemoryStore()) {}

  folders(): { name: string; path: string }[] {
    return [{ name: 'docs', path: '/w/docs' }];
  }

  setting(name: string): string | undefined {
    return { 'my.era': 'legacy', 'my.loop': '${config:my.loop}' }[name];
  }

  ask({ input }: Parameters<VariableHost['ask']>[0]): Promise<string | undefined> {
    this.asked.push(`${input.type} ${input.id}`);
    return Promise.resolve(this.inputs[input.id]);
  }

  mayRun({ command, serverId }: Parameters<VariableHost['mayRun']>[0]): Promise<boolean> {
    this.asked.push(`run ${command} for ${serverId}`);
    return Promise.resolve(this.allows);
  }

  run(command: string, args: unknown): Promise<unknown> {
    this.ran.push(args === undefined ? command : `${command} ${JSON.stringify(args)}`);
    return command === 'bad' ? Promise.reject(new Error('no luck')) : Promise.resolve('legacy');
  }
}

const secret: InputDefinition = { id: 'key', type: 'promptString', description: 'The key', password: true };
const byPerson = { initiative: 'person', signal: new AbortController().signal } as const;
const inBackground = { ...byPerson, initiative: 'background' } as const;

function withInputs(launch: Launch, ...inputs: InputDefinition[]): ServerDefinition {
  return {
    ...definition('one', launch),
    source: { kind: 'workspace', label: 'x', file: '/w/.vscode/mcp.json' },
    inputs,
  };
}

function args(...texts: string[]): Launch {
  return { type: 'stdio', command: 'x', args: texts, env: {} };
}

describe('what a configuration leaves open', () => {
  let core: Core | undefined;
  afterEach(() => core?.end());

  it('waits for a person, in the background as a state without a question; what was given is kept', async () => {
    const fixture = fixtureLaunch({ era: 'legacy', scenario: { resources: [{ uri: 'a://b', text: 'x' }] } });
    try {
      const answers = new Answers();
      const era: InputDefinition = { id: 'era', type: 'promptString', password: false };
      const launch: Launch = { type: 'stdio', ...fixture, args: [...fixture.args, '--era', '${input:era}'] };
      core = startCore({}, { variables: answers });
      core.pool.update([withInputs(launch, era)]);
      const one = core.connection('one');
      await assert.rejects(one.connect('background'), /^InputNeeded: Input needed: "era"\.$/);
      await assert.rejects(one.connect('background'), InputNeeded);
      assert.ok(one.state.kind === 'failed' && one.state.error instanceof InputNeeded);
      assert.equal(one.state.retryAt, undefined);
      assert.deepEqual(answers.asked, []);

      await assert.rejects(one.connect('person'), /Input needed: "era" was not given/);
      answers.inputs = { era: 'legacy' };
      await one.connect('person');
      assert.equal(one.state.kind, 'connected');
      await one.stop();
      await one.connect('person');
      assert.deepEqual(
        answers.asked,
        ['promptString era', 'promptString era'],
        'once given, it is not asked for again',
      );
    } finally {
      await core?.end();
      await fixture.dispose();
    }
  });

  it('a person goes on from what was begun in the background', async () => {
    const answers = new Answers();
    core = startCore({}, { variables: answers });
    core.pool.update([withInputs(args('${input:key}'), secret)]);
    const waiting = core.connection('one').connect('background');
    const going = core.connection('one').connect('person');
    await assert.rejects(waiting, InputNeeded);
    await assert.rejects(going, /"The key" was not given/);
    assert.deepEqual(answers.asked, ['promptString key']);
  });

  it('what was typed as a password stands in no log, however short', async () => {
    const answers = new Answers();
    answers.inputs = { key: 'zq9' };
    core = startCore({}, { variables: answers });
    const program = 'console.error("given: " + process.argv[1]); process.exit(3)';
    const launch: Launch = { type: 'stdio', command: process.execPath, args: ['-e', program, '${input:key}'], env: {} };
    core.pool.update([withInputs(launch, secret)]);
    await assert.rejects(core.connection('one').connect('person'), (error: Error) => !error.message.includes('zq9'));
    assert.ok(
      core.lines.some((line) => line.includes('given: ••••••')),
      core.lines.join('\n'),
    );
    assert.ok(core.lines.every((line) => !line.includes('zq9')));
  });

  it('secrets are kept in the secret store alone, are shared by the servers of a file, and are forgotten', async () => {
    const answers = new Answers();
    const variables = new LaunchVariables(answers);
    answers.inputs = { key: 's3cret' };
    const { passwords, values } = await variables.of(withInputs(args('${input:key}'), secret), byPerson);
    assert.deepEqual(passwords, ['s3cret']);
    assert.deepEqual(values.get('input:key'), { value: 's3cret' });
    const other = { ...withInputs(args('-', '${input:key}'), secret), id: 'two', name: 'two' };
    await variables.of(other, inBackground);
    const elsewhere = { ...other, source: { ...other.source, file: '/elsewhere/mcp.json' } };
    await assert.rejects(variables.of(elsewhere, inBackground), InputNeeded);
    assert.deepEqual([...answers.store.entries.keys()], ['inputs']);
    assert.equal(await variables.forget(), 1);
    assert.equal(await variables.forget(), 0);
    assert.equal(answers.store.entries.size, 0);
    await assert.rejects(variables.of(other, inBackground), InputNeeded);
  });

  it('questions come one after the other, and the second is answered by the first where it is the same', async () => {
    const answers = new Answers();
    const variables = new LaunchVariables(answers);
    answers.inputs = { key: 's3cret' };
    const server = withInputs(args('${input:key}'), secret);
    await Promise.all([variables.of(server, byPerson), variables.of(server, byPerson)]);
    assert.deepEqual(answers.asked, ['promptString key']);
  });

  it('nothing is asked for a start that was given up while others were asked', async () => {
    const answers = new Answers();
    const variables = new LaunchVariables(answers);
    const abort = new AbortController();
    const first = variables.of(withInputs(args('${input:key}'), secret), byPerson);
    const second = variables.of(withInputs(args('${command:era}')), { initiative: 'person', signal: abort.signal });
    abort.abort();
    await assert.rejects(first, InputNeeded);
    await assert.rejects(second, CancelledError);
    assert.deepEqual(answers.asked, ['promptString key']);
  });

  it('a choice that is no longer offered is asked for again', async () => {
    const answers = new Answers();
    const variables = new LaunchVariables(answers);
    const pick = (...values: string[]): InputDefinition => {
      return { id: 'p', type: 'pickString', options: values.map((value) => ({ label: value, value })) };
    };
    answers.inputs = { p: 'a' };
    await variables.of(withInputs(args('${input:p}'), pick('a', 'b')), byPerson);
    await variables.of(withInputs(args('${input:p}'), pick('b', 'a')), inBackground);
    await assert.rejects(variables.of(withInputs(args('${input:p}'), pick('b')), inBackground), InputNeeded);
  });

  it('a command runs once it is allowed: asked once per command and definition, never in the background', async () => {
    const answers = new Answers();
    const variables = new LaunchVariables(answers);
    const server = withInputs(args('${command:era}'));
    await assert.rejects(variables.of(server, inBackground), /Input needed: the command "era" waits for you/);
    answers.allows = false;
    await assert.rejects(variables.of(server, byPerson), /Input needed: the command "era" was not allowed to run/);
    assert.equal(answers.ran.length, 0);
    answers.allows = true;
    await variables.of(server, byPerson);
    await variables.of(server, byPerson);
    const { values } = await variables.of(server, inBackground);
    assert.deepEqual(values.get('command:era'), { value: 'legacy' });
    assert.deepEqual([answers.asked.length, answers.ran], [2, ['era', 'era']]);
    await variables.of(withInputs(args('${command:era}', 'more')), byPerson);
    assert.equal(answers.asked.length, 3, 'another definition is another question');
    await variables.of({ ...server, name: 'two', id: 'two' }, byPerson);
    assert.equal(answers.asked.at(-1), 'run era for two');
    const asInput: InputDefinition = { id: 'i', type: 'command', command: 'pick', args: { a: [1] } };
    await variables.of(withInputs(args('${input:i}'), asInput), byPerson);
    assert.equal(answers.ran.at(-1), 'pick {"a":[1]}');
  });

  it('a command that never ends holds up neither the end of its server nor another server', async () => {
    class Patient extends Answers {
      override run(command: string, args: unknown): Promise<unknown> {
        return command === 'endless' ? new Promise(() => this.ran.push(command)) : super.run(command, args);
      }
    }
    const answers = new Patient();
    core = startCore({}, { variables: answers });
    core.pool.update([withInputs(args('${command:endless}'))]);
    const connecting = assert.rejects(core.connection('one').connect('person'), /was stopped/);
    await until('the command runs', () => answers.ran.length === 1);
    await core.connection('one').stop();
    await connecting;
    core.pool.update([withInputs(args('${command:bad}'))]);
    await assert.rejects(core.connection('one').connect('person'), /no luck/);
  });

  it('what has no value is said by name, with the field', async () => {
    core = startCore({}, { variables: new Answers() });
    const cases: [string, RegExp][] = [
      ['${config:no.such}', /\$\{config:no\.such\} in args\[0\] has no value: the setting "no\.such" is not set/],
      ['${input:other}', /\$\{input:other\} in args\[0\] has no value: "inputs" of x describes none with this id/],
      ['${command:bad}', /\$\{command:bad\} in args\[0\] has no value: the command "bad" failed: no luck/],
      ['${workspaceFolder:src}', /\$\{workspaceFolder:src\} in args\[0\] has no value: no open folder is named "src"/],
    ];
    for (const [text, message] of cases) {
      core.pool.update([withInputs(args(text))]);
      await assert.rejects(core.connection('one').connect('person'), message);
    }
  });

  it('an input that is described later mends the server', async () => {
    core = startCore({}, { variables: new Answers() });
    core.pool.update([withInputs(args('${input:key}'))]);
    await assert.rejects(core.connection('one').connect('background'), /describes none with this id/);
    core.pool.update([withInputs(args('${input:key}'), secret)]);
    assert.equal(core.connection('one').state.kind, 'notConnected');
    await assert.rejects(core.connection('one').connect('background'), InputNeeded);
  });

  it('a setting that names itself is text, and does not go round in circles', async () => {
    const { values } = await new LaunchVariables(new Answers()).of(withInputs(args('${config:my.loop}')), inBackground);
    assert.deepEqual(values.get('config:my.loop'), { value: '${config:my.loop}' });
  });
});
