// Delays, refusals and held answers: everything that may come between a request and its answer.
import type { Fault, Scenario } from './scenario';

export class Faults {
  readonly #hits = new Map<string, number>();
  readonly #held = new Map<string, (() => void)[]>();

  constructor(private readonly scenario: () => Scenario) {}

  /** The fault that this request runs into, counted. */
  take(method: string): Fault | undefined {
    const methods = this.scenario().methods ?? {};
    const key = method in methods ? method : '*';
    const fault = methods[key];
    if (fault === undefined) return undefined;
    const hits = (this.#hits.get(key) ?? 0) + 1;
    this.#hits.set(key, hits);
    return fault.times !== undefined && hits > fault.times ? undefined : fault;
  }

  /** From now on requests of the method (or `method uri`) wait until `release`. */
  hold(key: string): void {
    if (!this.#held.has(key)) this.#held.set(key, []);
  }

  release(key: string): void {
    const waiting = this.#held.get(key) ?? [];
    this.#held.delete(key);
    for (const proceed of waiting) proceed();
  }

  async pass(method: string, uri: unknown): Promise<void> {
    for (const key of [method, `${method} ${String(uri)}`]) {
      const waiting = this.#held.get(key);
      if (waiting !== undefined) await new Promise<void>((proceed) => waiting.push(proceed));
    }
  }
}

export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
