import assert from 'node:assert/strict';
import { boundedFetch } from '../../../src/connection/boundedFetch';

describe('boundedFetch', () => {
  const kib = 1024;
  const mib = kib * kib;

  /** What is read of an answer that comes in these pieces. */
  const read = async (contentType: string, pieces: Iterable<string>): Promise<string> => {
    const encoder = new TextEncoder();
    const iterator = pieces[Symbol.iterator]();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = iterator.next();
        if (next.done === true) {
          controller.close();
        } else {
          controller.enqueue(encoder.encode(next.value));
        }
      },
    });
    const headers = { 'content-type': contentType };
    const fetchIt = boundedFetch(() => Promise.resolve(new Response(body, { status: 201, headers })), mib);
    const response = await fetchIt('http://x/');
    assert.deepEqual([response.status, response.headers.get('content-type')], [201, contentType]);
    // As the SDK reads a stream.
    return new Response(response.body).text();
  };

  /** A piece over and over, for ever. */
  function* endless(...pieces: string[]): Generator<string> {
    for (;;) {
      yield* pieces;
    }
  }

  const tooLarge = { name: 'RequestError', message: /^The answer is too large: more than the 1 MiB/ };

  it('lets an answer pass that is just as long as it may be', async () => {
    const text = 'x'.repeat(mib);
    assert.equal(await read('application/json', [text]), text);
  });

  it('breaks off an answer without an end', async () => {
    await assert.rejects(read('application/json', endless('x'.repeat(kib))), tooLarge);
  });

  for (const [what, pieces] of Object.entries({
    'a line': ['data: ', 'x'.repeat(kib)],
    'an event of many lines': [`data: ${'x'.repeat(kib)}\n`],
    'an event whose lines seem empty': ['data: x\n:\nx\n', 'y'.repeat(kib), '\r\n'],
  })) {
    it(`breaks off ${what} without an end in an event stream`, async () => {
      await assert.rejects(read('text/event-stream', endless(...pieces)), tooLarge);
    });
  }

  for (const [what, event] of Object.entries({
    'in one piece': [`data: ${'x'.repeat(100 * kib)}\n\n`],
    'cut within their ends': [`data: ${'x'.repeat(100 * kib)}\n`, '\n'],
    'with carriage returns, cut within their ends': [`data: ${'x'.repeat(100 * kib)}\r\n\r`, '\n'],
  })) {
    it(`lets a long event stream pass whose events are short (${what})`, async () => {
      const pieces = Array.from({ length: 20 }, () => event).flat();
      assert.equal(await read('text/event-stream; charset=utf-8', pieces), pieces.join(''));
    });
  }

  it('breaks off early what comes with "accepted"', async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(64 * kib));
      },
      cancel() {
        cancelled = true;
      },
    });
    const fetchIt = boundedFetch(() => Promise.resolve(new Response(body, { status: 202 })), mib);
    await assert.rejects((await fetchIt('http://x/')).text(), { name: 'RequestError' });
    assert.ok(cancelled && pulled < 5, String(pulled));
  });

  it('leaves an answer without a body alone', async () => {
    const answer = new Response(null, { status: 204 });
    assert.equal(await boundedFetch(() => Promise.resolve(answer), 1)('http://x/'), answer);
  });
});
