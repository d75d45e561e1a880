import type { Initiative } from './wire';

/** On whose behalf a server is started. */
export interface StartedBy {
  readonly initiative: Initiative;
  readonly signal: AbortSignal;
  /** Hears when a person begins to be asked for what the start takes, and when that is over. */
  readonly asking?: (asks: boolean) => void;
}

/** Asks a person, while whoever waits for the start can say so. */
export async function whileAsking<T>({ asking, signal }: StartedBy, ask: () => Promise<T>): Promise<T> {
  asking?.(true);
  try {
    return await ask();
  } finally {
    if (!signal.aborted) {
      asking?.(false);
    }
  }
}
