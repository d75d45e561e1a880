// Reading a log, and waiting for what is not there yet.
import type { Control, WaitOptions } from './control';
import { matches, type LoggedMessage, type LogMatch } from './messageLog';

export interface LogSource {
  read(): Promise<readonly LoggedMessage[]>;
  /** Resolves at the next entry, or after the time given in milliseconds. */
  next(milliseconds: number): Promise<void>;
}

export type LogControl = Pick<Control, 'log' | 'mark' | 'requests' | 'waitForRequest'>;

export function logControl(source: LogSource): LogControl {
  return {
    log: () => source.read(),
    mark: async () => (await source.read()).length,
    requests: async (method) =>
      (await source.read()).filter(
        (entry) => entry.kind === 'request' && (method === undefined || entry.method === method),
      ),
    waitForRequest: (match, options = {}) =>
      waitForEntry(source, match, typeof options === 'number' ? { timeout: options } : options),
  };
}

async function waitForEntry(source: LogSource, match: LogMatch, options: WaitOptions): Promise<LoggedMessage> {
  const { timeout = 10_000, after = 0, count = 1 } = options;
  const deadline = Date.now() + timeout;
  for (;;) {
    const entries = await source.read();
    const found = entries.slice(after).filter((entry) => matches(entry, match))[count - 1];
    if (found !== undefined) return found;
    const left = deadline - Date.now();
    if (left <= 0) {
      const wanted = typeof match === 'string' ? match : String(match);
      throw new Error(`Not seen within ${timeout} ms: ${count} × ${wanted}\n${entries.map(line).join('\n')}`);
    }
    await source.next(left);
  }
}

function line(entry: LoggedMessage): string {
  const { kind, pid, peer, method, params, detail, http } = entry;
  const body = params ?? detail;
  return [
    `  ${pid} ${peer ?? ''} ${kind}`,
    method ?? (http === undefined ? '' : `${http.method} ${http.path}`),
    body === undefined ? '' : JSON.stringify(body).slice(0, 300),
  ].join(' ');
}
