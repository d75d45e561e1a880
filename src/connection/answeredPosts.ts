import type { JSONRPCErrorResponse, Transport } from '@modelcontextprotocol/client';
import { isJsonObject } from './draft';
import { NO_ANSWER } from './requestFailure';

type RequestId = string | number;

/**
 * A `fetch` for Streamable HTTP whose JSON answers always answer the request of their POST, which carries one at most
 * (specification: basic/transports, sending messages). The SDK would wait on for what names no request, or another one.
 */
export function answeredFetch(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init);
    if (!response.ok || init?.method !== 'POST') {
      return response;
    }
    const json = async (): Promise<unknown> => {
      const id = requestIdOf(init);
      return id === undefined ? Response.prototype.json.call(response) : answerTo(id, await response.text());
    };
    return Object.defineProperty(response, 'json', { value: json });
  };
}

/**
 * Makes a request fail whose stream ends without an answer, as none can come any more: one that can be resumed does not
 * end so. Call it before the SDK connects.
 */
export function failUnanswered(transport: Transport): void {
  const waiting = new Set<RequestId>();
  const before = transport.onmessage;
  transport.onmessage = (message, extra) => {
    before?.(message, extra);
    if (!('method' in message) && message.id !== undefined) {
      waiting.delete(message.id);
    }
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!('method' in message && 'id' in message) || options?.onRequestStreamEnd) {
      return send(message, options);
    }
    const { id } = message;
    waiting.add(id);
    const onRequestStreamEnd = (): void => {
      if (waiting.delete(id)) {
        transport.onmessage?.(failure(id, 'the server ended its answer before it had given one'));
      }
    };
    options?.requestSignal?.addEventListener('abort', () => waiting.delete(id), { once: true });
    const sending = send(message, { ...options, onRequestStreamEnd });
    sending.catch(() => waiting.delete(id));
    return sending;
  };
}

function requestIdOf({ body }: RequestInit): RequestId | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return isJsonObject(message) && 'method' in message && isId(message.id) ? message.id : undefined;
}

/** What a body says, or, where it says nothing to the request, that. */
function answerTo(id: RequestId, body: string): unknown {
  let data: unknown;
  try {
    data = JSON.parse(body);
  } catch {
    return failure(id, 'the answer is not JSON');
  }
  const messages = (Array.isArray(data) ? data : [data]).filter(isJsonObject);
  if (messages.some((each) => !('method' in each) && isId(each.id) && isSame(each.id, id))) {
    return data;
  }
  const error = messages.map((each) => each.error).find(isJsonObject);
  if (!error) {
    return failure(id, 'the answer is not to this request');
  }
  const { code, message, data: more } = error;
  const words = typeof message === 'string' ? message : 'the server gives an error without words';
  return failure(id, words, { code: Number.isSafeInteger(code) ? Number(code) : NO_ANSWER, data: more });
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}

/** As the SDK finds the request of an answer. Its first one, a probe, is named by a word. */
function isSame(a: RequestId, b: RequestId): boolean {
  return a === b || Number(a) === Number(b);
}

function failure(
  id: RequestId,
  message: string,
  { code = NO_ANSWER, data }: { readonly code?: number; readonly data?: unknown } = {},
): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
