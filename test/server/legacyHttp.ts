// The legacy era over Streamable HTTP: sessions, answers as event streams or JSON, one GET stream for notifications.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FixtureServer } from './fixtureServer';
import { EventStream, factsOf, header, sendJson, sendRpcError } from './httpParts';
import type { Incoming, RequestId } from './messages';
import { Peer } from './peer';
import type { JsonObject } from './scenario';

interface Session {
  peer: Peer;
  /** Who waits for the answers of this session's requests. */
  answers: Map<RequestId, (body: JsonObject | number) => void>;
  /** The streams that those answers will come on. */
  related: Map<RequestId, () => EventStream>;
  stream: EventStream | undefined;
}

const STATELESS = 'stateless';

export class LegacyHttp {
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly server: FixtureServer) {}

  /** Every session that a client still believes in is unknown from now on. */
  forgetSessions(): void {
    for (const [id, session] of [...this.#sessions]) this.#end(id, session);
  }

  async post(request: IncomingMessage, response: ServerResponse, messages: Incoming[]): Promise<void> {
    const session = this.#sessionOf(request, response, messages);
    if (session === undefined) return;
    const waiting = messages.filter((message) => message.id !== undefined && message.method !== undefined);
    if (waiting.length > 0) this.#respond(session, response, waiting);
    await Promise.all(messages.map((message) => this.server.receive(session.peer, message, factsOf(request))));
    if (waiting.length === 0) response.writeHead(202).end();
  }

  get(request: IncomingMessage, response: ServerResponse): void {
    const session = this.#known(request, response);
    if (session === undefined) return;
    this.server.log.add({ kind: 'http', peer: session.peer.id, http: factsOf(request) });
    const habit = this.server.scenario.http?.getStream ?? 'open';
    if (habit === 'silent') return;
    if (typeof habit === 'number') sendRpcError(response, habit, -32000, 'Method not allowed.');
    else if (session.stream?.open === true) sendRpcError(response, 409, -32000, 'Conflict: only one stream');
    else this.#openStream(session, response);
  }

  #openStream(session: Session, response: ServerResponse): void {
    session.stream = new EventStream(response, this.#sessionHeader(session));
    this.server.log.event('stream open', session.peer.id);
    response.on('close', () => this.server.log.event('stream closed', session.peer.id));
  }

  delete(request: IncomingMessage, response: ServerResponse): void {
    const session = this.#known(request, response);
    if (session === undefined) return;
    this.server.log.add({ kind: 'http', peer: session.peer.id, http: factsOf(request) });
    this.#end(session.peer.id, session);
    response.writeHead(200).end();
  }

  #sessionOf(request: IncomingMessage, response: ServerResponse, messages: Incoming[]): Session | undefined {
    if (this.server.scenario.http?.sessions === false) return this.#sessions.get(STATELESS) ?? this.#create(STATELESS);
    if (messages.some((message) => message.method === 'initialize')) return this.#create(randomUUID());
    return this.#known(request, response, messages);
  }

  #known(request: IncomingMessage, response: ServerResponse, messages: Incoming[] = []): Session | undefined {
    const stateless = this.server.scenario.http?.sessions === false;
    const id = stateless ? STATELESS : header(request, 'mcp-session-id');
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (session !== undefined) return session;
    // Logged although refused: a probe of the modern era is such a request.
    for (const { id: requestId, method, params } of messages) {
      this.server.log.add({ kind: 'request', id: requestId, method, params, http: factsOf(request) });
    }
    if (messages.length === 0) this.server.log.add({ kind: 'http', http: factsOf(request) });
    if (messages.some(({ method }) => method === 'server/discover')) this.#probed(response);
    else if (id === undefined) sendRpcError(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    else sendRpcError(response, 404, -32001, 'Session not found');
    return undefined;
  }

  #probed(response: ServerResponse): void {
    const { probe } = this.server.scenario;
    if (probe === 'exit') this.server.onExit(1);
    else if (probe !== 'ignore') sendRpcError(response, 400, -32000, 'Bad Request: Server not initialized');
  }

  #create(id: string): Session {
    const answers: Session['answers'] = new Map();
    const related: Session['related'] = new Map();
    const peer = new Peer(id, {
      answer: (body) => answers.get(body.id as RequestId)?.(body),
      notify: (body) => {
        if (session.stream?.open !== true) return false;
        session.stream.send(body);
        return true;
      },
      relate: (id, body) => (related.get(id)?.() ?? session.stream)?.send(body),
      refuse: (id, status) => answers.get(id)?.(status),
      dropStreams: () => session.stream?.drop(),
    });
    const session: Session = { peer, answers, related, stream: undefined };
    this.#sessions.set(id, session);
    this.server.peers.add(peer);
    return session;
  }

  /** Answers the requests of one POST: on a stream of their own, or together as JSON when the last one is there. */
  #respond(session: Session, response: ServerResponse, requests: Incoming[]): void {
    const json = this.server.scenario.http?.answers === 'json';
    const stream = json ? undefined : lazyStream(response, this.#sessionHeader(session));
    const bodies: JsonObject[] = [];
    const open = new Set(requests.flatMap(({ id }) => id ?? []));
    const answer = (id: RequestId) => (body: JsonObject | number) => {
      session.answers.delete(id);
      session.related.delete(id);
      open.delete(id);
      if (typeof body === 'number') return void response.writeHead(body).end();
      bodies.push(body);
      stream?.().send(body);
      if (open.size > 0) return;
      if (stream !== undefined) stream().end();
      else sendJson(response, 200, requests.length > 1 ? bodies : body, this.#sessionHeader(session));
    };
    for (const id of open) {
      session.answers.set(id, answer(id));
      if (stream !== undefined) session.related.set(id, stream);
    }
  }

  #sessionHeader(session: Session): Record<string, string> {
    return session.peer.id === STATELESS ? {} : { 'mcp-session-id': session.peer.id };
  }

  #end(id: string, session: Session): void {
    session.stream?.end();
    this.#sessions.delete(id);
    this.server.peers.delete(session.peer);
  }
}

function lazyStream(response: ServerResponse, headers: Record<string, string>): () => EventStream {
  let stream: EventStream | undefined;
  return () => (stream ??= new EventStream(response, headers));
}
