// What the HTTP transports share: reading bodies, answering, event streams.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpFacts } from './messageLog';
import type { Json, JsonObject } from './scenario';

export function factsOf(request: IncomingMessage): HttpFacts {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The JSON body; undefined when it is none. */
export async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  const text = await readText(request);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function sendJson(response: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}) {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function sendRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code, message } });
}

/** An error of the protocol itself, before any request is looked at. */
export interface Rejection {
  status: number;
  code: number;
  message: string;
}

/** A `text/event-stream` response. */
export class EventStream {
  constructor(
    private readonly response: ServerResponse,
    headers: Record<string, string> = {},
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      ...headers,
    });
    response.flushHeaders();
  }

  get open(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  send(message: JsonObject): void {
    this.event('message', JSON.stringify(message));
  }

  event(name: string, data: string): void {
    if (this.open) this.response.write(`event: ${name}\ndata: ${data}\n\n`);
  }

  end(): void {
    if (this.open) this.response.end();
  }

  /** Breaks the connection in mid-stream. */
  drop(): void {
    this.response.destroy();
  }
}
