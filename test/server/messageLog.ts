// Everything a fixture server was told, in order: what tests assert on.
import type { Json, JsonObject } from './scenario';
import type { RequestId } from './messages';

export interface HttpFacts {
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string>;
}

export interface LoggedMessage {
  /** `request`, `notification` and `response` are JSON-RPC; `http` is a request without a message (GET, DELETE); `event`
   * is something that happened to the server (start, stdin end, SIGTERM, stream open or closed, exit). */
  kind: 'request' | 'notification' | 'response' | 'http' | 'event' | 'unreadable';
  /** Milliseconds since the epoch, fractions included. */
  at: number;
  pid: number;
  /** The connection it came over: one per stdio process, per HTTP session, per modern HTTP request. */
  peer?: string;
  method?: string;
  id?: RequestId;
  params?: JsonObject;
  /** An event's name, an unreadable line, a response's body. */
  detail?: Json;
  http?: HttpFacts;
}

export type LogMatch = string | ((entry: LoggedMessage) => boolean);

/** A string means: requests of that method. */
export function matches(entry: LoggedMessage, match: LogMatch): boolean {
  return typeof match === 'string' ? entry.kind === 'request' && entry.method === match : match(entry);
}

export class MessageLog {
  readonly #entries: LoggedMessage[] = [];
  readonly #listeners = new Set<(entry: LoggedMessage) => void>();

  get entries(): readonly LoggedMessage[] {
    return this.#entries;
  }

  add(entry: Omit<LoggedMessage, 'at' | 'pid'>): void {
    const full: LoggedMessage = { at: performance.timeOrigin + performance.now(), pid: process.pid, ...entry };
    this.#entries.push(full);
    for (const listener of [...this.#listeners]) listener(full);
  }

  event(detail: string, peer?: string): void {
    this.add({ kind: 'event', detail, ...(peer === undefined ? {} : { peer }) });
  }

  onEntry(listener: (entry: LoggedMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
