import assert from 'node:assert/strict';
import type { Log } from '../../src/base/log';
import { StdioTransport } from '../../src/connection/stdioTransport';
import { isAlive } from '../server/fixtureFolder';
import { until } from '../until';

describe('a process that is of no use any more', () => {
  const ignore = (): void => undefined;
  const log: Log = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
  const disconnected = { name: 'RequestError', kind: 'disconnected' };

  /** A Node process that runs `program` and then lives on. */
  const start = async (program: string) => {
    const transport = new StdioTransport(
      {
        command: process.execPath,
        args: ['-e', `${program}; setTimeout(() => {}, 60_000)`],
        env: process.env as Record<string, string>,
      },
      log,
      { graces: { stdinMs: 50, termMs: 1000 } },
    );
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    await transport.start();
    return { transport, closed, pid: transport.pid! };
  };

  it('is lost and ended when it closes its output and lives on', async () => {
    const { transport, closed, pid } = await start(`require('node:fs').closeSync(1)`);
    await closed;
    assert.equal(transport.exitReason, 'it closed its standard output');
    await until('the process is gone', () => !isAlive(pid));
    await assert.rejects(transport.send(ping), disconnected);
  });

  it('is lost and ended when it closes its input and lives on', async () => {
    const { transport, closed, pid } = await start(`require('node:fs').closeSync(0)`);
    let failure: unknown;
    await until('a message cannot be sent', () =>
      transport.send(ping).then(
        () => false,
        (error: unknown) => (failure = error),
      ),
    );
    assert.throws(() => {
      throw failure;
    }, disconnected);
    await closed;
    assert.equal(transport.exitReason, 'it closed its standard input');
    await until('the process is gone', () => !isAlive(pid));
  });

  it('says how it ended, where it did end', async () => {
    const { transport, closed } = await start('process.exit(3)');
    await closed;
    assert.equal(transport.exitReason, 'its process exited with code 3');
    await assert.rejects(transport.send(ping), disconnected);
  });
});
