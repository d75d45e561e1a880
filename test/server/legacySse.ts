// HTTP with SSE, the transport before Streamable HTTP: one GET stream per client, messages posted beside it.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FixtureServer } from './fixtureServer';
import { EventStream, factsOf } from './httpParts';
import type { Incoming } from './messages';
import { Peer } from './peer';

export class LegacySse {
  readonly #peers = new Map<string, Peer>();

  constructor(private readonly server: FixtureServer) {}

  get(request: IncomingMessage, response: ServerResponse): void {
    const id = randomUUID();
    this.server.log.add({ kind: 'http', peer: id, http: factsOf(request) });
    const stream = new EventStream(response);
    const peer = new Peer(id, {
      answer: (body) => stream.send(body),
      notify: (body) => {
        stream.send(body);
        return stream.open;
      },
      relate: (_id, body) => stream.send(body),
      refuse: () => undefined,
      dropStreams: () => stream.drop(),
    });
    this.#peers.set(id, peer);
    this.server.peers.add(peer);
    this.server.log.event('stream open', id);
    response.on('close', () => {
      this.#peers.delete(id);
      this.server.peers.delete(peer);
      this.server.log.event('stream closed', id);
    });
    stream.event('endpoint', `/messages?sessionId=${id}`);
  }

  async post(request: IncomingMessage, response: ServerResponse, message: Incoming): Promise<void> {
    const id = new URL(request.url ?? '', 'http://fixture').searchParams.get('sessionId') ?? '';
    const peer = this.#peers.get(id);
    if (peer === undefined) return void response.writeHead(404).end('Session not found');
    response.writeHead(202).end('Accepted');
    await this.server.receive(peer, message, factsOf(request));
  }
}
