import type { Log } from './log';

const MOST_LINES = 50;
const MOST_ERRORS = 5;

/** The last of what was written to a log: for those who look into what is wrong. */
export class RecentLines {
  private since: string[] = [];
  private trouble: string[] = [];

  /** What was written since the last `begin`, debugging left out; the latest 50. */
  get lines(): readonly string[] {
    return this.since;
  }

  /** The latest warnings and errors, each with its time; at most 5. */
  get errors(): readonly string[] {
    return this.trouble;
  }

  /** Something new begins: what was said before does not belong to it. */
  begin(): void {
    this.since = [];
  }

  /** The same log, each line of it kept. */
  keeping(log: Log): Log {
    const keep = (level: 'info' | 'warn' | 'error', message: string): void => {
      this.since = [...this.since.slice(1 - MOST_LINES), message];
      if (level !== 'info') {
        this.trouble = [...this.trouble.slice(1 - MOST_ERRORS), `${new Date().toISOString()} ${level}: ${message}`];
      }
      log[level](message);
    };
    return {
      traces: log.traces,
      trace: (message) => log.trace(message),
      debug: (message) => log.debug(message),
      info: (message) => keep('info', message),
      warn: (message) => keep('warn', message),
      error: (message) => keep('error', message),
    };
  }
}
