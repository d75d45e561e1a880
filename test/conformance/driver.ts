// The client of a conformance scenario: our connection layer, a person who says yes to everything, and a browser that
// follows redirects. As a program: the suite starts it with the scenario's address as its last argument.
import type { Client } from '@modelcontextprotocol/client';
import { HumanError, messageOf } from '../../src/base/errors';
import type { McpSession } from '../../src/connection/wire';
import { http, startCore } from '../protocol/core';
import { Person } from '../protocol/signInPerson';

/** What the suite's authorization servers know as the address of a document that describes a client. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** The parts of a session that the driver reaches into: the extension itself calls no tools. */
interface OpenedSession extends McpSession {
  readonly client: Client;
  request<T>(work: Promise<T>): Promise<T>;
}

/**
 * Puts tool calls in the place of reads, for the sessions to come, too: so they go the way of a person's read, with all
 * that a connection does about a refusal. The "URI" is the tool's name, empty for the list of tools.
 */
function readTools(session: McpSession, found: (tools: readonly string[]) => void): void {
  const prototype = Object.getPrototypeOf(session) as object;
  const info = Object.getOwnPropertyDescriptor(prototype, 'info')!;
  Object.defineProperties(prototype, {
    info: {
      get(this: McpSession) {
        return { ...(info.get!.call(this) as McpSession['info']), resources: true };
      },
    },
    read: {
      async value(this: OpenedSession, tool: string) {
        if (tool === '') {
          const { tools } = await this.request(this.client.listTools());
          found(tools.map(({ name }) => name));
        } else {
          await this.request(this.client.callTool({ name: tool, arguments: {} }));
        }
        return { contents: [] };
      },
    },
  });
}

async function main(url: string): Promise<void> {
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context;
  const person = new Person();
  person.metadataUrl = CLIENT_METADATA_URL;
  person.client = context.client_id ? { clientId: context.client_id, clientSecret: context.client_secret } : undefined;
  const core = startCore({ scenario: http(url) }, { signIn: person });
  try {
    const connection = core.connection('scenario');
    let tools: readonly string[] = [];
    readTools(await connection.connect('person'), (names) => (tools = names));
    const ask = (tool: string): Promise<unknown> => connection.read(tool, { initiative: 'person' });
    await ask('');
    for (const tool of tools) {
      await ask(tool);
    }
  } finally {
    console.log(core.lines.join('\n'));
    await core.end();
  }
}

main(process.argv.at(-1)!).catch((error: unknown) => {
  console.error(error instanceof HumanError ? error.message : ((error as Error).stack ?? messageOf(error)));
  process.exitCode = 1;
});
