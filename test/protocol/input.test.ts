import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { RequestError } from '../../src/connection/requestFailure';
import type { Initiative } from '../../src/connection/wire';
import type { StoreTimes } from '../../src/content/storeTimes';
import type { Scenario } from '../server/fixtureClient';
import type { Json, JsonObject } from '../server/scenario';
import { until } from '../until';
import { type Core, startCore } from './core';
import { type Fixture, type Way, ways } from './eras';
import { accept, ScriptedInput, untilAborted } from './scriptedInput';

const URI = 'ask://name';
const form: JsonObject = {
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string', title: 'Name', pattern: '^[A-Z]', format: 'of-our-own' } },
    required: ['name'],
  },
};
const visit: JsonObject = {
  mode: 'url',
  message: 'Sign in',
  url: 'https://example.com/a?x=%26',
  elicitationId: 'visit-1',
};
const asking = (input: object): Scenario => ({
  resources: [
    { uri: URI, text: 'answers: {input}', input: { requests: [form], ...input }, ttlMs: 60_000 },
    { uri: 'ask://nothing', text: 'plain' },
  ],
});

describe('input that a server asks for', () => {
  let core: Core;
  let fixture: Fixture;
  let input: ScriptedInput;

  afterEach(async () => {
    await core.end();
    await fixture.dispose();
  });

  const begin = async (
    way: Way,
    scenario: Scenario,
    script: ScriptedInput,
    requestTimeoutMs?: number,
    times?: Partial<StoreTimes>,
  ) => {
    fixture = await way.start(scenario);
    input = script;
    core = startCore({ one: fixture.launch }, { input, requestTimeoutMs, times });
    await core.connection('one').connect('person');
  };

  const read = async (initiative: Initiative = 'person', signal?: AbortSignal) => {
    const { contents, withInput } = await core.connection('one').read(URI, { initiative }, signal);
    return { text: contents[0]?.text, withInput };
  };
  const ref = { serverId: 'one', uri: URI };
  const open = async (initiative: Initiative = 'person') => {
    const { content } = await core.content.read(ref, { purpose: 'open', initiative });
    return Buffer.from(content.bytes).toString();
  };
  const inputNeeded = (error: unknown) =>
    error instanceof RequestError && error.kind === 'inputNeeded' && error.message.startsWith('input needed');
  const reads = async () => (await fixture.control.requests('resources/read')).length;
  /** Every answer of the client to a question of a legacy server. */
  const responses = async () =>
    (await fixture.control.log()).filter(({ kind }) => kind === 'response').map(({ detail }) => detail as JsonObject);
  const actions = async () =>
    (await responses()).map(({ result }) => (result as JsonObject | undefined)?.action as Json);

  for (const way of ways) {
    describe(way.name, () => {
      it('a form is asked with everything that the server says of it, and its answer is told apart', async () => {
        await begin(way, asking({}), new ScriptedInput(accept({ name: 'Ada' })));
        assert.deepEqual(await read(), {
          text: 'answers: [{"action":"accept","content":{"name":"Ada"}}]',
          withInput: true,
        });
        assert.deepEqual(input.asked, [
          {
            kind: 'form',
            serverId: 'one',
            uri: URI,
            message: 'Who are you?',
            fields: [
              {
                kind: 'text',
                name: 'name',
                title: 'Name',
                description: undefined,
                required: true,
                format: undefined,
                minLength: undefined,
                maxLength: undefined,
                pattern: '^[A-Z]',
                default: undefined,
              },
            ],
          },
        ]);
        const plain = await core.connection('one').read('ask://nothing', { initiative: 'person' });
        assert.equal(plain.withInput, undefined);
      });

      it('several requests are asked one after the other', async () => {
        await begin(
          way,
          asking({ requests: [form, form], together: true }),
          new ScriptedInput(accept({ name: 'A' }), accept({ name: 'B' })),
        );
        assert.match((await read()).text ?? '', /"A".*"B"/);
      });

      it('an address is asked for whole, and consent is the answer', async () => {
        await begin(way, asking({ requests: [visit] }), new ScriptedInput(accept()));
        assert.match((await read()).text ?? '', /\[\{"action":"accept"\}\]/);
        const [request] = input.asked;
        assert.ok(request?.kind === 'url');
        assert.equal(request.url, visit.url);
        assert.equal(request.waitsForVisit, way.era === 'modern');
      });

      it('declining is an answer: what the server makes of it is what is read', async () => {
        await begin(way, asking({ refused: 'Nobody' }), new ScriptedInput({ action: 'decline' }));
        assert.deepEqual(await read(), { text: 'Nobody', withInput: true });
      });

      it('the server’s error after declining is told in its words, after cancelling nothing is told', async () => {
        await begin(way, asking({}), new ScriptedInput({ action: 'decline' }, { action: 'cancel' }));
        await assert.rejects(read(), /No input: decline/);
        await assert.rejects(read(), { name: 'CancelledError' });
        assert.equal(await reads(), way.era === 'modern' ? 4 : 2);
        assert.equal(core.content.failureOf(ref), undefined);
      });

      it('a read in the background asks nobody and fails with “input needed”', async () => {
        await begin(way, asking({}), new ScriptedInput());
        await assert.rejects(read('background'), inputNeeded);
        assert.deepEqual(input.asked, []);
        if (way.era === 'legacy') {
          assert.deepEqual(await actions(), ['cancel']);
        } else {
          assert.equal(await reads(), 1);
        }
      });

      it('a person who joins a read in the background is asked', async () => {
        await begin(way, asking({}), new ScriptedInput(accept({ name: 'Ada' })));
        const background = open('background');
        const person = open();
        await assert.rejects(background, inputNeeded);
        assert.match(await person, /Ada/);
      });

      it('what was read with input is kept for its open document only, whatever the server says of its freshness', async () => {
        await begin(way, asking({}), new ScriptedInput(accept({ name: 'A' }), accept({ name: 'B' })));
        assert.match(await open(), /"A"/);
        const hold = core.content.hold(ref);
        assert.match(await open('background'), /"A"/);
        hold.dispose();
        assert.equal(core.content.peek(ref), undefined);
        assert.match(await open(), /"B"/);
      });

      it('the time limit stands still while a person is asked', async () => {
        const slowly = async () => pause(900, accept({ name: 'Ada' }));
        await begin(way, asking({}), new ScriptedInput(slowly), 400);
        assert.match((await read()).text ?? '', /Ada/);
      });

      it('giving the read up, or the end of the connection, ends the question', async () => {
        await begin(way, asking({}), new ScriptedInput(untilAborted, untilAborted));
        const abort = new AbortController();
        const given = assert.rejects(read('person', abort.signal), { name: 'CancelledError' });
        await until('the question', () => input.asked.length === 1);
        abort.abort();
        await given;
        const cut = assert.rejects(read());
        await until('the next question', () => input.asked.length === 2);
        await core.connection('one').stop();
        await cut;
      });
    });
  }

  const [legacy, modern] = [ways[0]!, ways[1]!];

  it('a server that asks for ever is stopped after ten rounds', async () => {
    const script = Array.from({ length: 10 }, () => accept({ name: 'again' }));
    await begin(modern, asking({ endless: true }), new ScriptedInput(...script));
    await assert.rejects(read(), /after 10 rounds/);
    assert.equal(await reads(), 11);
  });

  it('Refresh pressed while a person is asked takes the answer, and leaves no failure behind', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slowly = () => answered.then(() => accept({ name: 'Ada' }));
    await begin(modern, asking({}), new ScriptedInput(slowly), undefined, { betweenReadsMs: 0 });
    const hold = core.content.hold(ref);
    const refresh = () => core.content.read(ref, { purpose: 'refresh', initiative: 'person' });
    const first = refresh();
    await until('the question', () => input.asked.length === 1);
    const second = refresh();
    answer();
    await Promise.all([first, second]);
    await core.connection('one').listResources(undefined);
    assert.equal(core.content.failureOf(ref), undefined);
    assert.equal(await reads(), 2);
    hold.dispose();
  });

  it('every answer goes back with the state that the server gave, and with the same URI', async () => {
    await begin(modern, asking({}), new ScriptedInput(accept({ name: 'Ada' })));
    await read();
    const [, second] = await fixture.control.requests('resources/read');
    const { uri, requestState, inputResponses } = second!.params!;
    assert.deepEqual([uri, requestState], [URI, Buffer.from('[]').toString('base64')]);
    assert.deepEqual(inputResponses, { 'input-0': { action: 'accept', content: { name: 'Ada' } } });
  });

  for (const way of [legacy, ways[2]!]) {
    it(`-32042: the addresses are visited, then the read is sent again (${way.name})`, async () => {
      await begin(way, asking({ requests: [visit], byError: true }), new ScriptedInput(accept()));
      assert.deepEqual(await read(), { text: 'answers: []', withInput: true });
      assert.equal(await reads(), 2);
      assert.ok(input.asked[0]?.kind === 'url' && input.asked[0].waitsForVisit);
    });
  }

  it('-32042: the server’s word that the visit is done ends the waiting', async () => {
    const waits = async (request: ScriptedInput['asked'][number]) => {
      assert.ok(request.kind === 'url');
      await request.completed;
      return accept();
    };
    await begin(legacy, asking({ requests: [visit], byError: true }), new ScriptedInput(waits));
    const answer = read();
    await until('the question', () => input.asked.length === 1);
    await fixture.control.notify('notifications/elicitation/complete', { elicitationId: 'another' });
    await fixture.control.notify('notifications/elicitation/complete', { elicitationId: 'visit-1' });
    assert.match((await answer).text ?? '', /answers/);
  });

  it('-32042: declined, cancelled, in the background, for ever', async () => {
    const script = Array.from({ length: 10 }, () => accept());
    const scenario = asking({ requests: [visit], byError: true, endless: true });
    await begin(legacy, scenario, new ScriptedInput({ action: 'decline' }, { action: 'cancel' }, ...script));
    await assert.rejects(read(), inputNeeded);
    await assert.rejects(read(), { name: 'CancelledError' });
    await assert.rejects(read('background'), inputNeeded);
    assert.equal(input.asked.length, 2);
    await assert.rejects(read(), /after 10 rounds/);
  });

  it('a legacy server that asks while nothing is read is cancelled without a word', async () => {
    const askAt = { 'resources/list': { method: 'elicitation/create', params: form } };
    await begin(legacy, { ...asking({}), askAt }, new ScriptedInput());
    await core.connection('one').listResources(undefined);
    assert.deepEqual(await actions(), ['cancel']);
  });

  it('what cannot be asked is an error that says so, and nobody is asked', async () => {
    const nested = { message: 'x', requestedSchema: { properties: { deep: { type: 'object' } }, required: ['deep'] } };
    await begin(modern, asking({ requests: [nested] }), new ScriptedInput());
    await assert.rejects(read(), /"deep" in a form that cannot be filled in here/);
  });
});
