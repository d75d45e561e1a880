// Stands between a client and an HTTP server, in this very process: whatever passes meets its fate by a seeded plan.
import { Agent, createServer, request as send } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Lane } from './faultProxyLane';
import { type FaultPlan, type Random, randomOf } from './faultProxyPlan';
import { LineReader } from './lineReader';

interface Options {
  readonly plan: FaultPlan;
  readonly seed: number;
  /** Where the server is now. */
  readonly target: () => string;
  /** Ends the server and starts it again. */
  readonly restart: () => void;
}

/** One request of the client, with all that still moves on its behalf. */
interface Exchange {
  readonly name: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly lanes: Lane[];
  readonly abort: AbortController;
  /** A duplicate is carried out by the server, and its answer thrown away. */
  answered: boolean;
}

/**
 * The messages of a request, of an answer and of an event stream are touched as the lines of a pipe are. A TCP connection
 * loses and mixes nothing by itself, so a message that goes astray is one that a gateway forgets: the client waits. Only
 * the GET of a stream breaks at once instead, because nobody can tell a server that is silent from one that has nothing
 * to say.
 */
export class FaultHttpProxy {
  private readonly http: Server;
  private readonly agent = new Agent({ keepAlive: false });
  private readonly exchanges = new Set<Exchange>();
  private readonly toServer: Random;
  private readonly toClient: Random;
  private readonly fate: Random;
  private clear = false;

  constructor(private readonly options: Options) {
    const [toServer, toClient, fate] = [0, 1, 2].map((direction) => randomOf(options.seed * 1000 + direction));
    this.toServer = toServer!;
    this.toClient = toClient!;
    this.fate = fate!;
    this.http = createServer((incoming, response) => void this.pass(incoming, response));
  }

  /** Returns the address for the client. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
    const { port } = this.http.address() as AddressInfo;
    return `http://127.0.0.1:${port}${new URL(this.options.target()).pathname}`;
  }

  /** From now on everything passes as it is. */
  makeClear(): void {
    this.clear = true;
    for (const { lanes } of this.exchanges) lanes.forEach((lane) => lane.makeClear());
  }

  /** What the client has asked for, is not answered in full, and not given up. */
  get open(): string[] {
    return [...this.exchanges].map(({ name }) => name);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.http.close(resolve));
    this.http.closeAllConnections();
    await closed;
    this.agent.destroy();
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = `${incoming.method} ${incoming.url}`;
    const exchange: Exchange = { name, incoming, response, lanes: [], abort: new AbortController(), answered: false };
    this.exchanges.add(exchange);
    response.on('close', () => {
      this.exchanges.delete(exchange);
      exchange.lanes.forEach((lane) => lane.discard());
      exchange.abort.abort();
    });
    let body = '';
    try {
      for await (const chunk of incoming.setEncoding('utf8')) body += chunk as string;
    } catch {
      return; // The client has gone.
    }
    if (incoming.method !== 'POST') {
      if (incoming.method === 'GET' && this.isLost()) response.destroy();
      else this.forward(exchange, Buffer.from(body));
      return;
    }
    const lane = this.lane(exchange, this.toServer, {
      write: (bytes) => this.forward(exchange, bytes),
      cut: () => {
        this.end(exchange);
      },
    });
    lane.receive(body);
  }

  private isLost(): boolean {
    const { drop, cut, only } = this.options.plan;
    return !this.clear && only === undefined && this.toServer() < drop + cut;
  }

  private lane(exchange: Exchange, random: Random, ends: ConstructorParameters<typeof Lane>[2]): Lane {
    const lane = new Lane(this.options.plan, random, ends);
    if (this.clear) lane.makeClear();
    exchange.lanes.push(lane);
    return lane;
  }

  /** The connection breaks, the gateway apologises, or the server ends with all of them. */
  private end({ response }: Exchange): void {
    const fate = this.fate();
    if (fate < 0.3) this.options.restart();
    if (fate < 0.7 || response.headersSent) response.destroy();
    else response.writeHead(502).end('nobody there');
  }

  private forward(exchange: Exchange, body: Buffer): void {
    const { incoming, response, abort } = exchange;
    const outgoing = send(
      this.options.target(),
      {
        method: incoming.method,
        headers: { ...framedAnew(incoming.headers), connection: 'close' },
        agent: this.agent,
        signal: abort.signal,
      },
      (answer) => {
        if (exchange.answered) answer.resume();
        else this.answer(exchange, answer);
      },
    );
    // The server has gone, or the client.
    outgoing.on('error', () => response.destroy());
    outgoing.end(body);
  }

  private answer(exchange: Exchange, answer: IncomingMessage): void {
    const { response } = exchange;
    exchange.answered = true;
    const status = answer.statusCode ?? 502;
    const headers = framedAnew(answer.headers);
    if (headers['content-type'] === 'text/event-stream') {
      response.writeHead(status, headers).flushHeaders();
      this.answerByEvents(exchange, answer);
      return;
    }
    const chunks: Buffer[] = [];
    answer.on('error', () => response.destroy());
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const body = Buffer.concat(chunks);
      if (body.length === 0) {
        response.writeHead(status, headers).end();
        return;
      }
      const lane = this.lane(exchange, this.toClient, {
        // What came twice arrives once.
        write: (bytes) => response.headersSent || response.writeHead(status, headers).end(bytes),
        cut: (half) => {
          response.writeHead(status, { ...headers, 'content-length': body.length + 1 });
          response.write(half, () => this.end(exchange));
        },
      });
      lane.receive(body.toString());
    });
  }

  private answerByEvents(exchange: Exchange, answer: IncomingMessage): void {
    const { response } = exchange;
    const lane = this.lane(exchange, this.toClient, {
      write: (bytes) =>
        response.write(Buffer.concat([Buffer.from('event: message\ndata: '), bytes, Buffer.from('\n')])),
      cut: (half) => {
        response.write(Buffer.concat([Buffer.from('event: message\ndata: '), half]), () => this.end(exchange));
      },
    });
    const lines = new LineReader((line) => {
      if (line.startsWith('data: ')) lane.receive(line.slice('data: '.length));
    });
    answer.on('data', (chunk: Buffer) => lines.push(chunk));
    answer.on('error', () => response.destroy());
    answer.on('end', () => lane.end(() => response.end()));
  }
}

/** Without what tells of the length of a body: it may become another one. */
function framedAnew(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const framing = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.includes(name)));
}
