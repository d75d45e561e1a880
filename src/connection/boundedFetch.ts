import { RequestError } from './requestFailure';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * A `fetch` whose answers break off with a RequestError past so many bytes, however small they were sent: what is not
 * read to its end cannot fill the memory. In an event stream, which may go on for days, each event counts for itself.
 */
export function boundedFetch(base: typeof fetch, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init);
    if (!response.body) {
      return response;
    }
    const { ok, status, statusText, headers } = response;
    const isStream = ok && headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
    if (isStream) {
      // Read from `body` alone: a response of its own would cost more than most answers do.
      return Object.defineProperty(response, 'body', { value: bounded(response.body, eventLength(), maxBytes) });
    }
    const isShort = !headers.has('content-encoding') && Number(headers.get('content-length') ?? NaN) <= maxBytes;
    return isShort
      ? response
      : new Response(bounded(response.body, totalLength(), maxBytes), { status, statusText, headers });
  };
}

function bounded(
  body: ReadableStream<Uint8Array>,
  lengthWith: (chunk: Uint8Array) => number,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await reader.read();
    if (done) {
      controller.close();
    } else if (lengthWith(value) > maxBytes) {
      const error = new RequestError(
        'server',
        `The answer is too large: more than the ${maxBytes / 1024 / 1024} MiB that are read.`,
      );
      controller.error(error);
      await reader.cancel(error);
    } else {
      controller.enqueue(value);
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

function totalLength(): (chunk: Uint8Array) => number {
  let length = 0;
  return (chunk) => (length += chunk.length);
}

/** Bytes since the last empty line, which ends an event. Lines that end with a carriage return alone are not told apart. */
function eventLength(): (chunk: Uint8Array) => number {
  let length = 0;
  let line = 0;
  let last: number | undefined;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      line += end - start;
      const before = end > 0 ? chunk[end - 1] : last;
      const isEmpty = line === 0 || (line === 1 && before === CARRIAGE_RETURN);
      length = isEmpty ? 0 : length + end + 1 - start;
      line = 0;
      start = end + 1;
    }
    line += chunk.length - start;
    length += chunk.length - start;
    last = chunk.at(-1);
    return length;
  };
}
