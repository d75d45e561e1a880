import { CancelledError } from './errors';

/** Milliseconds of work between two pauses: far below what a person notices. */
const SLICE_MS = 8;
/** Steps between two looks at the clock. */
const STRIDE = 256;
/** Arrays up to this length are sorted in one go. */
const RUN = 1024;

/** Long work in small pieces, so that the extension host stays responsive. Rejects with a CancelledError when aborted. */
export class Slices {
  private begun = performance.now();
  private steps = 0;

  constructor(private readonly signal?: AbortSignal) {}

  /** To be awaited where it gives a promise: often enough, in the innermost loop. */
  step(): Promise<void> | undefined {
    this.steps += 1;
    return this.steps % STRIDE === 0 ? this.stepOfOwnLength() : undefined;
  }

  /** The same for steps that are long by themselves: each of them looks at the clock. */
  stepOfOwnLength(): Promise<void> | undefined {
    return performance.now() - this.begun < SLICE_MS ? undefined : this.pause();
  }

  /** Gives way to all other work. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.signal?.aborted) {
      throw new CancelledError();
    }
    this.begun = performance.now();
  }

  /** A sorted copy; equal items stay in their order. */
  async sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    let runs: T[][] = [];
    for (let from = 0; from < items.length; from += RUN) {
      runs.push(items.slice(from, from + RUN).sort(compare));
      await this.pause();
    }
    while (runs.length > 1) {
      const merged: T[][] = [];
      for (let at = 0; at < runs.length; at += 2) {
        merged.push(await this.merge(runs[at]!, runs[at + 1] ?? [], compare));
      }
      runs = merged;
    }
    return runs[0] ?? [];
  }

  private async merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    const merged: T[] = [];
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      const fromA = j >= b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);
      merged.push(fromA ? a[i++]! : b[j++]!);
      const pause = this.step();
      if (pause) {
        await pause;
      }
    }
    return merged;
  }
}
