import type { Log } from '../base/log';

/** Severities of the protocol (specification: server/utilities/logging; RFC 5424) and the level of the log for each. */
const levels = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const satisfies Record<string, keyof Log>;

/** Writes what a server says by `notifications/message` to its log, at its level. */
export function logServerMessage(
  log: Log,
  { level, logger, data }: { readonly level: keyof typeof levels; readonly logger?: string; readonly data: unknown },
): void {
  const words = typeof data === 'string' ? data : JSON.stringify(data);
  log[levels[level]](`[server${logger === undefined ? '' : ` ${logger}`}] ${words}`);
}
