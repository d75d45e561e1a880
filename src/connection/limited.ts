import { CancelledError } from '../base/errors';

/** Rejects when the signal aborts (CancelledError) or, where there is a limit, after `limitMs` milliseconds (`late`); the work itself goes on. */
export function limited<T>(
  work: Promise<T>,
  signal: AbortSignal,
  limit?: { limitMs: number; late: () => Error },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = limit && setTimeout(() => reject(limit.late()), limit.limitMs);
    const onAbort = (): void => reject(new CancelledError());
    if (signal.aborted) {
      onAbort();
    }
    signal.addEventListener('abort', onAbort, { once: true });
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    work.then(resolve, reject).finally(done);
  });
}
