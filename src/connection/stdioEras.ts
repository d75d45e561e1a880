import { HumanError, messageOf } from '../base/errors';
import type { Log } from '../base/log';
import type { SdkModule } from './mcpClient';
import type { Era } from './wire';

/** A server that does not answer the modern opening within this time is taken for a legacy one. Milliseconds. */
export const longestProbeMs = 3000;

interface Attempts {
  readonly sdk: SdkModule;
  /** The era of the same server as found before. */
  readonly verdict: Era | undefined;
  /** Milliseconds until the handshake must be done. */
  readonly startTimeoutMs: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Opens a server that is a process, each attempt in a process of its own that ends with it: some legacy servers exit or
 * misbehave after a modern opening. What answers `server/discover` is used as it stands. A known era is tried first and
 * given all the time, and the other one is still tried when it fails.
 */
export async function openByEra<T>(
  { sdk, verdict, startTimeoutMs, log, signal }: Attempts,
  attempt: (era: Era, timeoutMs: number) => Promise<T>,
): Promise<T> {
  const probeMs = Math.min(longestProbeMs, startTimeoutMs);
  const throwUnlessOfEra = (error: unknown): void => {
    if (signal.aborted || error instanceof HumanError) {
      throw error;
    }
  };
  if (verdict !== 'legacy') {
    try {
      return await attempt('modern', verdict ? startTimeoutMs : probeMs);
    } catch (error) {
      throwUnlessOfEra(error);
      log.debug(`Not a server of the modern era (${messageOf(error)}); trying initialize.`);
    }
  }
  try {
    return await attempt('legacy', startTimeoutMs);
  } catch (error) {
    throwUnlessOfEra(error);
    // A modern server that was merely slow to start refuses `initialize` with an error of the protocol.
    const refused = error instanceof sdk.ProtocolError;
    if (!refused && verdict !== 'legacy') {
      throw error;
    }
    log.debug(`initialize failed (${messageOf(error)}); trying the modern opening.`);
    return attempt('modern', refused ? startTimeoutMs : probeMs).catch((second: unknown) => {
      throw refused || signal.aborted || second instanceof HumanError ? second : error;
    });
  }
}
