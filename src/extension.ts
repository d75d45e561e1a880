import * as vscode from 'vscode';
import type { McpResourcesApi } from './api';
import { Catalog } from './catalog/catalog';
import { TemplateInstances } from './catalog/templateInstances';
import { chatParts } from './chatParts';
import { activeResource } from './command/activeDocument';
import { addAttachCommands } from './command/attachCommands';
import { addBrowseCommands } from './command/browseCommands';
import { CommandRegistry } from './command/commandRegistry';
import { addDiagnoseCommands } from './command/diagnoseCommands';
import { addListingCommands } from './command/listingCommands';
import { addPinCommands } from './command/pinCommands';
import { RecentResources } from './command/recentResources';
import { LinkHandler } from './command/resourceLinks';
import { addResourceCommands } from './command/resourceCommands';
import { addSearchCommands } from './command/searchCommands';
import { addServerCommands } from './command/serverCommands';
import { addTemplateCommands } from './command/templateCommands';
import { addToolCommands } from './command/toolCommands';
import { ServerDefinitions } from './config/serverDefinitions';
import { ConnectionPool, keyOf, type ResourceRef } from './connection/connectionPool';
import { Changes } from './content/changes';
import { ContentStore } from './content/contentStore';
import { ChangeMarks, visibleResources } from './filesystem/changeMarks';
import { editorHost } from './editorHost';
import { documentFeatures } from './filesystem/documentFeatures';
import { documentScheme } from './filesystem/documentScheme';
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

  const { host, variables, refusal, version } = editorHost(context, (serverId) => logs.of(serverId));
  const pool = new ConnectionPool(host);
  const catalog = own(new Catalog(pool));
  const content = own(new ContentStore(pool, catalog, { restingBytes: cacheBytes() }));

  const scheme = documentScheme((name) => vscode.workspace.fs.isWritableFileSystem(name));
  const documents = new ResourceDocuments(scheme, catalog, content);
  const open = own(new OpenDocuments(documents, content));
  const isVisible = (ref: ResourceRef): boolean =>
    visibleResources(documents).some((each) => keyOf(each) === keyOf(ref));
  const changes = own(new Changes({ pool, catalog, content, isVisible }));
  own(new ChangeMarks(documents, changes, open));
  own(new Polling({ pool, content, documents, intervalMs: pollIntervalMs }));
  const fileSystem = own(new ResourceFileSystem(documents, content, open, logs.main, (ref) => changes.before(ref)));
  own(registerFileSystem(scheme, fileSystem));
  logs.main.info(`Documents have the scheme ${scheme}.`);

  const registry = own(new CommandRegistry(logs));
  const onError = (error: unknown): void => void registry.report(error);
  const choice = own(new ListingChoice(context.workspaceState, pool, changes));
  const selected = new LastSelected(context.workspaceState);
  const expanded = own(new ExpandedNodes(context.workspaceState));
  const documentOf = (ref: ResourceRef): vscode.Uri => documents.uriOf(ref);
  const instances = own(new TemplateInstances(context.workspaceState));
  const chatting = own(chatParts({ context, pool, catalog, content, documents, fileSystem, onError }));
  const { attached, chat, models, pins } = chatting;
  ending = async () => {
    await Promise.all([pool.end(), chatting.end()]);
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
  own(changes.onDidChange(() => view.count(changes.marks.length)));
  const isListed = (ref: ResourceRef): boolean => catalog.entryOf(ref) !== undefined;
  own(documentFeatures({ documents, content, open, fileSystem, isListed, onError }));
  own(vscode.window.registerUriHandler(new LinkHandler(registry, { pool, content, documents })));
  own(content.onDidChangeFailure(({ ref, error }) => void catalog.relistAfter(ref, error)));
  const recent = new RecentResources(context.workspaceState);
  addResourceCommands(registry, { pool, catalog, content, documents, changes, view, recent, instances });
  addAttachCommands(registry, { pool, catalog, content, documents, chat, models, view, instances });
  own(addBrowseCommands(registry, { pool, catalog, content, documents, recent, choice, instances, view }));
  addTemplateCommands(registry, { pool, catalog, content, documents, instances, view });
  own(addPinCommands(registry, { pins, pool, catalog, instances, documents, view, onError }));
  addListingCommands(registry, { pool, catalog, choice, view });
  own(
    addSearchCommands(registry, { pool, catalog, content, documents, view, memory: context.workspaceState, onError }),
  );
  addDiagnoseCommands(registry, { pool, catalog, choice, view, refusal, version });
  const sampleServer = sample.withChanges((samples) => definitions.setSamples(samples));
  addServerCommands(registry, { pool, logs, variables, places, view, content, documents, sample: sampleServer });
  addToolCommands(registry, definitions, places.tools);
  const active = (): ResourceRef | undefined => activeResource(documents);
  own(new StatusItem({ pool, content, activeResource: active }));
  own(followContextKeys({ pool, definitions, documentIsActive: () => active() !== undefined }));

  const autoConnect = (): void => pool.connectIdle(autoConnectIds());
  own(
    definitions.onDidChange(() => {
      pool.update(definitions.definitions);
      autoConnect();
    }),
  );
  own(onDidChangeAutoConnect(autoConnect));
  definitions.start();
  return publicApi({ definitions, pool, catalog, content, documents, chat });
}

/** Resolves once every server's processes and every temporary copy are gone. */
export async function deactivate(): Promise<void> {
  await ending?.();
}
