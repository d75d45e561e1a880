import { TimeSlices } from './timeSlices';

/** Steps between two looks at the clock. */
const STRIDE = 256;
/** Arrays up to this length are sorted in one go. */
const RUN = 1024;

/** Long work over many items in small pieces. Rejects with a CancelledError when aborted. */
export class Slices extends TimeSlices {
  private steps = 0;

  /** To be awaited where it gives a promise: often enough, in the innermost loop. */
  step(): Promise<void> | undefined {
    this.steps += 1;
    return this.steps % STRIDE === 0 && this.due ? this.pause() : undefined;
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
