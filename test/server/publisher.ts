// Who is told what: subscriptions of both eras and the notifications that go to them.
import type { FixtureContent } from './fixtureContent';
import { isObject, methodNotFound, RpcFailure, SERVER_INFO_KEY, SUBSCRIPTION_KEY, type RequestId } from './messages';
import type { ListenFilter, Peer } from './peer';
import type { Json, JsonObject } from './scenario';

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';

/** `subscribers` are those who asked; `everyone` is every peer that can be reached, asked or not. */
export type Audience = 'subscribers' | 'everyone';

export class Publisher {
  constructor(
    private readonly content: FixtureContent,
    private readonly peers: ReadonlySet<Peer>,
  ) {}

  get subscriptions(): number {
    const listened = (peer: Peer) => [...peer.listens.values()].flatMap((filter) => filter.resourceSubscriptions ?? []);
    return [...this.peers].reduce((sum, peer) => sum + peer.subscriptions.size + listened(peer).length, 0);
  }

  /** All of these return how many messages went out. */
  updated(uri: string, audience: Audience = 'subscribers'): number {
    return this.#send(UPDATED, { uri }, audience, {
      legacy: (peer) => peer.subscriptions.has(uri),
      modern: (filter) => filter.resourceSubscriptions?.includes(uri) === true,
    });
  }

  listChanged(audience: Audience = 'subscribers'): number {
    return this.#send(LIST_CHANGED, undefined, audience, {
      legacy: () => true,
      modern: (filter) => filter.resourcesListChanged === true,
    });
  }

  /** Any notification, to every peer and on every open listen stream. */
  notify(method: string, params: JsonObject | undefined): number {
    return this.#send(method, params, 'everyone', { legacy: () => true, modern: () => true });
  }

  subscribe(peer: Peer, method: string, uri: Json | undefined): JsonObject {
    if (!this.#declares('subscribe')) throw methodNotFound(method);
    if (typeof uri !== 'string') throw new RpcFailure({ code: -32602, message: 'uri is required' });
    if (method === 'resources/unsubscribe') {
      peer.subscriptions.delete(uri);
      return {};
    }
    if (!this.#subscribable(uri)) {
      throw new RpcFailure({ code: -32602, message: `Cannot subscribe to ${uri}`, data: { uri } });
    }
    peer.subscriptions.add(uri);
    return {};
  }

  listen(peer: Peer, id: RequestId, requested: Json | undefined): void {
    if (!isObject(requested)) throw new RpcFailure({ code: -32602, message: "'notifications' is required" });
    const filter: ListenFilter = {};
    if (requested.resourcesListChanged === true && this.#declares('listChanged')) filter.resourcesListChanged = true;
    const uris = Array.isArray(requested.resourceSubscriptions) ? requested.resourceSubscriptions : [];
    const honoured = uris.filter((uri) => typeof uri === 'string').filter((uri) => this.#subscribable(uri));
    if (honoured.length > 0 && this.#declares('subscribe')) filter.resourceSubscriptions = honoured;
    peer.listens.set(id, filter);
    peer.wire.notify(
      notification('notifications/subscriptions/acknowledged', { notifications: { ...filter }, ...stamp(id) }),
    );
    const { listenEnds } = this.content.scenario;
    if (listenEnds === 'cancelled') {
      peer.listens.delete(id);
      peer.wire.notify(notification('notifications/cancelled', { requestId: id }));
    } else if (Object.keys(filter).length === 0 || listenEnds === 'answered') this.#end(peer, id, {});
    else if (this.content.scenario.updateOnSubscribe === true) honoured.forEach((uri) => this.updated(uri));
  }

  /** Ends every notification stream: with an answer (modern) or by dropping it. */
  closeStreams(graceful: boolean, info: JsonObject): void {
    for (const peer of [...this.peers]) {
      if (graceful) [...peer.listens.keys()].forEach((id) => this.#end(peer, id, info));
      peer.listens.clear();
      if (!graceful || peer.initialized) peer.wire.dropStreams();
    }
  }

  #end(peer: Peer, id: RequestId, info: JsonObject): void {
    peer.listens.delete(id);
    const _meta = { [SUBSCRIPTION_KEY]: id, [SERVER_INFO_KEY]: info };
    peer.wire.answer({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } }, 200);
  }

  #send(method: string, params: JsonObject | undefined, audience: Audience, wants: Wants): number {
    let sent = 0;
    const tell = (peer: Peer, full: JsonObject | undefined) => {
      if (peer.wire.notify(notification(method, full))) sent += 1;
    };
    for (const peer of [...this.peers]) {
      if (peer.initialized && (audience === 'everyone' || wants.legacy(peer))) tell(peer, params);
      for (const [id, filter] of peer.listens) {
        if (audience === 'everyone' || wants.modern(filter)) tell(peer, { ...params, ...stamp(id) });
      }
    }
    return sent;
  }

  #subscribable(uri: string): boolean {
    return this.content.find(uri)?.subscribable !== false;
  }

  #declares(what: 'subscribe' | 'listChanged'): boolean {
    const { resources } = this.content.capabilities;
    return isObject(resources) && resources[what] === true;
  }
}

interface Wants {
  legacy: (peer: Peer) => boolean;
  modern: (filter: ListenFilter) => boolean;
}

function stamp(id: RequestId): JsonObject {
  return { _meta: { [SUBSCRIPTION_KEY]: id } };
}

function notification(method: string, params: JsonObject | undefined): JsonObject {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
}
