import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorizationFetch } from '../../../src/connection/authorizationFetch';

describe('authorizationFetch', () => {
  const refused: [string, string][] = [
    ['https://mcp.example/mcp', 'http://auth.example/token'],
    ['https://mcp.example/mcp', 'http://127.0.0.1:1/latest/meta-data'],
    ['https://mcp.example/mcp', 'https://localhost:1/'],
    ['https://mcp.example/mcp', 'http://[::1]:1/'],
    ['https://mcp.example/mcp', 'http://169.254.169.254/latest/meta-data'],
    ['http://127.0.0.1:1/mcp', 'http://auth.example/token'],
    ['https://mcp.example/mcp', 'https://user:word@auth.example/token'],
    ['https://mcp.example/mcp', 'file:///etc/passwd'],
  ];
  for (const [server, address] of refused) {
    it(`asks nothing of ${address} for ${server}`, async () => {
      await assert.rejects(authorizationFetch(server)(address), /names an address for signing in that is not secure/);
    });
  }

  it('breaks off an answer without an end', async () => {
    const server = createServer((_request, response) => {
      const more = (): void => void response.write(' '.repeat(64 * 1024), (error) => !error && more());
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const answer = await authorizationFetch(address)(address);
      await assert.rejects(answer.json(), /too large: more than the 1 MiB/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('lets a server of this machine name an authorization server of this machine', async () => {
    // The port is free: it is the connection that fails, not the check.
    await assert.rejects(
      authorizationFetch('http://127.0.0.1:1/mcp')('http://localhost:9/token'),
      /Nothing answers at http:\/\/localhost:9/,
    );
  });
});
