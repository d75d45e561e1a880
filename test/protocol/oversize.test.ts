import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { StdioTransport } from '../../src/connection/stdioTransport';
import type { Log } from '../../src/base/log';
import { until } from '../until';
import { readText, sendJson } from '../server/httpParts';
import { http, startCore } from './core';

/** A server of one line: answers each request with a result of the length that it asks for, id first or last. */
const server = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, params } = JSON.parse(line);
    const result = JSON.stringify({ text: 'x'.repeat(params.length), list: [{ id: 99 }] });
    const head = '{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}';
    const tail = '{"result":' + result + ',"jsonrpc":"2.0","id":' + JSON.stringify(id) + '}';
    console.log(params.last ? tail : head);
  });
`;

describe('a message longer than the transport reads', () => {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  const log: Log = { trace: write, debug: write, info: write, warn: write, error: write };

  it('fails the request that it answers, and nothing else', async () => {
    const launch = { command: process.execPath, args: ['-e', server], env: process.env as Record<string, string> };
    const transport = new StdioTransport(launch, log, { maxMessageBytes: 10_000 });
    const answers = new Map<unknown, unknown>();
    transport.onmessage = (message) => {
      const { id, error } = message as { id: unknown; error?: { message: string } };
      answers.set(id, error?.message ?? 'answered');
    };
    await transport.start();
    const ask = (id: number | string, length: number, last: boolean) =>
      transport.send({ jsonrpc: '2.0', id, method: 'x', params: { length, last } });
    await ask(1, 20_000, false);
    await ask('two', 20_000, true);
    await ask(3, 100, true);
    await until('three answers', () => answers.size === 3);
    await transport.close();
    assert.match(String(answers.get(1)), /too large/);
    assert.match(String(answers.get('two')), /too large/);
    assert.equal(answers.get(3), 'answered');
    assert.ok(lines.some((line) => line.includes('too large')));
  });

  it('is given up over HTTP, too, however small it was sent', async () => {
    const mebibyte = 1024 * 1024;
    const bomb = gzipSync(Buffer.alloc(16 * mebibyte, ' '));
    const server = createServer((request, response) => {
      void readText(request).then((text) => {
        const { id, method } = JSON.parse(text || '{}') as { id?: number; method?: string };
        const info = { capabilities: { resources: {} }, serverInfo: { name: 'bomb', version: '1' } };
        if (method === 'initialize') {
          sendJson(response, 200, { jsonrpc: '2.0', id, result: { ...info, protocolVersion: '2025-11-25' } });
        } else if (method === 'resources/read') {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
          for (let part = 0; part < 20; part++) {
            response.write(bomb);
          }
          response.end();
        } else {
          response.writeHead(id === undefined ? 202 : 405).end();
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const core = startCore(
      { one: http(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`) },
      { requestTimeoutMs: 28_000 },
    );
    try {
      await core.connection('one').connect('person');
      const reading = core.connection('one').read('a://x', { initiative: 'person' });
      await assert.rejects(reading, /too large: more than the 256 MiB/);
    } finally {
      await core.end();
      server.closeAllConnections();
      server.close();
    }
  });
});
