import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import type { ServerConnection } from '../../src/connection/serverConnection';
import { type HttpFixture, startFixture } from '../server/fixtureClient';
import { until } from '../until';
import { type Core, http, startCore } from './core';

const error = { code: -32000, message: 'the archive is closed' };
const result = { contents: [{ uri: 'a://x', text: 'of another' }] };

describe('answers over HTTP that do not name the request', () => {
  let core: Core | undefined;
  let fixture: HttpFixture | undefined;
  /** What every POST is answered with, in place of the server's own words. */
  let odd: { type: string; body: string } | undefined;

  afterEach(async () => {
    odd = undefined;
    await core?.end();
    await fixture?.stop();
  });

  const plain = (body: string) => ({ type: 'application/json', body });
  const json = (body: unknown) => plain(JSON.stringify(body));
  const stream = (body: unknown) => ({ type: 'text/event-stream', body: `data: ${JSON.stringify(body)}\n\n` });

  const asItSays = /^RequestError: the archive is closed$/;
  const notToThis = /^RequestError: the answer is not to this request$/;
  const ended = /^RequestError: the server ended its answer before it had given one$/;
  const cases: [string, NonNullable<typeof odd>, RegExp][] = [
    ['an error whose id is null', json({ jsonrpc: '2.0', id: null, error }), asItSays],
    ['an error without an id', json({ jsonrpc: '2.0', error }), asItSays],
    ['an error with the id of another request', json({ jsonrpc: '2.0', id: 999, error }), asItSays],
    ['the result of another request', json({ jsonrpc: '2.0', id: 999, result }), notToThis],
    ['a result whose id is null', json({ jsonrpc: '2.0', id: null, result }), notToThis],
    ['an empty object', json({}), notToThis],
    ['an empty list', json([]), notToThis],
    ['a body that is no JSON', plain('oops'), /^RequestError: the answer is not JSON$/],
    ['an empty body', plain(''), /^RequestError: the answer is not JSON$/],
    ['a page', { type: 'text/html', body: 'oops' }, /^RequestError: Unexpected content type: text\/html$/],
    ['a stream with an error whose id is null', stream({ jsonrpc: '2.0', id: null, error }), ended],
    ['a stream with the result of another request', stream({ jsonrpc: '2.0', id: 999, result }), ended],
    ['a stream of no JSON', { type: 'text/event-stream', body: 'data: oops\n\n' }, ended],
    ['a stream without a message', { type: 'text/event-stream', body: '' }, ended],
  ];
  for (const [name, answer, message] of cases) {
    it(`fail it at once, and nothing else: ${name}`, async () => {
      fixture = await startFixture({
        era: 'legacy',
        scenario: { resources: [{ uri: 'a://x', text: 'x' }] },
        guard: (request, response) => {
          if (!odd || request.method !== 'POST') {
            return false;
          }
          response.writeHead(200, { 'content-type': odd.type }).end(odd.body);
          return true;
        },
      });
      core = startCore({ one: http(fixture.url) }, { requestTimeoutMs: 10_000 });
      const connection = core.connection('one');
      await connection.connect('person');
      odd = answer;
      const begun = Date.now();
      await assert.rejects(connection.read('a://x', { initiative: 'person' }), (failure) =>
        message.test(String(failure)),
      );
      assert.ok(Date.now() - begun < 5000);
      odd = undefined;
      assert.equal((await connection.read('a://x', { initiative: 'person' })).contents[0]?.text, 'x');
      assert.equal((await fixture.requests('initialize')).length, 1);
    });
  }

  describe('that come in another stream than the one of their POST', () => {
    /** The streams of the reads, by resource, and the ids of their requests. */
    let asked: Map<string, { readonly id: unknown; readonly response: ServerResponse }>;
    const begin = async (resumed: (response: ServerResponse) => void = () => undefined) => {
      asked = new Map();
      fixture = await startFixture({
        era: 'legacy',
        guard: (request, response) => {
          if (request.headers['last-event-id'] !== undefined) {
            resumed(response.writeHead(200, { 'content-type': 'text/event-stream' }));
            return true;
          }
          if (request.method !== 'POST' || core?.connection('one').state.kind !== 'connected') {
            return false;
          }
          void jsonOf(request).then((message) => {
            const { id, params } = message as { id: unknown; params: { uri: string } };
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            asked.set(params.uri, { id, response });
          });
          return true;
        },
      });
      core = startCore({ one: http(fixture.url) }, { requestTimeoutMs: 10_000 });
      const connection = core.connection('one');
      await connection.connect('person');
      await until('it is listened to', () => connection.push === 'open');
      return connection;
    };
    const answered = (uri: string): string => {
      const contents = [{ uri, text: `of ${uri}` }];
      return `data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.get(uri)!.id, result: { contents } })}\n\n`;
    };
    const textOf = async (read: ReturnType<ServerConnection['read']>) => (await read).contents[0]?.text;

    it('are waited for where the stream can be resumed, beside the one that listens, which stays open', async () => {
      const connection = await begin((response) => response.end(`id: 2\n${answered('a://x')}`));
      const states: unknown[] = [];
      const watch = setInterval(() => connection.push !== 'open' && states.push(connection.push));
      const read = connection.read('a://x', { initiative: 'person' });
      await until('it is asked', () => asked.size === 1);
      asked.get('a://x')!.response.end('id: 1\nretry: 10\ndata:\n\n');
      assert.equal(await textOf(read), 'of a://x');
      clearInterval(watch);
      assert.equal(connection.push, 'open');
      assert.deepEqual(states, []);
    });

    it('are taken from the stream of another request that is still under way', async () => {
      const connection = await begin();
      const reads = ['a://x', 'a://y'].map((uri) => connection.read(uri, { initiative: 'person' }));
      await until('both are asked', () => asked.size === 2);
      const [x, y] = ['a://x', 'a://y'].map((uri) => asked.get(uri)!.response);
      x!.write(answered('a://y'));
      assert.equal(await textOf(reads[1]!), 'of a://y');
      y!.end();
      x!.end(answered('a://x'));
      assert.equal(await textOf(reads[0]!), 'of a://x');
    });
  });
});
