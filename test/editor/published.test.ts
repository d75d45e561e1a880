import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { McpResource, McpResourcesApi } from '../../src/api';
import { type BareClient, bareClient } from '../server/published/bareClient';
import { publishedHome, type PublishedLaunch, publishedServer, publishedServers } from '../server/published/published';
import { proxyEndpoint } from '../server/published/publishedEndpoint';
import { until } from '../until';
import { Cleanup, configure, freshId, textOf } from './ours';

describe('published servers: the bytes that a bare SDK client reads', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  for (const { name, readable } of publishedServers) {
    if (readable) {
      it(name, async () => {
        const both = await begin(name, launchOf(name), launchOf(name));
        await sameUris(both, publishedServer(name).resources);
        await sameBytes(both);
        await sameMissing(both);
      });
    } else {
      it(`${name}: its reads fail, in its own words, and open no tab`, async () => {
        const both = await begin(name, launchOf(name), launchOf(name));
        await sameUris(both, publishedServer(name).resources);
        await sameFailures(both);
      });
    }
  }

  for (const name of ['memory', 'everything']) {
    it(`${name} behind mcp-proxy, by the protocol of 2026-07-28`, async () => {
      const { url } = cleanup.add(await proxyEndpoint(cleanup.add(publishedHome()), name));
      const both = await begin(name, { type: 'http', url }, { url });
      const { era, protocolVersion } = both.api.servers().find(({ id }) => id === both.id) ?? {};
      assert.deepEqual({ era, protocolVersion }, { era: 'modern', protocolVersion: '2026-07-28' });
      await sameUris(both, publishedServer(name).resources);
      await sameBytes(both);
    });
  }

  /** A process, home and copy of the data for each who asks. */
  const launchOf = (name: string): PublishedLaunch => cleanup.add(publishedHome()).launch(name);

  const begin = async (name: string, entry: object, bareServer: PublishedLaunch | { url: string }): Promise<Both> => {
    const id = freshId();
    const [bare, api] = await Promise.all([bareClient(bareServer), configure({ [id]: { ...entry } })]);
    cleanup.add({ stop: () => bare.close() });
    await api.connect(id);
    return { name, id, api, bare, listed: await api.resources(id) };
  };
});

/** A server as we and as the bare client see it. */
interface Both {
  readonly name: string;
  readonly id: string;
  readonly api: McpResourcesApi;
  readonly bare: BareClient;
  readonly listed: readonly McpResource[];
}

async function sameUris({ listed, bare }: Both, count: number): Promise<void> {
  const uris = listed.map(({ uri }) => uri);
  assert.deepEqual(uris, await bare.uris());
  assert.equal(uris.length, count);
}

/** Every resource as a document, and the first text in an editor. */
async function sameBytes({ id, api, bare, listed }: Both): Promise<void> {
  let shown = false;
  for (const { uri } of listed) {
    const { bytes, isText } = await bare.read(uri);
    const ours = await vscode.workspace.fs.readFile(api.documentUri(id, uri));
    assert.deepEqual(Buffer.from(ours), bytes, uri);
    if (isText && !shown) {
      assert.equal(await shownText(api, id, uri), bytes.toString('utf8'));
      shown = true;
    }
  }
  assert.ok(shown, 'a text was shown in an editor');
}

/** Codes that the protocol lets mean "not found", with words that say so; whatever else is the server's own error. */
const missingWords = /not found|unknown|does not exist|no such/i;

/** A resource that the server does not know behaves as one of the fixtures: an error in its words, and no tab. */
async function sameMissing({ id, name, api, bare }: Both): Promise<void> {
  const uri = `${name}-test://no/such/resource`;
  const words = await bare.read(uri).then(
    () => undefined,
    (error: unknown) => (error as Error).message.replace(/^MCP error -?\d+: /, ''),
  );
  assert.ok(words !== undefined, `${name} refuses what it does not know`);
  const { missing } = publishedServer(name);
  const notFound = missing === -32002 || (missing === -32602 && missingWords.test(words));
  await assert.rejects(textOf(api.documentUri(id, uri)), (error: vscode.FileSystemError) => {
    assert.equal(error.code, notFound ? 'FileNotFound' : 'Unavailable', error.message);
    assert.ok(error.message.includes(words), `“${words}” is not in “${error.message}”`);
    return true;
  });
  const node = { kind: 'resource', server: { kind: 'server', connection: { id } }, entry: { uri, name: 'none' } };
  await vscode.commands.executeCommand('mcpResources.open', node);
  assert.ok(
    vscode.window.tabGroups.all.every(({ tabs }) => tabs.every(({ label }) => !label.includes('resource'))),
    'no tab opens',
  );
}

/** Opens a resource as a person does and gives the text in its editor, under whichever name the document has by then. */
async function shownText(api: McpResourcesApi, id: string, uri: string): Promise<string> {
  await vscode.commands.executeCommand('vscode.open', api.documentUri(id, uri));
  const document = await until(`the editor of ${uri}`, () => {
    const active = vscode.window.activeTextEditor?.document;
    const ref = active && api.resourceOf(active.uri);
    return ref?.serverId === id && ref.uri === uri ? active : null;
  });
  return document.getText();
}

async function sameFailures({ id, api, bare, listed }: Both): Promise<void> {
  for (const resource of listed) {
    const words = await bare.read(resource.uri).then(
      () => assert.fail(`${resource.uri} could be read`),
      (error: unknown) => (error as Error).message.replace(/^MCP error -?\d+: /, ''),
    );
    await assert.rejects(textOf(api.documentUri(id, resource.uri)), (error: vscode.FileSystemError) => {
      assert.ok(error instanceof vscode.FileSystemError);
      assert.ok(error.message.includes(words), `“${words}” is not in “${error.message}”`);
      return true;
    });
    const node = { kind: 'resource', server: { kind: 'server', connection: { id } }, entry: resource };
    await vscode.commands.executeCommand('mcpResources.open', node);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0, 'no tab opens');
  }
}
