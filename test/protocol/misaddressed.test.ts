import assert from 'node:assert/strict';
import { type HttpFixture, startFixture } from '../server/fixtureClient';
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
});
