import assert from 'node:assert/strict';
import { RequestError, requestFailure } from '../../../src/connection/requestFailure';

describe('requestFailure', () => {
  const uri = 'a://x';
  const kindOf = (code: number, message: string, data?: unknown): string => {
    const error = requestFailure({ kind: 'protocol', code, message, data, cause: undefined }, uri, 1000);
    assert.ok(error instanceof RequestError);
    assert.ok(error.message.length > 0);
    return error.kind;
  };

  it('R15: every form of "not found" is one state', () => {
    assert.equal(kindOf(-32002, 'whatever'), 'notFound');
    assert.equal(kindOf(-32602, 'Invalid', { uri }), 'notFound');
    assert.equal(kindOf(-32602, 'MCP error -32602: Resource a://x not found'), 'notFound');
    assert.equal(kindOf(-32602, 'Unknown resource: a://x'), 'notFound');
    assert.equal(kindOf(0, 'Resource does not exist'), 'notFound');
  });

  it('R15: every other code is the server’s error, not a deletion', () => {
    assert.equal(kindOf(-32602, 'Invalid params'), 'server');
    assert.equal(kindOf(-32602, 'not found', { uri: 'b://other' }), 'server');
    assert.equal(kindOf(-32602, 'vault is invalid', {}), 'server');
    assert.equal(kindOf(-32603, 'table not found'), 'server');
    assert.equal(kindOf(-32600, 'not found'), 'server');
    assert.equal(kindOf(-32003, 'unreadable'), 'server');
    assert.equal(kindOf(-32601, 'Method not found'), 'noSuchMethod');
  });

  it('what the transport has classified already stays what it is', () => {
    const lost = new RequestError('disconnected', 'the connection was lost: its process was ended by SIGKILL');
    assert.equal(requestFailure({ kind: 'other', message: lost.message, cause: lost }, uri, 1000), lost);
  });

  it('keeps the server’s own words, without the SDK’s prefix', () => {
    const error = requestFailure(
      { kind: 'protocol', code: -32603, message: 'MCP error -32603: disk on fire', cause: 0 },
      uri,
      1,
    );
    assert.equal(error.message, 'disk on fire');
  });

  it('a server that gives no answer is unreachable, and may be reached later', async () => {
    // The port is never listened on.
    const cause: unknown = await fetch('http://127.0.0.1:1').catch((error: unknown) => error);
    const failure = requestFailure({ kind: 'other', message: 'fetch failed', cause }, undefined, 1000);
    assert.ok(failure instanceof RequestError);
    assert.equal(failure.kind, 'unreachable');
  });
});
