import { CancelledError } from '../base/errors';
import { failedBy, RequestError } from '../connection/requestFailure';
import type { ServerConnection } from '../connection/serverConnection';
import type { ReadAnswer, ReadRequest } from '../connection/wire';

/** Legacy era: the resource exists and cannot be read just now. The modern era gives the code no meaning. */
const UNREADABLE = -32003;
/** The server has lost our session, or gave up waiting for something of its own. */
const LOST_SESSION = -32001;

interface PatientReadOptions {
  readonly connection: ServerConnection;
  readonly uri: string;
  readonly how: ReadRequest;
  /** Pauses in milliseconds before each further attempt at what cannot be read just now. */
  readonly pausesMs: readonly number[];
}

/** A read that tries again where the error says that this may help (specification: server/resources, error handling). */
export async function patientRead(options: PatientReadOptions, signal: AbortSignal): Promise<ReadAnswer> {
  const { connection, uri, how } = options;
  const pauses = [...options.pausesMs];
  let renewed = false;
  for (;;) {
    const session = await connection.connect(how.initiative);
    try {
      return await connection.read(uri, how, signal);
    } catch (error) {
      if (!(error instanceof RequestError)) {
        throw error;
      }
      const legacy = connection.state.kind === 'connected' && connection.state.info.era === 'legacy';
      // A person who stops the server does not want it back.
      const isStopped = connection.state.kind === 'stopped';
      const unreachable = error.kind === 'unreachable' && how.initiative === 'background';
      if (((error.code === UNREADABLE && legacy) || unreachable) && pauses.length > 0) {
        how.onProgress?.(`${error.message}; trying again …`);
        await pause(pauses.shift()!, signal);
      } else if (
        !renewed &&
        (error.code === LOST_SESSION || (error.kind === 'disconnected' && how.initiative === 'person' && !isStopped))
      ) {
        renewed = true;
        connection.log.warn(`${error.message}: connecting anew.`);
        await connection.renew(session, how.initiative);
      } else {
        throw error;
      }
    }
  }
}

/** What a read gives; `undefined` where it fails and somebody has asked anew since: what was wrong then may be right now. */
export async function unlessAskedAnew<T>(read: Promise<T>, isAskedAnew: () => boolean): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    // Neither a person's no nor the end of the connection is undone by that.
    if (isAskedAnew() && failedBy(error, 'server', 'notFound', 'timeout', 'unreachable')) {
      return undefined;
    }
    throw error;
  }
}

/** Rejects with a CancelledError as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(new CancelledError());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal.aborted) {
      onAbort();
    }
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
