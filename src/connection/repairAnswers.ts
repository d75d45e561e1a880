import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../base/errors';
import type { Log } from '../base/log';
import { isJsonObject } from './draft';
import { repairError } from './repairError';
import { type RepairedRequest, repairResult } from './repairResult';

/** JSON-RPC 2.0, section 5.1. */
const INTERNAL_ERROR = -32603;
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/**
 * Makes a transport mend the answers to list, read and completion requests before the SDK sees them, in place. Call it before the
 * SDK connects: a handler that is there already is called first, with the same message object, once the connection
 * stands. The transport stays the object that it is, of any kind; `send` is watched to know what an answer is to.
 */
export function repairAnswers(transport: Transport, log: Log): void {
  const asked = new Map<number, RepairedRequest>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) {
      asked.delete(cancelled);
    }
    const request = repairedRequest(message);
    if (!request || !('id' in message)) {
      return send(message, options);
    }
    const id = Number(message.id);
    asked.set(id, request);
    const forget = (): void => void asked.delete(id);
    options?.requestSignal?.addEventListener('abort', forget, { once: true });
    const sending = send(message, options);
    sending.catch(forget);
    return sending;
  };
  const before = transport.onmessage;
  transport.onmessage = (message, extra) => {
    before?.(message, extra);
    if (!('id' in message) || 'method' in message || !isTaken(message)) {
      return;
    }
    // As the SDK finds the request of an answer.
    const id = Number(message.id);
    const request = asked.get(id);
    asked.delete(id);
    try {
      repairError(message, log);
      if (request) {
        repairMessage(message, request, log);
      }
    } catch (error) {
      // Nested too deeply, say. Its request must not wait for its time limit.
      becomeError(message, `the answer cannot be used: ${messageOf(error)}`);
    }
    if (!request && 'result' in message && !isJsonObject(message.result)) {
      // To a request that is only to be done: some say so by null or true, which the SDK takes for no answer at all.
      message.result = {};
    }
  };
}

/** Whether the SDK takes it for an answer. One that it does not take must not use up the repair of the next. */
function isTaken({ jsonrpc, id }: { readonly jsonrpc: unknown; readonly id?: unknown }): boolean {
  return jsonrpc === '2.0' && (typeof id === 'string' || typeof id === 'number');
}

function repairMessage(message: JSONRPCMessage, request: RepairedRequest, log: Log): void {
  // `error: null` and the like beside a result: the SDK would not know the message at all.
  const kept = ['jsonrpc', 'id', 'result' in message ? 'result' : 'error'];
  for (const key of Object.keys(message)) {
    if (!kept.includes(key)) {
      Reflect.deleteProperty(message, key);
    }
  }
  if (!('result' in message)) {
    return;
  }
  const { result, notes } = repairResult(request, message.result);
  message.result = result as typeof message.result;
  for (const { failed, line } of notes) {
    log[failed ? 'warn' : 'info'](`Repaired ${line}`);
  }
}

function becomeError(message: JSONRPCMessage, words: string): void {
  Reflect.deleteProperty(message, 'result');
  Reflect.set(message, 'error', { code: INTERNAL_ERROR, message: words });
}

function repairedRequest(message: JSONRPCMessage): RepairedRequest | undefined {
  if (!('method' in message)) {
    return undefined;
  }
  const { method, params } = message;
  const meta = params?._meta;
  const era = isJsonObject(meta) && VERSION_KEY in meta ? 'modern' : 'legacy';
  if (method === 'resources/read') {
    return typeof params?.uri === 'string' ? { method, era, uri: params.uri } : undefined;
  }
  return method === 'resources/list' || method === 'resources/templates/list' || method === 'completion/complete'
    ? { method, era }
    : undefined;
}

function cancelledId(message: JSONRPCMessage): number | undefined {
  const isCancel = 'method' in message && message.method === 'notifications/cancelled';
  return isCancel && message.params?.requestId !== undefined ? Number(message.params.requestId) : undefined;
}
