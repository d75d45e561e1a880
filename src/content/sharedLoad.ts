import type { Initiative, ReadRequest } from '../connection/wire';

/** A read that all share who want it at the same time; cancelled once all who waited have gone. */
export class SharedLoad<T> {
  readonly promise: Promise<T>;
  /** Tells that somebody waits for it. */
  private hurry: () => void = () => undefined;
  private readonly hurried = new Promise<void>((resolve) => (this.hurry = resolve));
  private readonly abort = new AbortController();
  /** Who hears of its progress. */
  private readonly listeners = new Set<(words: string) => void>();
  private waiters = 0;

  constructor(
    readonly initiative: Initiative,
    run: (how: ReadRequest, signal: AbortSignal, hurried: Promise<void>) => Promise<T>,
  ) {
    const onProgress = (words: string): void => this.listeners.forEach((listener) => listener(words));
    this.promise = run({ initiative, onProgress }, this.abort.signal, this.hurried);
    // Those who wait hear of a failure; where nobody waits, the state tells of it.
    this.promise.catch(() => undefined);
  }

  /** Waits for the answer. Who gives up by the signal only gives up waiting, unless nobody else waits. */
  async join({ signal, onProgress }: { signal?: AbortSignal; onProgress?: (words: string) => void }): Promise<T> {
    this.waiters += 1;
    this.hurry();
    if (onProgress) {
      this.listeners.add(onProgress);
    }
    const onAbort = (): void => {
      this.waiters -= 1;
      if (this.waiters === 0) {
        this.cancel();
      }
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (onProgress) {
        this.listeners.delete(onProgress);
      }
    }
  }

  cancel(): void {
    this.abort.abort();
  }
}
