// The sample server: what a newcomer clicks first. A process of its own over stdio, speaking both protocol eras.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createSampleServer } from './sampleServer';

// The end of stdin closes the connection, and nothing else keeps this process alive.
const connection = serveStdio(({ era }) => createSampleServer(era));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void connection.close().finally(() => process.exit(0));
  });
}
