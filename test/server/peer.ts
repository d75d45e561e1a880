// One connection of a client to a fixture server, as the protocol sees it; the transports make them.
import type { RequestId } from './messages';
import type { JsonObject } from './scenario';

export interface ListenFilter {
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

export interface PeerWire {
  /** Sends an answer; the status counts only where a whole HTTP response belongs to the request. */
  answer(message: JsonObject, httpStatus: number): void;
  /** Sends a message that answers nothing; false when no stream is open that could carry it. */
  notify(message: JsonObject): boolean;
  /** The same for what belongs to a request that is not answered yet. */
  relate(id: RequestId, message: JsonObject): void;
  /** A bare HTTP status in place of an answer; where there is no HTTP, silence. */
  refuse(id: RequestId, httpStatus: number): void;
  /** Ends the streams that carry notifications without another word. */
  dropStreams(): void;
}

export class Peer {
  /** Legacy: URIs subscribed to. */
  readonly subscriptions = new Set<string>();
  /** Modern: the open `subscriptions/listen` requests and what was acknowledged. */
  readonly listens = new Map<RequestId, ListenFilter>();
  readonly cancelled = new Set<RequestId>();
  /** Legacy: what the client was asked and has not answered. */
  readonly questions = new Map<RequestId, (response: JsonObject) => void>();
  /** Legacy: resources whose addresses it was sent to visit. */
  readonly visited = new Set<string>();
  /** Known after `initialize`; a peer that never sent it is told nothing unasked. */
  initialized = false;
  #asked = 0;

  constructor(
    readonly id: string,
    readonly wire: PeerWire,
  ) {}

  /** Sends a request that belongs to one of the client's own, and resolves with the response. */
  ask(related: RequestId, method: string, params?: JsonObject): Promise<JsonObject> {
    this.#asked += 1;
    const id = `ask-${this.#asked}`;
    return new Promise((resolve) => {
      this.questions.set(id, resolve);
      this.wire.relate(related, { jsonrpc: '2.0', id, method, params });
    });
  }
}
