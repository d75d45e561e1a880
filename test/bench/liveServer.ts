// A server that `bench live` updates: a process of its own, which stamps each update with the time of its sending.
//   node dist-test/bench/liveServer.js --name SERVER --transport http|stdio --era legacy|modern --folder FOLDER
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandsOf } from '../server/control';
import { FixtureServer } from '../server/fixtureServer';
import { readBody, sendJson } from '../server/httpParts';
import { HttpEndpoint } from '../server/serveHttp';
import { serveStdio } from '../server/serveStdio';
import { now } from './clock';
import { lanes, resourceUris, type Wire } from './liveLanes';

/** Updates that a window asks for by `POST`. */
export interface UpdateRequest {
  readonly uri: string;
  /** One after the other. */
  readonly texts: readonly string[];
  /** Milliseconds from one to the next. */
  readonly everyMs: number;
}

export interface UpdateAnswer {
  /** Milliseconds of `now()`, just before the last notification is written. */
  readonly sentAt: number;
  /** Notifications of the last update: one for each client that has subscribed. */
  readonly told: number;
}

/** Answer to a `GET`: requests on the wire so far that name a resource, by its URI. */
export type RequestCounts = Readonly<Record<string, number>>;

/** Written to `<folder>/<name>.json`. */
export interface Announcement {
  /** Where updates are asked for. */
  readonly updates: string;
  /** HTTP servers only. */
  readonly url?: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      name: { type: 'string', default: '' },
      transport: { type: 'string', default: '' },
      era: { type: 'string', default: '' },
      folder: { type: 'string', default: '' },
    },
  });
  const { name, folder } = values;
  const { transport, era } = values as unknown as Wire;
  const resources = lanes
    .filter(({ server }) => server === name)
    .flatMap(resourceUris)
    .map((uri) => ({ uri, text: 'nothing yet', mimeType: 'text/plain' }));
  const server = new FixtureServer(era, { name, resources });
  server.onExit = (code) => process.exit(code);
  const updates = await listenForUpdates(server);
  const announce = (announcement: Announcement): void => {
    // Renamed into place: a reader never sees half of it.
    writeFileSync(join(folder, `${name}.new`), JSON.stringify(announcement));
    renameSync(join(folder, `${name}.new`), join(folder, `${name}.json`));
    process.send?.(announcement);
  };
  if (transport === 'http') {
    const endpoint = new HttpEndpoint(server, 'http');
    await endpoint.start();
    // Whoever started it is gone: so is the need for it.
    process.once('disconnect', () => process.exit());
    announce({ updates, url: endpoint.url });
    return;
  }
  serveStdio(server, name);
  // Clients start a process to find the era, too: the one that is subscribed to is the one to update.
  const forget = server.log.onEntry(({ method }) => {
    if (method === 'resources/subscribe' || method === 'subscriptions/listen') {
      forget();
      announce({ updates });
    }
  });
}

/** Gives the address. */
async function listenForUpdates(server: FixtureServer): Promise<string> {
  const { set } = commandsOf(server);
  const send = async ({ uri, texts, everyMs }: UpdateRequest): Promise<UpdateAnswer> => {
    let answer: UpdateAnswer = { sentAt: 0, told: 0 };
    for (const [index, text] of texts.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
      const sentAt = now();
      answer = { sentAt, told: await set(uri, text) };
    }
    return answer;
  };
  const http = createServer((request, response) => {
    if (request.method === 'GET') {
      sendJson(response, 200, { ...requestCounts(server) });
      return;
    }
    void readBody(request)
      .then((body) => send(body as unknown as UpdateRequest))
      .then((answer) => sendJson(response, 200, { ...answer }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  http.unref();
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
}

function requestCounts(server: FixtureServer): RequestCounts {
  const counts: Record<string, number> = {};
  for (const { kind, params } of server.log.entries) {
    if (kind === 'request' && typeof params?.uri === 'string') {
      counts[params.uri] = (counts[params.uri] ?? 0) + 1;
    }
  }
  return counts;
}

void main();
