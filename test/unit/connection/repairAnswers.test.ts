import assert from 'node:assert/strict';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { isJsonObject } from '../../../src/connection/draft';
import { resourceList } from '../../../src/connection/knownEntries';
import { repairAnswers } from '../../../src/connection/repairAnswers';

type Answer = (request: { id: number; method: string }) => void;

/** A transport that answers the opening of either era, and every other request as the test says. */
class FakeTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  answer: Answer = () => undefined;

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) {
      const { id, method } = message;
      const capabilities = { resources: {} };
      const info = { name: 'fake', version: '1' };
      if (method === 'initialize') {
        this.give({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo: info } });
      } else if (method === 'server/discover') {
        const result = { supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' };
        this.give({ id, result: { ...result, resultType: 'complete' } });
      } else {
        this.answer({ id: Number(id), method });
      }
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  give(message: object): void {
    // As it would come off the wire.
    const copy = JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...message })) as JSONRPCMessage;
    queueMicrotask(() => this.onmessage?.(copy));
  }
}

describe('repairAnswers', () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = { trace: write, debug: write, info: write, warn: write, error: write };

  const connect = async (era: 'legacy' | 'modern') => {
    const transport = new FakeTransport();
    const client = new Client(
      { name: 'test', version: '0' },
      { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
    );
    repairAnswers(transport, log);
    await client.connect(transport);
    assert.equal(client.getProtocolEra(), era);
    return { transport, client };
  };

  beforeEach(() => void lines.splice(0));

  for (const era of ['legacy', 'modern'] as const) {
    it(`whatever result a server sends, the SDK takes it (${era})`, async () => {
      const { transport, client } = await connect(era);
      const key = fc.constantFrom(
        'uri',
        'uriTemplate',
        'name',
        'text',
        'blob',
        '_meta',
        'annotations',
        'icons',
        'title',
      );
      const inner = fc.oneof(fc.jsonValue(), fc.constantFrom('a://x', 'QUI=', [{ src: 'x' }], { priority: 2 }));
      const entry = fc.oneof(fc.dictionary(key, inner), fc.jsonValue());
      const field = fc.constantFrom('resources', 'resourceTemplates', 'contents', 'nextCursor', 'ttlMs', '_meta');
      const result = fc.oneof(fc.dictionary(field, fc.oneof(fc.array(entry), inner)), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(result, async (value) => {
          transport.answer = ({ id }) => transport.give({ id, result: value });
          await client.request({ method: 'resources/list', params: {} });
          await client.request({ method: 'resources/templates/list', params: {} });
          await client.request({ method: 'resources/read', params: { uri: 'a://x' } });
        }),
        { numRuns: 300 },
      );
    });

    it(`what is nested too deeply ends its own request, at once (${era})`, async () => {
      const { transport, client } = await connect(era);
      const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
      const read = () => client.request({ method: 'resources/read', params: { uri: 'a://x' } }, { timeout: 500 });
      const give = (answer: object) => {
        transport.answer = ({ id }) => {
          queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage));
        };
      };
      give({ result: { contents: [{ uri: 'a://x', text: deep }] } });
      await assert.rejects(read(), /the answer cannot be used/);
      give({ error: deep });
      await assert.rejects(read(), /the answer cannot be used/);
      give({ result: { contents: [{ uri: 'a://x', text: 'good' }], resultType: 'complete' } });
      await read();
    });

    it(`whatever error a server sends, its request ends with it (${era})`, async () => {
      const { transport, client } = await connect(era);
      const code = fc.oneof(fc.jsonValue(), fc.constantFrom(-32002, '-32002', 'ENOENT', 1.5, 1e300));
      const odd = fc.dictionary(fc.constantFrom('message', 'data', 'codes'), fc.jsonValue());
      const error = fc.oneof(
        fc.jsonValue().filter((value) => value !== null),
        fc.tuple(odd, code).map(([rest, value]) => ({ ...rest, code: value })),
      );
      await fc.assert(
        fc.asyncProperty(error, fc.boolean(), async (value, withNull) => {
          transport.answer = ({ id }) => transport.give({ id, error: value, ...(withNull && { result: null }) });
          await assert.rejects(
            client.request({ method: 'resources/read', params: { uri: 'a://x' } }, { timeout: 500 }),
            {
              name: 'ProtocolError',
            },
          );
        }),
        { numRuns: 300 },
      );
    });

    it(`finds the request of an answer by its id, whatever the order (${era})`, async () => {
      const { transport, client } = await connect(era);
      const asked: { id: number; method: string }[] = [];
      transport.answer = (request) => void asked.push(request);
      const list = client.request({ method: 'resources/list', params: {} });
      const reads = ['a://1', 'a://2'].map((uri) => client.request({ method: 'resources/read', params: { uri } }));
      await new Promise(setImmediate);
      for (const { id, method } of asked.reverse()) {
        // An id that comes back as a string, and an error that is null: seen and tolerated.
        const result = method === 'resources/list' ? { resources: [{ uri: 'a://y' }] } : { contents: [{ text: 'x' }] };
        transport.give({ id: String(id), result, error: null });
      }
      assert.equal((await list).resources[0]?.name, 'y');
      assert.deepEqual(
        (await Promise.all(reads)).map(({ contents }) => contents[0]?.uri),
        ['a://1', 'a://2'],
      );
    });

    it(`an answer that the SDK does not take leaves the next one to be repaired (${era})`, async () => {
      const { transport, client } = await connect(era);
      for (const refused of [
        (id: number) => ({ id: [id], result: {} }),
        (id: number) => ({ id, result: {}, jsonrpc: '1.0' }),
        (id: number) => ({ id, result: { resultType: 'odd', _meta: 7 } }),
        (id: number) => ({ id, result: { resultType: 'odd', _meta: { progressToken: {} } } }),
        (id: number) => ({ id: [id], error: { code: 1, message: 'odd' } }),
        (id: number) => ({ id, error: { code: 1, message: 'odd' }, more: 1 }),
      ]) {
        transport.answer = ({ id }) => {
          transport.give(refused(id));
          transport.give({ id, result: { resources: [null, { uri: 'a://x', name: 7 }] } });
        };
        const listed = client.request({ method: 'resources/list', params: {} }, resourceList);
        const { resources } = await listed.catch((error: unknown) => {
          // The first one, once it was mended.
          assert.match(String(error), /odd/);
          return { resources: [] };
        });
        assert.ok(
          resources.every((entry) => isJsonObject(entry) && typeof entry.name === 'string'),
          JSON.stringify(resources),
        );
      }
    });

    it(`leaves errors, other answers and late answers alone (${era})`, async () => {
      const { transport, client } = await connect(era);
      transport.answer = ({ id }) => transport.give({ id, error: { code: -32603, message: 'no' } });
      await assert.rejects(client.request({ method: 'resources/list', params: {} }), /no/);
      const completion = { completion: { values: ['a'] }, resultType: 'complete' };
      transport.answer = ({ id }) => transport.give({ id, result: completion });
      const params = { ref: { type: 'ref/resource' as const, uri: 'a://{b}' }, argument: { name: 'b', value: '' } };
      assert.deepEqual((await client.request({ method: 'completion/complete', params })).completion.values, ['a']);
      let late: (() => void) | undefined;
      transport.answer = ({ id }) => (late = () => transport.give({ id, result: { contents: [null] } }));
      const abort = new AbortController();
      const read = client.request({ method: 'resources/read', params: { uri: 'a' } }, { signal: abort.signal });
      await new Promise(setImmediate);
      abort.abort();
      await assert.rejects(read);
      late?.();
      await new Promise(setImmediate);
      assert.deepEqual(lines, []);
    });
  }
});
