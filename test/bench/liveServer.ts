// The server that `bench live` updates: a process of its own, which both clients reach over HTTP, and which stamps each
// update with the time of its sending.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpFixture, startFixture } from '../server/fixtureClient';
import { readBody, sendJson } from '../server/httpParts';
import { now } from './clock';
import { resourceUris } from './liveResources';

/** An update that a window asks for by `POST`. */
export interface UpdateRequest {
  readonly uri: string;
  readonly text: string;
}

export interface UpdateAnswer {
  /** Milliseconds of `now()`, just before the notification is written. */
  readonly sentAt: number;
  /** Notifications that went out: one for each client that has subscribed. */
  readonly told: number;
}

async function main(): Promise<void> {
  const resources = resourceUris.map((uri) => ({ uri, text: 'nothing yet', mimeType: 'text/plain' }));
  // VS Code hears of updates only from servers of the legacy era.
  const fixture = await startFixture({ era: 'legacy', scenario: { name: 'live', resources } });
  const updates = await listenForUpdates(fixture);
  // Whoever started it is gone: so is the need for it.
  process.once('disconnect', () => process.exit());
  process.send?.({ url: fixture.url, updates });
}

async function listenForUpdates(fixture: HttpFixture): Promise<string> {
  const http = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const { uri, text } = body as unknown as UpdateRequest;
      const sentAt = now();
      const told = await fixture.set(uri, text);
      const answer: UpdateAnswer = { sentAt, told };
      sendJson(response, 200, { ...answer });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
}

void main();
