import { setTimeout as pause } from 'node:timers/promises';
import { Backoff, type BackoffOptions } from './backoff';
import { boundedAnswer, boundedFetch, boundedStream } from './boundedFetch';

/** Whether a server can tell us anything unasked: it cannot where its GET stream is refused, and not before it is open. */
export type PushState = 'open' | 'waiting' | 'none';

/** Hears what becomes of a GET stream. */
export interface StreamListener {
  readonly onChange: (state: PushState) => void;
  /** The stream has been open, and now its session is unknown to the server. */
  readonly onSessionLost: () => void;
}

/** A gateway's words for "nobody there just now". */
const PASSING = [502, 503, 504];
/** By the specification it is 404; many servers say 400. To a stream that has never been open both mean that there is none. */
const SESSION_UNKNOWN = [400, 404];

/**
 * A `fetch` that notices what becomes of the GET stream of Streamable HTTP (specification: basic/transports, listening
 * for messages from the server), which the SDK keeps to itself. It also goes on trying where the network fails: the SDK
 * does so only for a stream that has been open before. Bounded as by `boundedFetch`: two rooms around a body cost twice.
 */
export function watchingFetch(
  { onChange, onSessionLost }: StreamListener,
  pauses: Pick<BackoffOptions, 'firstMs' | 'longestMs'>,
  maxBytes: number,
): typeof fetch {
  let opened = false;
  // What resumes the stream of a request is a GET, too: the one that listens goes on beside it.
  let open = 0;
  const tell = (state: PushState): void => onChange(open > 0 ? 'open' : state);
  const others = boundedFetch(fetch, maxBytes);
  const listening: typeof fetch = async (input, init) => {
    const backoff = new Backoff({ ...pauses, attempts: Infinity });
    tell('waiting');
    let response = await attempt(input, init);
    while (response === undefined) {
      tell('none');
      await pause(backoff.next(), undefined, { signal: init?.signal ?? undefined });
      tell('waiting');
      response = await attempt(input, init);
    }
    if (!response.ok || !response.body) {
      tell('none');
      if (opened && SESSION_UNKNOWN.includes(response.status) && !init?.signal?.aborted) {
        onSessionLost();
      }
      return boundedAnswer(response, maxBytes);
    }
    opened = true;
    open += 1;
    tell('open');
    return boundedStream(response, response.body, maxBytes, () => {
      open -= 1;
      tell('none');
    });
  };
  return (input, init) => {
    const isGet = (init?.method ?? 'GET').toUpperCase() === 'GET';
    return isGet ? listening(input, init) : others(input, init);
  };
}

/** The answer; `undefined` where none came and the next attempt may fare better. Rejects only when aborted. */
async function attempt(...[input, init]: Parameters<typeof fetch>): Promise<Response | undefined> {
  try {
    const response = await fetch(input, init);
    if (!PASSING.includes(response.status)) {
      return response;
    }
    await response.body?.cancel();
  } catch (error) {
    if (init?.signal?.aborted) {
      throw error;
    }
  }
  return undefined;
}
