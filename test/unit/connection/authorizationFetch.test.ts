import assert from 'node:assert/strict';
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

  it('lets a server of this machine name an authorization server of this machine', async () => {
    // The port is free: it is the connection that fails, not the check.
    await assert.rejects(
      authorizationFetch('http://127.0.0.1:1/mcp')('http://localhost:9/token'),
      /Nothing answers at http:\/\/localhost:9/,
    );
  });
});
