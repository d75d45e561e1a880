// An authorization server (OAuth 2.1) that is strict about what the specification demands of clients, and misbehaves on
// demand; and the guard that it puts before an MCP server.
import { createHash, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { header, readText, sendJson } from './httpParts';
import type { JsonObject } from './scenario';
import type { Guard } from './serveHttp';

export interface AuthOptions {
  /** False: clients cannot register themselves. */
  registration?: boolean;
  /** Clients that are known from the start, by id, with their secret. */
  clients?: Record<string, string | undefined>;
  /** Clients describe themselves by documents (no document is fetched here). */
  documents?: boolean;
  /** Shows a page with a link to go on, as a browser's person sees it; else the redirect comes at once. */
  page?: boolean;
  /** The MCP server is its own authorization server and says nowhere how one signs in (2025-03-26). */
  atServer?: boolean;
}

interface Client {
  secret: string | undefined;
  /** Absent: any address of this machine. */
  redirectUris?: string[];
}

interface Grant {
  clientId: string;
  scope: string;
  resource: string;
}

/** What the authorization server does wrong, or lets the client feel, from now on. */
interface Habits {
  deny?: boolean;
  /** `iss` of its answers, in place of its own. */
  answersAs?: string;
  /** `issuer` of its metadata, in place of its own. */
  claims?: string;
  noRefresh?: boolean;
  /** The token endpoint is out of order. */
  down?: boolean;
  /** What is granted, whatever is asked for. */
  grants?: string;
  noPkce?: boolean;
  /** Its metadata is that of OpenID Connect. */
  openId?: boolean;
  /** The page of its metadata, in place of its own. */
  pageIs?: string;
  /** `revocation_endpoint` of its metadata, in place of its own; null: it has none. */
  revokesAt?: string | null;
  /** The MCP server sends everybody there, and who signs out. */
  redirectTo?: string;
  /** The MCP server takes no token, however good. */
  rejectAll?: boolean;
  /** What every request to the MCP server needs. */
  demand?: string;
}

export class AuthServer {
  /** `METHOD /path` of every request, with the grant type of token requests. */
  readonly log: string[] = [];
  /** Each token that the guard was shown, in order; `-` for none. */
  readonly shown: string[] = [];
  /** Tokens that the guard was shown before a server that they are not for. */
  readonly misplaced: string[] = [];
  /** Headers of each request. */
  readonly headers: IncomingHttpHeaders[] = [];
  /** What the last sign-in asked for. */
  query = new URLSearchParams();
  readonly habits: Habits = {};
  readonly #clients = new Map<string, Client>();
  readonly #codes = new Map<string, Grant & { challenge: string; redirectUri: string }>();
  readonly #access = new Map<string, Grant>();
  readonly #refresh = new Map<string, Grant>();

  private constructor(
    private readonly server: Server,
    private readonly options: AuthOptions,
  ) {
    for (const [id, secret] of Object.entries(options.clients ?? {})) this.#clients.set(id, { secret });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  static async start(options: AuthOptions = {}): Promise<AuthServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new AuthServer(server, options);
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** No access token is good any more; refresh tokens are. */
  expire(): void {
    this.#access.clear();
  }

  revoke(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  /** How many tokens are good now. */
  get good(): { access: number; refresh: number } {
    return { access: this.#access.size, refresh: this.#refresh.size };
  }

  /** Lets only requests with a good token pass, and says where tokens come from (RFC 9728). */
  readonly guard: Guard = (request, response) => {
    const { atServer = false } = this.options;
    const origin = `http://${request.headers.host}`;
    if (atServer && /^\/(authorize|token|register)\b/.test(request.url ?? '')) {
      this.#answer(request, response);
      return true;
    }
    const path = /\/(sse|messages)/.test(request.url ?? '') ? '/sse' : '/mcp';
    const resource = atServer ? '' : `${origin}${path}`;
    const metadata = `${origin}/.well-known/oauth-protected-resource${path}`;
    if (!atServer && request.url === new URL(metadata).pathname) {
      sendJson(response, 200, { resource, authorization_servers: [this.issuer], scopes_supported: ['read'] });
      return true;
    }
    if (request.url?.startsWith('/.well-known/') === true) return false;
    const token = /^Bearer (.+)$/.exec(header(request, 'authorization') ?? '')?.[1];
    this.shown.push(token ?? '-');
    if (this.habits.redirectTo !== undefined) {
      response.writeHead(307, { location: this.habits.redirectTo }).end();
      return true;
    }
    const grant = token === undefined ? undefined : this.#access.get(token);
    if (token !== undefined && grant !== undefined && grant.resource !== resource) this.misplaced.push(token);
    const refuse = (status: number, error: string, scope: string) => {
      const where = atServer ? '' : `, resource_metadata="${metadata}", scope="${scope}"`;
      const challenge = `Bearer error="${error}"${where}`;
      response.writeHead(status, { 'www-authenticate': challenge }).end('refused');
      return true;
    };
    if (grant?.resource !== resource || this.habits.rejectAll === true) return refuse(401, 'invalid_token', 'read');
    const { demand } = this.habits;
    const enough = demand === undefined || grant.scope.split(' ').includes(demand);
    return !enough && refuse(403, 'insufficient_scope', demand);
  };

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#handle(request, response).catch((error: unknown) => {
      sendJson(response, 400, { error: 'invalid_request', error_description: String(error) });
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    const route = `${request.method} ${url.pathname}`;
    this.headers.push(request.headers);
    if (route === 'POST /token') return this.#token(request, response);
    if (route === 'POST /revoke') return this.#revoke(request, response);
    this.log.push(route);
    const metadata = this.habits.openId === true ? 'openid-configuration' : 'oauth-authorization-server';
    if (route === `GET /.well-known/${metadata}`) sendJson(response, 200, this.#metadata());
    else if (route === 'GET /authorize') this.#authorize(url.searchParams, response);
    else if (route === 'POST /register' && this.options.registration !== false) await this.#register(request, response);
    else sendJson(response, 404, { error: 'not_found' });
  }

  #metadata(): JsonObject {
    const secretsOnly = Object.values(this.options.clients ?? {}).some((secret) => secret !== undefined);
    return {
      issuer: this.habits.claims ?? this.issuer,
      authorization_endpoint: this.habits.pageIs ?? `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      ...(this.options.registration === false ? {} : { registration_endpoint: `${this.issuer}/register` }),
      ...(this.habits.revokesAt === null
        ? {}
        : { revocation_endpoint: this.habits.revokesAt ?? `${this.issuer}/revoke` }),
      ...(this.habits.openId === true
        ? {
            jwks_uri: `${this.issuer}/keys`,
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
          }
        : {}),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: secretsOnly ? ['client_secret_basic'] : ['none'],
      code_challenge_methods_supported: this.habits.noPkce === true ? [] : ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: this.options.documents === true,
    };
  }

  async #register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await readText(request)) as { redirect_uris: string[]; application_type: string };
    if (body.application_type !== 'native') throw new Error('application_type must be native');
    const id = `client-${randomUUID()}`;
    this.#clients.set(id, { secret: undefined, redirectUris: body.redirect_uris });
    sendJson(response, 201, { ...body, client_id: id });
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const need = (name: string): string => {
      const value = asked.get(name);
      if (value === null || value === '') throw new Error(`${name} is missing`);
      return value;
    };
    this.query = asked;
    const clientId = need('client_id');
    const redirectUri = need('redirect_uri');
    const byDocument = this.options.documents === true && clientId.startsWith('https://');
    const client = this.#clients.get(clientId) ?? (byDocument ? { secret: undefined } : undefined);
    if (client === undefined) throw new Error('unknown client');
    if (byDocument) this.#clients.set(clientId, client);
    const fits = client.redirectUris?.includes(redirectUri) ?? /^http:\/\/127\.0\.0\.1:\d+\/$/.test(redirectUri);
    if (!fits) throw new Error('redirect_uri is not registered');
    if (need('code_challenge_method') !== 'S256' || need('response_type') !== 'code') throw new Error('no PKCE');
    const back = new URL(redirectUri);
    back.searchParams.set('state', need('state'));
    if (this.options.atServer !== true) back.searchParams.set('iss', this.habits.answersAs ?? this.issuer);
    if (this.habits.deny === true) {
      back.searchParams.set('error', 'access_denied');
    } else {
      const code = randomUUID();
      const [challenge, resource] = [need('code_challenge'), this.options.atServer === true ? '' : need('resource')];
      this.#codes.set(code, {
        clientId,
        scope: this.habits.grants ?? asked.get('scope') ?? '',
        resource,
        challenge,
        redirectUri,
      });
      back.searchParams.set('code', code);
    }
    if (this.options.page === true) {
      const link = back.href.replaceAll('&', '&amp;');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><a href="${link}">Allow</a>`);
    } else {
      response.writeHead(302, { location: back.href }).end();
    }
  }

  async #token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(await readText(request));
    const type = body.get('grant_type') ?? '';
    this.log.push(`POST /token ${type}`);
    const refuse = (error: string) => sendJson(response, 400, { error });
    if (this.habits.down === true) return void response.writeHead(503).end();
    const clientId = this.#clientOf(request, body);
    if (clientId === undefined) {
      refuse('invalid_client');
      return;
    }
    const grant = type === 'refresh_token' ? this.#refreshed(body) : this.#redeemed(body);
    if (grant?.clientId !== clientId || grant.resource !== (body.get('resource') ?? '')) {
      refuse('invalid_grant');
      return;
    }
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    const { resource, scope } = grant;
    this.#access.set(access, { clientId, resource, scope });
    if (this.habits.noRefresh !== true) this.#refresh.set(refresh, { clientId, resource, scope });
    const more = this.habits.noRefresh === true ? {} : { refresh_token: refresh };
    sendJson(response, 200, { access_token: access, token_type: 'Bearer', expires_in: 3600, scope, ...more });
  }

  /** RFC 7009: a token that is not known is as good as revoked. */
  async #revoke(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(await readText(request));
    this.log.push(`POST /revoke ${body.get('token_type_hint')}`);
    const clientId = this.#clientOf(request, body);
    if (this.habits.down === true) return void response.writeHead(503).end();
    if (this.habits.redirectTo !== undefined) {
      return void response.writeHead(307, { location: this.habits.redirectTo }).end();
    }
    if (clientId === undefined) throw new Error('unknown client');
    for (const grants of [this.#access, this.#refresh]) {
      const token = body.get('token') ?? '';
      if (grants.get(token)?.clientId === clientId) grants.delete(token);
    }
    response.writeHead(200).end();
  }

  /** The client that a request is from; undefined where it cannot say so. */
  #clientOf(request: IncomingMessage, body: URLSearchParams): string | undefined {
    const [basicId, basicSecret] = basicOf(header(request, 'authorization'));
    const clientId = basicId ?? body.get('client_id') ?? '';
    const client = this.#clients.get(clientId);
    const secret = basicSecret ?? body.get('client_secret') ?? undefined;
    return client !== undefined && client.secret === secret ? clientId : undefined;
  }

  #redeemed(body: URLSearchParams): Grant | undefined {
    const code = body.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    return grant?.challenge === verifier && grant.redirectUri === body.get('redirect_uri') ? grant : undefined;
  }

  /** Each refresh token is good once. */
  #refreshed(body: URLSearchParams): Grant | undefined {
    const token = body.get('refresh_token') ?? '';
    const grant = this.#refresh.get(token);
    this.#refresh.delete(token);
    return grant;
  }
}

function basicOf(value: string | undefined): [string | undefined, string | undefined] {
  const encoded = /^Basic (.+)$/.exec(value ?? '')?.[1];
  if (encoded === undefined) return [undefined, undefined];
  const [id, secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [id, secret];
}
