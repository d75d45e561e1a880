import { CancelledError } from './errors';

const SLICE_MS = 8;

/** Keeps long work from holding up everything else: between two steps of it, `due` tells when to `pause`. */
export class TimeSlices {
  private begun = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /** A slice of 8 ms is over, or the work is no longer wanted. */
  get due(): boolean {
    return this.signal?.aborted === true || performance.now() - this.begun >= SLICE_MS;
  }

  /** Gives way to other work. Rejects with a CancelledError once the signal is aborted. */
  async pause(): Promise<void> {
    this.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
    this.throwIfAborted();
    this.begun = performance.now();
  }

  private throwIfAborted(): void {
    if (this.signal?.aborted) {
      throw new CancelledError();
    }
  }
}
