// A fixture server behind a loopback HTTP port: `/mcp` (Streamable HTTP of either era) or `/sse` and `/messages`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FixtureServer } from './fixtureServer';
import { factsOf, header, readBody, sendRpcError } from './httpParts';
import { LegacyHttp } from './legacyHttp';
import { LegacySse } from './legacySse';
import { envelopeVersion, isObject, type Incoming } from './messages';
import { ModernHttp } from './modernHttp';

/** Answers a request in place of the server; false leaves it to the server. */
export type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

export class HttpEndpoint {
  readonly #modern: ModernHttp;
  readonly #legacy: LegacyHttp;
  readonly #sse: LegacySse;
  #http: Server | undefined;
  #port = 0;

  constructor(
    private readonly server: FixtureServer,
    private readonly transport: 'http' | 'sse',
    private readonly guard: Guard = () => false,
  ) {
    this.#modern = new ModernHttp(server);
    this.#legacy = new LegacyHttp(server);
    this.#sse = new LegacySse(server);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/${this.transport === 'sse' ? 'sse' : 'mcp'}`;
  }

  /** Listens on the same port again after `stop`. */
  async start(port = this.#port): Promise<void> {
    const http = createServer((request, response) => {
      void this.#handle(request, response).catch((error: unknown) => {
        this.server.log.event(`failed: ${String(error)}`);
        response.destroy();
      });
    });
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(port, '127.0.0.1', resolve);
    });
    this.#port = (http.address() as AddressInfo).port;
    this.#http = http;
    this.server.log.event('start');
  }

  /** Breaks every connection and forgets every session. */
  async stop(): Promise<void> {
    const http = this.#http;
    if (http === undefined) return;
    this.#http = undefined;
    this.server.log.event('stop');
    const closed = new Promise((resolve) => http.close(resolve));
    http.closeAllConnections();
    await closed;
    // Clients in this very process get a turn to notice, before they reuse a connection that is gone.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    this.forgetSessions();
  }

  forgetSessions(): void {
    this.#legacy.forgetSessions();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', 'http://fixture').pathname;
    const route = `${request.method} ${path}`;
    if (this.guard(request, response) || this.#barred(request, response)) return;
    if (this.transport === 'sse') {
      if (route === 'GET /sse') {
        this.#sse.get(request, response);
        return;
      }
      if (route === 'POST /messages') return this.#posted(request, response, this.#sse);
    } else if (path === '/mcp') {
      if (request.method === 'POST') return this.#posted(request, response);
      if (this.#sessionRequest(request, response)) return;
    }
    this.server.log.add({ kind: 'http', http: factsOf(request) });
    if (path === '/mcp') sendRpcError(response, 405, -32000, 'Method not allowed.');
    else response.writeHead(404).end(`Cannot ${route}`);
  }

  /** The GET and DELETE of a legacy session. */
  #sessionRequest(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.server.era === 'modern' || (request.method !== 'GET' && request.method !== 'DELETE')) return false;
    if (request.method === 'GET') this.#legacy.get(request, response);
    else this.#legacy.delete(request, response);
    return true;
  }

  async #posted(request: IncomingMessage, response: ServerResponse, sse?: LegacySse): Promise<void> {
    const body = await readBody(request);
    const messages = (Array.isArray(body) ? body : [body]).filter((message) => isObject(message)) as Incoming[];
    const [first] = messages;
    if (first === undefined) {
      this.server.log.add({ kind: 'unreadable', http: factsOf(request) });
      sendRpcError(response, 400, -32700, 'Parse error');
      return;
    }
    if (sse !== undefined) return sse.post(request, response, first);
    const { era } = this.server;
    if (era !== 'legacy' && envelopeVersion(first) !== undefined) return this.#modern.post(request, response, first);
    if (era !== 'modern') return this.#legacy.post(request, response, messages);
    const { id, method, params } = first;
    const kind = id === undefined ? 'notification' : 'request';
    this.server.log.add({ kind, id, method, params, http: factsOf(request) });
    this.#modern.refuseLegacy(response, first);
  }

  /** Answers for a client that lacks the header that the scenario demands. */
  #barred(request: IncomingMessage, response: ServerResponse): boolean {
    const rule = this.server.scenario.http?.requireHeader;
    if (rule === undefined || header(request, rule.name.toLowerCase()) === rule.value) return false;
    this.server.log.add({ kind: 'http', http: factsOf(request), detail: 'barred' });
    const challenge = rule.challenge === undefined ? {} : { 'www-authenticate': rule.challenge };
    response.writeHead(rule.status ?? 401, challenge).end('credential rejected');
    return true;
  }
}
