import * as vscode from 'vscode';
import type { McpResourcesApi } from './api';
import { Catalog } from './catalog/catalog';
import { TemplateInstances } from './catalog/templateInstances';
import { chatParts } from './chatParts';
import { activeResource } from './command/activeDocument';
import { addCommands } from './command/addCommands';
import { CommandRegistry } from './command/commandRegistry';
import { RecentResources } from './command/recentResources';
import { LinkHandler } from './command/resourceLinks';
import { ServerDefinitions } from './config/serverDefinitions';
import { ConnectionPool, keyOf, type ResourceRef } from './connection/connectionPool';
import { Changes } from './content/changes';
import { ContentStore } from './content/contentStore';
import { ChangeMarks, visibleResources } from './filesystem/changeMarks';
import { editorHost } from './editorHost';
import { documentFeatures } from './filesystem/documentFeatures';
import { documentScheme } from './filesystem/documentScheme';
import { LastSeen } from './filesystem/lastSeen';
import { OpenDocuments } from './filesystem/openDocuments';
import { Polling } from './filesystem/polling';
import { registerFileSystem } from './filesystem/registerFileSystem';
import { ResourceDocuments } from './filesystem/resourceDocuments';
import { ResourceFileSystem } from './filesystem/resourceFileSystem';
import { publicApi } from './publicApi';
import { SampleDefinition } from './sampleDefinition';
import { serverPlaces } from './serverPlaces';
import { ExpandedNodes } from './tree/expandedNodes';
import { LastSelected } from './tree/lastSelected';
import { ListingChoice } from './tree/listingChoice';
import { ServersView } from './tree/serversView';
import { followContextKeys } from './ui/contextKeys';
import { Logs } from './ui/logs';
import { autoConnectIds, cacheBytes, onDidChangeAutoConnect, pollIntervalMs } from './ui/settings';
import { StatusItem } from './ui/statusItem';

let ending: (() => Promise<void>) | undefined;

/** Builds the chain from configuration to what a person sees. No I/O and no SDK before it returns. */
export function activate(context: vscode.ExtensionContext): McpResourcesApi {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const logs = own(new Logs());
  const places = own(serverPlaces(context));
  const sample = new SampleDefinition(context.extensionPath, context.globalState);
  const definitions = own(new ServerDefinitions({ ...places, log: logs.main, samples: sample.definitions }));

  const parts = editorHost(context, logs.main, (serverId) => logs.of(serverId));
  const { host, variables, consent, refusal, version, reaper } = parts;
  const pool = new ConnectionPool(host);
  const catalog = own(new Catalog(pool));
  const isVisible = (ref: ResourceRef): boolean =>
    visibleResources(documents).some((each) => keyOf(each) === keyOf(ref));
  const content = own(new ContentStore(pool, catalog, { restingBytes: cacheBytes(), isInView: isVisible }));

  const scheme = documentScheme((name) => vscode.workspace.fs.isWritableFileSystem(name));
  const documents = new ResourceDocuments(scheme, catalog, content);
  const open = own(new OpenDocuments(documents, content));
  const changes = own(new Changes({ pool, catalog, content, isVisible }));
  own(new ChangeMarks(documents, changes, open));
  own(new Polling({ pool, content, documents, intervalMs: pollIntervalMs }));
  const lastSeen = own(new LastSeen(documents, logs.main));
  const fileSystem = own(new ResourceFileSystem(documents, content, open, logs.main, lastSeen));
  own(registerFileSystem(scheme, fileSystem));
  logs.main.info(`Documents have the scheme ${scheme}.`);

  const registry = own(new CommandRegistry(logs));
  const onError = (error: unknown): void => void registry.report(error);
  const choice = own(new ListingChoice(context.workspaceState, pool, changes));
  const selected = new LastSelected(context.workspaceState);
  const expanded = own(new ExpandedNodes(context.workspaceState));
  const documentOf = (ref: ResourceRef): vscode.Uri => documents.uriOf(ref);
  const instances = own(new TemplateInstances(context.workspaceState));
  const tools = { exclusion: choice, log: logs.main, refusal };
  const chatting = own(chatParts({ context, pool, catalog, content, documents, fileSystem, tools, onError }));
  const { attached, chat, models, pins, grants } = chatting;
  ending = async () => {
    await Promise.all([pool.end().finally(() => reaper.end()), chatting.end()]);
  };
  const view = own(
    new ServersView({
      pool,
      definitions,
      catalog,
      content,
      changes,
      attached,
      choice,
      expanded,
      selected,
      instances,
      pins,
      documentOf,
      onError,
    }),
  );
  const isListed = (ref: ResourceRef): boolean => catalog.entryOf(ref) !== undefined;
  own(documentFeatures({ documents, content, open, fileSystem, isListed, onError }));
  own(vscode.window.registerUriHandler(new LinkHandler(registry, { pool, content, documents })));
  own(content.onDidChangeFailure(({ ref, error }) => void catalog.relistAfter(ref, error)));
  const recent = new RecentResources(context.workspaceState);
  const sampleServer = sample.withChanges((samples) => definitions.setSamples(samples));
  own(
    addCommands(registry, {
      ...{
        pool,
        catalog,
        content,
        documents,
        changes,
        lastSeen,
        definitions,
        places,
        logs,
        variables,
        consent,
        refusal,
        version,
      },
      ...{ chat, models, pins, grants, view, choice, instances, recent, onError },
      memory: context.workspaceState,
      sample: sampleServer,
    }),
  );
  const active = (): ResourceRef | undefined => activeResource(documents);
  own(new StatusItem({ pool, content, activeResource: active }));
  own(followContextKeys({ pool, definitions, pins, activeResource: active }));

  const autoConnect = (): void => pool.connectIdle(autoConnectIds());
  own(
    definitions.onDidChange(() => {
      pool.update(definitions.definitions);
      autoConnect();
    }),
  );
  own(onDidChangeAutoConnect(autoConnect));
  definitions.start();
  return publicApi({ definitions, pool, catalog, content, documents, instances, chat, models, onError });
}

/** Resolves once all processes and every temporary copy are gone. */
export async function deactivate(): Promise<void> {
  await ending?.();
}
