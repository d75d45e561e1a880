/** Growing pauses between attempts. All in milliseconds. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Attempts before it is left to a person. */
  readonly attempts: number;
}

export const defaultBackoff: BackoffOptions = { firstMs: 500, longestMs: 30_000, attempts: 10 };

/** Counts attempts: each pause is twice the one before, up to the longest, with a quarter of jitter. */
export class Backoff {
  private made = 0;

  constructor(
    private readonly options: BackoffOptions = defaultBackoff,
    private readonly random: () => number = Math.random,
  ) {}

  /** Milliseconds until the next attempt; `undefined` when there were enough. */
  next(): number | undefined {
    const { firstMs, longestMs, attempts } = this.options;
    if (this.made >= attempts) {
      return undefined;
    }
    const pause = Math.min(longestMs, firstMs * 2 ** this.made);
    this.made += 1;
    return Math.round(pause * (0.75 + this.random() / 2));
  }

  /** The attempts have led to something lasting. */
  reset(): void {
    this.made = 0;
  }
}
