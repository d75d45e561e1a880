import type { Disposable } from './lifecycle';

/** How long a run is followed by a pause. Milliseconds. */
export interface Pace {
  readonly shortest: number;
  readonly longest: number;
}

/** The pause after a run, in times of how long it took. */
const FACTOR = 4;

/**
 * Runs at once where that was long ago, else after a pause: one run at a time, and one more for whatever came meanwhile. What
 * takes long is done less often, so that however often it is asked for, most of the time is left for something else.
 */
export class PacedRun implements Disposable {
  private wanted = false;
  private busy = false;
  private disposed = false;
  private timer: NodeJS.Timeout | undefined;

  /** `run` never rejects. */
  constructor(
    private readonly run: () => Promise<void>,
    private readonly pace: Pace,
  ) {}

  /** Asks for a run that begins after this. */
  trigger(): void {
    this.wanted = true;
    if (!this.busy && !this.disposed) {
      void this.begin();
    }
  }

  /** Forgets what was asked for and has not begun. */
  drop(): void {
    this.wanted = false;
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private async begin(): Promise<void> {
    this.busy = true;
    this.wanted = false;
    const begunAt = Date.now();
    await this.run();
    if (this.disposed) {
      return;
    }
    const { shortest, longest } = this.pace;
    const pause = Math.min(longest, Math.max(shortest, (Date.now() - begunAt) * FACTOR));
    this.timer = setTimeout(() => {
      this.busy = false;
      if (this.wanted) {
        void this.begin();
      }
    }, pause);
  }
}
