import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../base/errors';
import type { Log } from '../base/log';
import { SECRET_NAMES } from './configuredSecrets';
import { MASK } from './secrets';

/** Writes each message of a transport to the log at level Trace, as it is on the wire. Call it before anything else. */
export function traceMessages(transport: Transport, log: Log): void {
  const write = (arrow: '→' | '←', message: JSONRPCMessage): void => {
    // To put a message in words costs time, which nobody spends who does not look.
    if (log.traces?.()) {
      log.trace(`${arrow} ${textOf(message)}`);
    }
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    write('→', message);
    return send(message, options);
  };
  const before = transport.onmessage;
  transport.onmessage = (message, extra) => {
    write('←', message);
    before?.(message, extra);
  };
}

/** What is nested too deeply for JSON must reach its reader all the same. */
function textOf(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    return messageOf(error);
  }
}

/** A `fetch` that writes each request and the head of its answer to the log at level Trace. */
export function tracingFetch(base: typeof fetch, log: Log): typeof fetch {
  const traced: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const method = init?.method ?? 'GET';
    log.trace(`→ HTTP ${method} ${address} ${headerWords(new Headers(init?.headers))}`);
    const response = await base(input, init);
    log.trace(`← HTTP ${response.status} ${headerWords(response.headers)}`);
    return response;
  };
  return (input, init) => (log.traces?.() ? traced(input, init) : base(input, init));
}

/** A credential stands in no log, also where its value is not known to be one. */
function headerWords(headers: Headers): string {
  const shown = [...headers].map(([name, value]) => {
    const secret = SECRET_NAMES.test(name) && name !== 'www-authenticate';
    return [name, secret ? MASK : value] as const;
  });
  return JSON.stringify(Object.fromEntries(shown));
}
