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
  /** Known after `initialize`; a peer that never sent it is told nothing unasked. */
  initialized = false;

  constructor(
    readonly id: string,
    readonly wire: PeerWire,
  ) {}
}
