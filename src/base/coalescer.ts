import type { Disposable } from './lifecycle';

/** When a coalesced run begins. Milliseconds. */
export interface CoalescerOptions {
  /** Quiet time after the last trigger. */
  readonly delay: number;
  /** Longest wait after the first trigger, however many follow. */
  readonly maxWait: number;
  /** Hears what `run` throws; nothing thrown reaches `trigger` or `flush`. */
  readonly onError: (error: unknown) => void;
}

/**
 * Turns many triggers into few runs: debounced with a longest wait, one run at a time, and one more run after it when
 * a trigger came meanwhile. The signal given to `run` is aborted on disposal.
 */
export class Coalescer implements Disposable {
  private readonly disposal = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Time by which the waiting run must begin; undefined when none waits. */
  private deadline: number | undefined;
  private running: Promise<void> | undefined;
  /** The wait ended while a run was under way: begin as soon as that one ends. */
  private due = false;
  /** Triggers so far, and how many of them a finished run has taken into account. */
  private triggered = 0;
  private covered = 0;

  constructor(
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly options: CoalescerOptions,
  ) {}

  /** Asks for a run. */
  trigger(): void {
    if (this.disposal.signal.aborted) {
      return;
    }
    const now = Date.now();
    this.triggered += 1;
    this.deadline ??= now + this.options.maxWait;
    clearTimeout(this.timer);
    const wait = Math.max(0, Math.min(this.options.delay, this.deadline - now));
    this.timer = setTimeout(() => this.begin(), wait);
  }

  /** Resolves when every trigger so far has been taken into account, without waiting for quiet time. Never rejects. */
  async flush(): Promise<void> {
    const wanted = this.triggered;
    while (this.covered < wanted && !this.disposal.signal.aborted) {
      if (!this.running) {
        this.begin();
      }
      await this.running;
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.due = false;
    this.disposal.abort();
  }

  private begin(): void {
    clearTimeout(this.timer);
    if (this.running) {
      this.due = true;
      return;
    }
    this.due = false;
    this.deadline = undefined;
    const covers = this.triggered;
    this.running = this.runOnce().then(() => {
      this.running = undefined;
      this.covered = covers;
      if (this.due) {
        this.begin();
      }
    });
  }

  private async runOnce(): Promise<void> {
    const { signal } = this.disposal;
    try {
      // Nothing runs inside the caller's `flush`: activation must return before any work is done.
      await Promise.resolve();
      signal.throwIfAborted();
      await this.run(signal);
    } catch (error) {
      if (!signal.aborted) {
        this.options.onError(error);
      }
    }
  }
}
