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

  it('masks arguments that are named like secrets, and values as messages and addresses write them', () => {
    const secrets = new Secrets();
    const args = [
      '--api-key',
      'key-5678',
      '--token=tok "en"',
      '--verbose',
      '--port',
      '12345678',
      '--no-auth',
      '--x-y-z',
    ];
    secrets.learn({ type: 'stdio', command: 'x', args, env: { MY_SECRET: 'a b/c d' } });
    assert.equal(secrets.mask('key-5678 12345678 --verbose --x-y-z'), '•••••• 12345678 --verbose --x-y-z');
    assert.equal(secrets.mask(JSON.stringify({ text: 'tok "en"' })), '{"text":"••••••"}');
    assert.equal(secrets.mask(`?a=${encodeURIComponent('a b/c d')}`), '?a=••••••');
  });

  it('shortens a trace after it was masked', () => {
    const secrets = new Secrets();
    secrets.add('a-long-secret');
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const log = secrets.masking({ trace: write, debug: write, info: write, warn: write, error: write });
    log.trace(`${'x'.repeat(19_990)}a-long-secret${'y'.repeat(100)}`);
    assert.match(lines[0]!, /x•{6}y+… \(20,096 characters\)$/);
  });

  it('tells headers that hold a credential from others', () => {
    assert.ok(holdCredential({ Authorization: 'x' }) && holdCredential({ 'X-Api-Key': 'x' }));
    assert.ok(!holdCredential({}) && !holdCredential({ 'x-team': 'blue', accept: 'text/plain' }));
  });
});
