import { CancelledError, HumanError } from '../base/errors';

/** Why a request failed, as far as it decides what to do next. */
export type FailureKind =
  /** The server does not know the resource. */
  | 'notFound'
  /** The server does not know the method: stop asking. */
  | 'noSuchMethod'
  | 'timeout'
  /** The connection ended, or there is none. */
  | 'disconnected'
  /** No answer came, as the network or the server's machine did not give one: it may later. */
  | 'unreachable'
  /** The server asks for a person's input, and none was given. */
  | 'inputNeeded'
  /** Everything else, in the server's own words. */
  | 'server';

/** A failed request. The message says what happened and may be shown. */
export class RequestError extends HumanError {
  override readonly name = 'RequestError';

  constructor(
    readonly kind: FailureKind,
    message: string,
    /** JSON-RPC error code, where the server gave one. */
    readonly code?: number,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Whether an error is a failed request of one of these kinds. */
export function failedBy(error: unknown, ...kinds: readonly FailureKind[]): boolean {
  return error instanceof RequestError && kinds.includes(error.kind);
}

type Described =
  | { readonly kind: 'protocol'; code: number; message: string; data?: unknown; cause: unknown }
  | { readonly kind: 'sdk'; code: string; message: string; cause: unknown }
  | { readonly kind: 'other'; message: string; cause: unknown };

/** Stands for an answer that never came or cannot be told. Of the range that JSON-RPC leaves to implementations. */
export const NO_ANSWER = -32097;

const NOT_FOUND_WORDS = /not[ _-]?found|unknown resource|no such|does ?n[o']t exist|unknown uri/i;

/**
 * Whether an error answer to `resources/read` means that the resource does not exist (specification: server/resources,
 * error handling): -32002 always; -32602 with `data.uri` of the asked resource; -32602 or 0 without data by its words.
 */
export function meansNotFound(error: { code: number; message: string; data?: unknown }, uri: string): boolean {
  if (error.code === -32002) {
    return true;
  }
  if (error.code === -32602 && typeof error.data === 'object' && error.data !== null && 'uri' in error.data) {
    return error.data.uri === uri;
  }
  return (error.code === -32602 || error.code === 0) && error.data === undefined && NOT_FOUND_WORDS.test(error.message);
}

/** Turns what a request rejected with into an error that a person can read. `uri` is the resource that was asked for. */
export function requestFailure(error: Described, uri: string | undefined, timeoutMs: number): Error {
  const options = { cause: error.cause };
  if (error.kind === 'protocol') {
    // The SDK prefixes the server's words with its own.
    const words = error.message.replace(/^MCP error -?\d+: /, '') || `error ${error.code}`;
    if (uri !== undefined && meansNotFound({ ...error, message: words }, uri)) {
      return new RequestError('notFound', words, error.code, options);
    }
    if (error.code === NO_ANSWER) {
      return new RequestError('unreachable', words, undefined, options);
    }
    return new RequestError(error.code === -32601 ? 'noSuchMethod' : 'server', words, error.code, options);
  }
  if (error.kind === 'sdk') {
    switch (error.code) {
      case 'REQUEST_TIMEOUT':
        return new RequestError('timeout', `no answer within ${Math.round(timeoutMs / 1000)} s`, undefined, options);
      case 'CONNECTION_CLOSED':
      case 'NOT_CONNECTED':
      case 'SEND_FAILED':
        return new RequestError('disconnected', 'the connection was lost', undefined, options);
      case 'INVALID_RESULT':
        return new RequestError('server', `the answer is not valid: ${error.message}`, undefined, options);
      case 'UNSUPPORTED_RESULT_TYPE':
        return new RequestError('server', 'the answer is of a kind that is not known', undefined, options);
    }
  }
  const cause = error.cause;
  if (cause instanceof RequestError) {
    return cause;
  }
  if (cause instanceof Error && cause.name === 'AbortError') {
    return new CancelledError();
  }
  return new RequestError(isUnreachable(cause) ? 'unreachable' : 'server', error.message, undefined, options);
}

/** What `fetch` rejects with when there was no answer at all, and what gateways say of a server that they do not reach. */
function isUnreachable(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return (error instanceof TypeError && error.cause instanceof Error) || [502, 503, 504].includes(Number(status));
}
