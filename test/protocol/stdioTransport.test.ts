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

  it('a message that cannot be taken in costs none of those that came with it', async () => {
    const messages = [1, 2].map((id) => JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    const { transport } = await start(`process.stdout.write(${JSON.stringify(`${messages.join('\n')}\n`)})`);
    const [taken, errors]: [unknown[], string[]] = [[], []];
    transport.onerror = ({ message }) => errors.push(message);
    transport.onmessage = (message) => {
      if ('id' in message && message.id === 1) {
        throw new RangeError('nested too deeply');
      }
      taken.push(message);
    };
    await until('the second message', () => taken.length === 1);
    assert.deepEqual([taken, errors], [[JSON.parse(messages[1]!)], ['nested too deeply']]);
    await transport.close();
  });

  it('says how it ended, where it did end', async () => {
    const { transport, closed } = await start('process.exit(3)');
    await closed;
    assert.equal(transport.exitReason, 'its process exited with code 3');
    await assert.rejects(transport.send(ping), disconnected);
  });
});
