import { RequestError } from './requestFailure';

/** A server that tells of its progress may take this many times as long as one that is silent. */
const TOTAL_FACTOR = 10;

/**
 * The time that an answer may take: starts anew with each sign of life, within a total, and stands still while a person
 * is asked. (The SDK's own timer can do the first, not the second.)
 */
export class TimeLimit {
  private readonly abort = new AbortController();
  private readonly totalMs: number;
  private timer: NodeJS.Timeout | undefined;
  private pauses = 0;
  private spentMs = 0;
  private runningSince = Date.now();

  /** `quietMs` is the longest silence, in milliseconds. */
  constructor(private quietMs: number) {
    this.totalMs = quietMs * TOTAL_FACTOR;
    this.arm();
  }

  /** Aborts when time is up; its reason is the error to tell. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** A sign of life. */
  touch(): void {
    if (this.pauses === 0) {
      this.arm();
    }
  }

  /** Stands still until `resume` was called as often. */
  pause(): void {
    if (this.pauses === 0) {
      this.spentMs += Date.now() - this.runningSince;
      clearTimeout(this.timer);
    }
    this.pauses += 1;
  }

  resume(): void {
    this.pauses -= 1;
    if (this.pauses === 0) {
      this.runningSince = Date.now();
      this.arm();
    }
  }

  /** The server waits for something that takes a person's time: from now on only the total counts. */
  relax(): void {
    this.quietMs = this.totalMs;
    this.touch();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private arm(): void {
    clearTimeout(this.timer);
    const left = this.totalMs - this.spentMs - (Date.now() - this.runningSince);
    const waitMs = Math.max(0, Math.min(this.quietMs, left));
    this.timer = setTimeout(() => this.abort.abort(this.failure(waitMs < this.quietMs)), waitMs);
  }

  private failure(total: boolean): RequestError {
    const seconds = Math.round((total ? this.totalMs : this.quietMs) / 1000);
    const words = total ? 'not finished within' : 'no answer within';
    return new RequestError('timeout', `${words} ${seconds} s (the limit is the setting mcpResources.readTimeout)`);
  }
}
