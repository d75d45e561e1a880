import { RequestError } from './requestFailure';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ACCEPTED = 202;
/** What was accepted, as a notification is, has no answer that anybody needs. It is read all the same. Bytes. */
const LONGEST_ACCEPTED = 64 * 1024;

/**
 * A `fetch` whose answers break off with a RequestError past so many bytes, however small they were sent: what is not
 * read to its end cannot fill the memory. In an event stream, which may go on for days, each event counts for itself.
 */
export function boundedFetch(base: typeof fetch, maxBytes: number): typeof fetch {
  return async (input, init) => boundedAnswer(await base(input, init), maxBytes);
}

/** An answer as `boundedFetch` gives it. */
export function boundedAnswer(response: Response, maxBytes: number): Response {
  const { body, ok, status, statusText, headers } = response;
  if (!body) {
    return response;
  }
  if (ok && headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true) {
    return boundedStream(response, body, maxBytes);
  }
  const most = status === ACCEPTED ? Math.min(maxBytes, LONGEST_ACCEPTED) : maxBytes;
  const isShort = !headers.has('content-encoding') && Number(headers.get('content-length') ?? NaN) <= most;
  return isShort ? response : new Response(bounded(body, totalLength(), most), { status, statusText, headers });
}

/**
 * The same answer with a bound for each event of its body, and the one moment when that ends, in whatever way. It is read from
 * `body` alone: a response of its own would cost more than most answers do.
 */
export function boundedStream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  onEnd?: () => void,
): Response {
  return Object.defineProperty(response, 'body', { value: bounded(body, eventLength(), maxBytes, onEnd) });
}

function bounded(
  body: ReadableStream<Uint8Array>,
  lengthWith: (chunk: Uint8Array) => number,
  maxBytes: number,
  onEnd?: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let ended = false;
  const end = (): void => {
    if (!ended) {
      ended = true;
      onEnd?.();
    }
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await reader.read().catch((error: unknown) => {
      end();
      throw error;
    });
    if (done) {
      end();
      controller.close();
    } else if (lengthWith(value) > maxBytes) {
      const error = new RequestError(
        'server',
        `The answer is too large: more than the ${maxBytes / 1024 / 1024} MiB that are read.`,
      );
      end();
      controller.error(error);
      await reader.cancel(error);
    } else {
      controller.enqueue(value);
    }
  };
  const cancel = (reason: unknown): Promise<void> => {
    end();
    return reader.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
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
