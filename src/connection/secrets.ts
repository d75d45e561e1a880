import { HumanError, messageOf } from '../base/errors';
import type { Log } from '../base/log';
import { configuredSecrets, SECRET_NAMES } from './configuredSecrets';
import type { SessionTarget } from './mcpClient';
import { RequestError } from './requestFailure';
import { PersonNeeded } from './personNeeded';

/** Shorter values are no secrets, and masking them would make a text unreadable. Characters. */
const SHORTEST = 6;
/** Characters of an entry in a log: a message may be as large as the resource in it. */
const LONGEST_ENTRY = 20_000;
/** Characters of an error: a server's own words may be a whole page. */
const LONGEST_ERROR = 2_000;
/** Stands for a secret. */
export const MASK = '••••••';

/** Values of a server's configuration that must stand in no log and no message. */
export class Secrets {
  private values: readonly string[] = [];
  private configured: readonly string[] = [];
  private readonly added = new Set<string>();
  /** Typed as passwords: masked however short. */
  private typed: readonly string[] = [];

  /**
   * Takes over the secrets of what is connected to: what was typed as a password, headers,
   * credentials in the URL, environment variables so named.
   */
  learn(target: SessionTarget): void {
    this.configured = configuredSecrets(target);
    this.typed = (target.passwords ?? []).flatMap((value) => [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
    ]);
    this.arrange();
  }

  /** Takes over secrets that came up later: tokens, codes, client secrets. */
  add(...values: readonly (string | undefined)[]): void {
    values.forEach((value) => value !== undefined && this.added.add(value));
    this.arrange();
  }

  mask(text: string): string {
    return this.values.reduce((masked, value) => masked.replaceAll(value, MASK), text);
  }

  /** A server may repeat in its errors what it was sent, at any length. */
  maskError(error: unknown): unknown {
    const message = messageOf(error);
    const masked = shortened(this.mask(message), LONGEST_ERROR);
    if (masked === message || !(error instanceof HumanError) || error instanceof PersonNeeded) {
      return error;
    }
    return error instanceof RequestError ? new RequestError(error.kind, masked, error.code) : new HumanError(masked);
  }

  private arrange(): void {
    const guessed = [...this.configured, ...this.added].filter(({ length }) => length >= SHORTEST);
    const wanted = [...guessed, ...this.typed.filter((value) => value !== '')];
    // As they are, and as they are written in messages and addresses.
    const forms = wanted.flatMap((value) => [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      new URLSearchParams([['', value]]).toString().slice(1),
    ]);
    const all = [...new Set(forms)];
    // The longest first: a secret may be part of another one.
    this.values = all.sort((a, b) => b.length - a.length);
  }

  /** A log that masks what is written to it, and keeps each entry in one line, so that no entry can be forged. */
  masking(log: Log): Log {
    // Masked first: half a secret would not be known for one.
    const clean = (message: string): string =>
      shortened(this.mask(message), LONGEST_ENTRY).replace(/\r?\n(?!\s+at )/gu, ' ⏎ ');
    return {
      traces: log.traces,
      trace: (message) => log.trace(clean(message)),
      debug: (message) => log.debug(clean(message)),
      info: (message) => log.info(clean(message)),
      warn: (message) => log.warn(clean(message)),
      error: (message) => log.error(clean(message)),
    };
  }
}

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length.toLocaleString('en')} characters)` : text;
}

/** Whether headers hold a credential of a person's own: it is used as it stands, and no sign-in takes its place. */
export function holdCredential(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => SECRET_NAMES.test(name));
}
