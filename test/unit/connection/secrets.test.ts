import assert from 'node:assert/strict';
import { holdCredential, Secrets } from '../../../src/connection/secrets';

describe('Secrets', () => {
  it('masks what came up later beside what is configured', () => {
    const secrets = new Secrets();
    secrets.add('access-1234', undefined, 'short');
    secrets.learn({ type: 'http', url: 'https://h/mcp', headers: { 'x-api-key': 'key-5678' } });
    secrets.add('refresh-9876');
    assert.equal(secrets.mask('access-1234 key-5678 refresh-9876 short'), '•••••• •••••• •••••• short');
  });

  it('tells headers that hold a credential from others', () => {
    assert.ok(holdCredential({ Authorization: 'x' }) && holdCredential({ 'X-Api-Key': 'x' }));
    assert.ok(!holdCredential({}) && !holdCredential({ 'x-team': 'blue', accept: 'text/plain' }));
  });
});
