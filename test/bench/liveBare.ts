import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { environment } from './benchWindow';
import { now } from './clock';
import { type Lane, resourceUri } from './liveLanes';
import { announcementOf } from './liveSources';

/** Hears when the SDK's client, told of an update, has read what the resource says now. */
type ReadListener = (text: string, at: number) => void;

/** The SDK's client alone: reads at each notification, and does no more. */
export interface BareFollower {
  readonly uri: string;
  listener: ReadListener | undefined;
  close(): Promise<void>;
}

export async function bareFollower(lane: Lane): Promise<BareFollower> {
  const uri = resourceUri(lane, 'steady');
  const { transport, era } = lane.wire!;
  const client = new Client(
    { name: 'bare', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const follower: BareFollower = { uri, listener: undefined, close: () => client.close() };
  client.setNotificationHandler('notifications/resources/updated', async ({ params }) => {
    const { contents } = await client.readResource({ uri: params.uri }, { cacheMode: 'bypass' });
    const at = now();
    const [item] = contents;
    if (item && 'text' in item) follower.listener?.(item.text, at);
  });
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL((await announcementOf(lane)).url ?? ''))
      : new StdioClientTransport({
          command: process.execPath,
          args: (JSON.parse(environment('STDIO')) as Record<string, string[]>)[lane.name],
          env: { ...(process.env as Record<string, string>), ELECTRON_RUN_AS_NODE: '1' },
          stderr: 'ignore',
        }),
  );
  if (era === 'legacy') await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: [uri] });
  return follower;
}
