// The modern era over HTTP: every request is a POST of its own; `subscriptions/listen` stays open as an event stream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FixtureServer } from './fixtureServer';
import { EventStream, factsOf, header, sendJson, sendRpcError, type Rejection } from './httpParts';
import { ENVELOPE_KEYS, envelopeVersion, isObject, stringOf, unsupportedVersion, type Incoming } from './messages';
import { Peer } from './peer';
import type { JsonObject } from './scenario';

export class ModernHttp {
  #next = 0;

  constructor(private readonly server: FixtureServer) {}

  async post(request: IncomingMessage, response: ServerResponse, message: Incoming): Promise<void> {
    const rejection = message.id === undefined ? undefined : rejectionOf(request, message);
    const peer = this.#peer(response, message);
    if (rejection !== undefined) {
      this.server.log.event(`rejected: ${rejection.message}`, peer.id);
      sendRpcError(response, rejection.status, rejection.code, rejection.message);
      return;
    }
    this.server.peers.add(peer);
    response.on('close', () => this.server.peers.delete(peer));
    await this.server.receive(peer, message, factsOf(request));
    if (message.id === undefined) response.writeHead(202).end();
  }

  /** A request of the legacy era at an endpoint that has none. */
  refuseLegacy(response: ServerResponse, message: Incoming): void {
    const requested = message.params?.protocolVersion;
    const { error, httpStatus } = unsupportedVersion(typeof requested === 'string' ? requested : undefined);
    sendJson(response, httpStatus, { jsonrpc: '2.0', id: message.id ?? null, error: { ...error } });
  }

  #peer(response: ServerResponse, message: Incoming): Peer {
    this.#next += 1;
    const id = `modern-${this.#next}`;
    const listening = message.method === 'subscriptions/listen';
    const streaming = listening || this.server.scenario.http?.answers === 'sse';
    let stream: EventStream | undefined;
    const opened = () => {
      if (stream === undefined && listening) {
        this.server.log.event('listen stream open', id);
        response.on('close', () => this.server.log.event('listen stream closed', id));
      }
      return (stream ??= new EventStream(response));
    };
    return new Peer(id, {
      answer: (body: JsonObject, status: number) => {
        if (stream === undefined && (!streaming || 'error' in body)) {
          sendJson(response, status, body);
        } else {
          opened().send(body);
          opened().end();
        }
      },
      notify: (body: JsonObject) => {
        if (!listening || response.destroyed || response.writableEnded) return false;
        opened().send(body);
        return true;
      },
      relate: (_id, body) => opened().send(body),
      refuse: (_id, status) => void response.writeHead(status).end(),
      dropStreams: () => stream?.drop(),
    });
  }
}

/** The checks that a server makes before it looks at the method: envelope and headers must say the same. */
function rejectionOf(request: IncomingMessage, message: Incoming): Rejection | undefined {
  const meta = message.params?._meta;
  const missing = ENVELOPE_KEYS.find((key) => !isObject(meta) || meta[key] === undefined);
  if (missing !== undefined) return { status: 400, code: -32602, message: `Invalid _meta envelope: ${missing}` };
  const expected: Record<string, string | undefined> = {
    'mcp-protocol-version': envelopeVersion(message),
    'mcp-method': message.method,
    ...(message.method === 'resources/read' ? { 'mcp-name': stringOf(message.params?.uri) } : {}),
  };
  for (const [name, value] of Object.entries(expected)) {
    if (decoded(header(request, name)) !== value)
      return { status: 400, code: -32020, message: `Header mismatch: ${name}` };
  }
  return undefined;
}

function decoded(value: string | undefined): string | undefined {
  const base64 = /^=\?base64\?(.*)\?=$/.exec(value ?? '')?.[1];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}
