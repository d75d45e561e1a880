import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Log } from '../base/log';
import { isJsonObject } from './draft';
import { shown } from './repairNotes';

/** What is taken for the code of an error that has none: no code of the protocol, so that its words decide. */
const NO_CODE = 0;

/**
 * Makes an error of an answer that the SDK would take for no message at all, in place, so that its request would wait for
 * its time limit (JSON-RPC 2.0, section 5). A result of null beside an error is how JSON-RPC 1.0 says that there is none.
 */
export function repairError(message: JSONRPCMessage, log: Log): void {
  const answer = message as { result?: unknown; error?: unknown };
  const { result, error } = answer;
  const none = error === undefined || error === null;
  if ((result !== undefined && result !== null) || (none && result === null) || isError(answer)) {
    return;
  }
  answer.error = none ? { code: NO_CODE, message: 'the answer has neither a result nor an error' } : errorOf(error);
  delete answer.result;
  log.info(`Repaired an error: ${shown(error)} became ${JSON.stringify(answer.error).slice(0, 500)}`);
}

function isError({ result, error }: { result?: unknown; error?: unknown }): boolean {
  return (
    result === undefined && isJsonObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string'
  );
}

function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (!isJsonObject(error)) {
    return { code: NO_CODE, message: typeof error === 'string' ? error : JSON.stringify(error) };
  }
  const { code, message, data } = error;
  const number = typeof code === 'number' || typeof code === 'string' ? Number(code) : NaN;
  return {
    code: Number.isSafeInteger(number) ? number : NO_CODE,
    // Empty: the code stands for it.
    message: typeof message === 'string' ? message : '',
    ...(data !== undefined && { data }),
  };
}
