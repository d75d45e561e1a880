import { HumanError, messageOf } from '../base/errors';
import type { Log } from '../base/log';
import type { SessionTarget } from './mcpClient';
import { RequestError } from './requestFailure';
import { PersonNeeded } from './personNeeded';

/** Shorter values are no secrets, and masking them would make a text unreadable. Characters. */
const SHORTEST = 6;
/** Characters of an entry at level Trace: a message may be as large as the resource in it. */
const LONGEST_TRACE = 20_000;
/** Stands for a secret. */
export const MASK = '••••••';
const PUBLIC_HEADERS = new Set(['accept', 'content-type', 'user-agent', 'accept-language', 'mcp-protocol-version']);
/** How headers, variables and parameters are named that hold secrets. */
export const SECRET_NAMES = /key|token|secret|passw|pwd|auth|cred|cookie|session|private|signature/i;

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
    const found =
      target.type === 'stdio'
        ? [...secretVariables(target.env), ...secretArguments(target.args)]
        : secretsOfAddress(target.url, target.headers);
    this.configured = found.flatMap((value) => [value, ...value.split(/[\s:]+/u)]);
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

  /** A server may repeat in its errors what it was sent. */
  maskError(error: unknown): unknown {
    const message = messageOf(error);
    const masked = this.mask(message);
    if (masked === message || !(error instanceof HumanError) || error instanceof PersonNeeded) {
      return error;
    }
    return error instanceof RequestError ? new RequestError(error.kind, masked, error.code) : new HumanError(masked);
  }

  private arrange(): void {
    const guessed = [...this.configured, ...this.added].filter(({ length }) => length >= SHORTEST);
    const wanted = [...guessed, ...this.typed.filter((value) => value !== '')];
    // As they are, and as they are written in messages and addresses.
    const forms = wanted.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
    const all = [...new Set(forms)];
    // The longest first: a secret may be part of another one.
    this.values = all.sort((a, b) => b.length - a.length);
  }

  /** A log that masks what is written to it, and keeps each entry in one line, so that no entry can be forged. */
  masking(log: Log): Log {
    const clean = (message: string): string => this.mask(message).replace(/\r?\n(?!\s+at )/gu, ' ⏎ ');
    return {
      traces: log.traces,
      // Masked first: half a secret would not be known for one.
      trace: (message) => log.trace(shortened(clean(message))),
      debug: (message) => log.debug(clean(message)),
      info: (message) => log.info(clean(message)),
      warn: (message) => log.warn(clean(message)),
      error: (message) => log.error(clean(message)),
    };
  }
}

/** The whole environment is given: what the process inherited is no secret of this server, unless it is named like one. */
function secretVariables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (SECRET_NAMES.test(name) ? [value] : []));
}

/** `--token VALUE`, `--token=VALUE`. */
function secretArguments(args: readonly string[]): string[] {
  return args.flatMap((argument, index) => {
    const [name = '', value] = /^-{1,2}([^=]+)=(.*)$/s.exec(argument)?.slice(1) ?? [];
    const before = /^-{1,2}[^=]+$/.exec(args[index - 1] ?? '')?.[0] ?? '';
    const own = value !== undefined && SECRET_NAMES.test(name) ? [value] : [];
    return SECRET_NAMES.test(before) && !argument.startsWith('-') ? [...own, argument] : own;
  });
}

function shortened(text: string): string {
  return text.length > LONGEST_TRACE
    ? `${text.slice(0, LONGEST_TRACE)}… (${text.length.toLocaleString('en')} characters)`
    : text;
}

function secretsOfAddress(url: string, headers: Readonly<Record<string, string>>): string[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    PUBLIC_HEADERS.has(name.toLowerCase()) ? [] : [value],
  );
  const { username, password, searchParams } = new URL(url);
  const ofQuery = [...searchParams].flatMap(([name, value]) => (SECRET_NAMES.test(name) ? [value] : []));
  return [...ofHeaders, ...ofQuery, username, password, decodeURIComponent(password)];
}

/** Whether headers hold a credential of a person's own: it is used as it stands, and no sign-in takes its place. */
export function holdCredential(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => SECRET_NAMES.test(name));
}
