import assert from 'node:assert/strict';
import { RequestError } from '../../../src/connection/requestFailure';
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

  it('masks what arguments hold of headers, variables and addresses, as bridges and containers are given them', () => {
    const secrets = new Secrets();
    const args = [
      ...['mcp-remote', 'https://h/mcp?api_key=query-5678', '--header', 'Authorization: Bearer header-5678'],
      ...['-H', 'X-Api-Key:header-9876', 'run', '-e', 'GITHUB_TOKEN=variable-5678', '--env=MY_SECRET=variable-9876'],
      ...['-eOTHER_KEY=variable-1234', 'postgres://me:word-5678@h/db', '--log-level=verbose', '-v', '/data:/data'],
    ];
    secrets.learn({
      type: 'stdio',
      command: 'x',
      args,
      env: {
        DATABASE_URL: 'postgres://me:word-9876@h/db',
        A: 'plain',
        MCP_HEADERS: '{"Authorization": "Bearer json-5678", "Some-Version": "2022-06-28"}',
        ODD: 'postgres://me:100%@h/db',
      },
    });
    const open = 'mcp-remote verbose /data:/data https://h/mcp plain postgres:// header: authorization 2022-06-28';
    assert.equal(secrets.mask(open), open);
    const found = [...JSON.stringify(args).matchAll(/(query|header|variable|word)-\d+/g), ['word-9876'], ['json-5678']];
    assert.equal(found.length, 9);
    for (const [secret] of found) {
      assert.equal(secrets.mask(`said ${secret} here`), 'said •••••• here');
    }
  });

  it('masks a value as a form writes it', () => {
    const secrets = new Secrets();
    secrets.add("it's (a) ~secret!");
    const form = new URLSearchParams({ code: "it's (a) ~secret!" }).toString();
    assert.equal(secrets.mask(form), 'code=••••••');
  });

  it('shortens what is very long, in the log and in errors, after it was masked', () => {
    const secrets = new Secrets();
    secrets.add('a-long-secret');
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const log = secrets.masking({ trace: write, debug: write, info: write, warn: write, error: write });
    const words = `${'x'.repeat(1990)}a-long-secret${'y'.repeat(3_000_000)}`;
    log.info(words);
    log.error(words);
    const error = secrets.maskError(new RequestError('notFound', words, -32002)) as RequestError;
    assert.deepEqual([error.kind, error.code], ['notFound', -32002]);
    for (const text of [...lines, error.message]) {
      assert.match(text, /^x{1990}•/);
      assert.ok(text.length < 20_100, `${text.length}`);
    }
    assert.ok(error.message.length < 2100);
  });

  it('masks no folder and no desktop by which the system names its session', () => {
    const secrets = new Secrets();
    const env = { PWD: '/srv/work', OLDPWD: '/home/me', DESKTOP_SESSION: 'ubuntu', SSH_AUTH_SOCK: '/run/me/agent' };
    secrets.learn({ type: 'stdio', command: 'x', args: [], env: { ...env, DB_PWD: 'a-password' } });
    const path = '/srv/work/bin:/home/me/bin:/run/me/agent ubuntu';
    assert.equal(secrets.mask(`${path} a-password`), `${path} ••••••`);
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
