import { digestOf } from '../base/digest';
import { messageOf } from '../base/errors';
import type { Log } from '../base/log';
import type { Memento } from '../base/memento';
import type { Era, SessionInfo } from './wire';

/** What was found, by which server, and when (milliseconds since 1970). */
interface Verdict {
  readonly era: Era;
  /** Digest of the server's name and version. */
  readonly server: string;
  readonly at: number;
}

const KEY = 'eraVerdicts';
/** A legacy server may learn the newer protocol without telling: it is asked again after this time. Milliseconds. */
const LEGACY_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const MOST = 200;

/**
 * Which era each server was found to speak, so that the next start need not ask. Holds digests alone: what is started,
 * and what a server says of itself, may contain secrets.
 */
export class EraMemory {
  constructor(
    private readonly memento: Memento,
    private readonly now: () => number = Date.now,
  ) {}

  /** The era to begin with; `undefined`: the server has to be asked. `launch` is a `digestOf` what is started. */
  verdictOf(launch: string): Era | undefined {
    return this.fresh()[launch]?.era;
  }

  /** A session came about. */
  learn(launch: string, { era, serverName, serverVersion }: SessionInfo, log: Log): void {
    const { [launch]: known, ...others } = this.fresh();
    const server = digestOf(serverName, serverVersion);
    if (known?.era === era && known.server === server) {
      return;
    }
    // Another version of the server that was opened the legacy way only because its forerunner wanted it: ask next time.
    const isHearsay = era === 'legacy' && known?.era === 'legacy';
    this.keep(isHearsay ? others : { ...others, [launch]: { era, server, at: this.now() } }, log);
  }

  /** What is known of the launch has not helped. */
  forget(launch: string, log: Log): void {
    const { [launch]: known, ...others } = this.fresh();
    if (known) {
      this.keep(others, log);
    }
  }

  private fresh(): Readonly<Record<string, Verdict | undefined>> {
    const stored = this.memento.get(KEY);
    const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return Object.fromEntries(entries.filter(([, verdict]) => isVerdict(verdict) && this.isFresh(verdict)));
  }

  private isFresh({ era, at }: Verdict): boolean {
    const age = this.now() - at;
    return era === 'modern' || (age >= 0 && age < LEGACY_LIFE_MS);
  }

  private keep(verdicts: Readonly<Record<string, Verdict | undefined>>, log: Log): void {
    // The newest are last.
    const kept = Object.fromEntries(Object.entries(verdicts).slice(-MOST));
    this.memento.update(KEY, kept).then(undefined, (error: unknown) => {
      log.warn(`The protocol's version could not be remembered: ${messageOf(error)}`);
    });
  }
}

/** What is stored may be of another version, or damaged. */
function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { era, server, at } = value as Record<string, unknown>;
  return (era === 'legacy' || era === 'modern') && typeof server === 'string' && typeof at === 'number';
}
