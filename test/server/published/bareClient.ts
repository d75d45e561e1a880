// What a resource says according to the SDK's client alone, on a connection of its own: the yardstick for ours.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { PublishedLaunch } from './published';

export interface BareClient {
  uris(): Promise<string[]>;
  /** The bytes of the only item: a text as UTF-8, a blob decoded. Rejects with the server's own words. */
  read(uri: string): Promise<BareContent>;
  close(): Promise<void>;
}

export interface BareContent {
  bytes: Buffer;
  isText: boolean;
}

/** Starts a process of its own for a launch; connects to an address. */
export async function bareClient(server: PublishedLaunch | { url: string }): Promise<BareClient> {
  const client = new Client({ name: 'bare', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const transport =
    'url' in server
      ? new StreamableHTTPClientTransport(new URL(server.url))
      : new StdioClientTransport({ ...server, stderr: 'ignore' });
  await client.connect(transport);
  return {
    uris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => {
      const { contents } = await client.readResource({ uri }, { cacheMode: 'bypass' });
      const [item] = contents;
      if (item === undefined || contents.length > 1) throw new Error(`${uri} has ${contents.length} items, not one.`);
      return 'text' in item
        ? { bytes: Buffer.from(item.text, 'utf8'), isText: true }
        : { bytes: Buffer.from(item.blob, 'base64'), isText: false };
    },
    close: () => client.close(),
  };
}
