import { posix } from 'node:path';
import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { ChatAttachments } from '../chat/chatAttachments';
import { contextText } from '../chat/contextText';
import type { ResourceRef } from '../connection/connectionPool';
import type { Changes } from '../content/changes';
import { allPartsName } from '../content/resourceContent';
import { lastSeenName } from '../filesystem/resourceFileSystem';
import type { DocumentTarget, ResourceDocuments } from '../filesystem/resourceDocuments';
import { commandIds } from '../ids';
import { labelOf } from '../catalog/labelOf';
import type { TreeNode } from '../tree/nodes';
import type { ServersView } from '../tree/serversView';
import { inertLine } from '../ui/plainText';
import { activeDocument } from './activeDocument';
import { chooseServer } from './chooseServer';
import { resourceOfEditorLink } from './editorLinks';
import { ActionableError, type CommandRegistry } from './commandRegistry';
import { openInstance, type TemplateServices } from './openTemplate';
import { openPart, openResource, readFailure } from './openResource';
import type { RecentResources } from './recentResources';
import { markdownLinkTo } from './resourceLinks';
import { saveResources } from './saveResources';
import { withProgress } from './withProgress';

export interface ResourceServices extends TemplateServices {
  readonly chat: ChatAttachments;
  readonly changes: Changes;
  readonly recent: RecentResources;
}

/** Open, attach, refresh, save, copy and reveal. */
export function addResourceCommands(registry: CommandRegistry, services: ResourceServices): void {
  const { documents, view } = services;

  registry.add(commandIds.open, async (node: TreeNode | ResourceRef) => {
    if (!('kind' in node)) {
      // From a link in a document of ours.
      await openResource(node, services);
    } else if (node.kind === 'resource' && node.filled) {
      await openInstance(node.filled.instance, services, node.filled.instance);
    } else if (node.kind === 'resource') {
      await openResource(refOf(node), services);
      await services.recent.use(refOf(node));
    } else if (node.kind === 'part') {
      await openPart(refOf(node.resource), node.name, services);
    }
  });

  registry.add(commandIds.openByUri, async (link?: unknown) => {
    const linked = typeof link === 'string' ? resourceOfEditorLink(link, services) : undefined;
    if (linked) {
      await openResource(linked, services, { preview: false });
      return;
    }
    const connection = await chooseServer(services.pool, undefined, () => true);
    const uri =
      connection &&
      (await vscode.window.showInputBox({
        title: vscode.l10n.t('Open a resource of server "{0}"', inertLine(connection.id)),
        prompt: vscode.l10n.t('The URI goes to the server exactly as it is written here.'),
        placeHolder: 'scheme://path',
        validateInput: (value) => (value === '' ? vscode.l10n.t('A URI is needed.') : undefined),
      }));
    if (connection && uri) {
      const ref = resourceOfEditorLink(uri, services) ?? { serverId: connection.id, uri };
      await openResource(ref, services, { preview: false });
    }
  });

  registry.add(commandIds.attach, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    const targets = chosenNodes(node, selected, view).flatMap(targetsOf);
    await attach(targets, services);
  });

  registry.add(commandIds.attachActive, async (document?: unknown) => {
    await attach([activeTarget(documents, document)], services);
  });

  registry.add(commandIds.refresh, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    for (const each of chosenNodes(node, selected, view)) {
      if (each.kind === 'server') {
        await services.catalog.of(services.pool.require(each.connection.id))?.reload();
      } else if (each.kind === 'resource') {
        await refreshResource(refOf(each), services);
      }
    }
  });

  registry.add(commandIds.listAgain, async (node: TreeNode) => {
    if (node.kind === 'resource') {
      await services.catalog.of(services.pool.require(node.server.connection.id))?.reload();
    }
  });

  registry.add(commandIds.refreshActive, async () => {
    await refreshResource(activeTarget(documents).ref, services);
  });

  registry.add(commandIds.refreshAll, async () => {
    const connected = services.pool.all.filter(({ state }) => state.kind === 'connected');
    await Promise.all(connected.map(async (connection) => services.catalog.of(connection)?.reload()));
  });

  registry.add(commandIds.saveAs, async (node?: TreeNode | vscode.Uri, selected?: readonly TreeNode[]) => {
    const targets =
      node === undefined || node instanceof vscode.Uri
        ? [activeTarget(documents, node)]
        : chosenNodes(node, selected, view).flatMap(targetsOf);
    await saveResources(targets, services);
  });

  registry.add(commandIds.showChanges, async (node?: TreeNode) => {
    const ref = node?.kind === 'resource' ? refOf(node) : activeTarget(documents).ref;
    await showChanges(ref, services);
  });

  registry.add(commandIds.copyUri, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    await copy(chosenNodes(node, selected, view).flatMap(uriTextsOf));
  });

  registry.add(commandIds.copyLink, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    const resources = chosenNodes(node, selected, view).filter((each) => each.kind === 'resource');
    await copy(resources.map((each) => markdownLinkTo(refOf(each), labelOf(each.entry))));
  });

  registry.add(commandIds.revealActive, async () => {
    await view.revealResource(activeTarget(documents).ref);
  });
}

async function refreshResource(ref: ResourceRef, services: ResourceServices): Promise<void> {
  try {
    await withProgress(vscode.l10n.t('Reading {0}', inertLine(ref.uri, 80)), 'notification', (signal, onProgress) =>
      services.content.read(ref, { purpose: 'refresh', initiative: 'person', onProgress, signal }),
    );
  } catch (error) {
    throw readFailure(ref, error, () => refreshResource(ref, services));
  }
}

/** A diff between what was seen last and what the server says now. */
async function showChanges(ref: ResourceRef, { changes, content, documents }: ResourceServices): Promise<void> {
  const now = await content.read(ref, { purpose: 'open', initiative: 'person' });
  const before = changes.before(ref);
  if (!before || before === now.content) {
    throw new ActionableError(vscode.l10n.t('{0} has not changed since you first saw it.', inertLine(ref.uri)), {
      mild: true,
    });
  }
  const uri = now.content.shape === 'directory' ? documents.childUriOf(ref, allPartsName) : documents.uriOf(ref);
  const left = documents.childUriOf(ref, `${lastSeenName}${posix.extname(uri.path)}`);
  await vscode.commands.executeCommand(
    'vscode.diff',
    left,
    uri,
    vscode.l10n.t('{0}: last seen ↔ now', posix.basename(uri.path)),
  );
}

/** Attaches documents and tells what did not arrive, with its text on the clipboard as the other way. */
async function attach(wanted: readonly DocumentTarget[], services: ResourceServices): Promise<void> {
  const { chat, content, documents } = services;
  const targets = await withoutRefused(wanted, services);
  if (targets.length === 0) {
    return;
  }
  const { unconfirmed } = await withProgress(vscode.l10n.t('Attaching to chat'), 'status', async () =>
    chat.attach(await Promise.all(targets.map((target) => attachableUri(target, services)))),
  );
  if (unconfirmed.length === 0) {
    return;
  }
  const lines = unconfirmed.map(({ uri, reason }) => {
    const ref = documents.resourceOf(uri);
    return `${inertLine(ref?.uri ?? uri.toString(), 100)} (${inertLine(reason)})`;
  });
  const readable = unconfirmed.flatMap(({ uri }) => {
    const ref = documents.resourceOf(uri);
    const snapshot = ref && content.peek(ref);
    return ref && snapshot?.content.isText ? [contextText(ref, snapshot)] : [];
  });
  const copyText = vscode.l10n.t('Copy as Text');
  const message = vscode.l10n.t('Not attached, as far as can be told: {0}', lines.join('; '));
  // The message stays until it is answered; the command does not wait for it.
  void vscode.window
    .showWarningMessage(message, ...(readable.length > 0 ? [copyText] : []))
    .then(async (chosen) => (chosen === copyText ? copy(readable) : undefined));
}

/** What its server means for the user alone goes to a model only after a yes (specification: server/resources, annotations). */
async function withoutRefused(
  targets: readonly DocumentTarget[],
  { catalog, instances }: TemplateServices,
): Promise<readonly DocumentTarget[]> {
  const isForUser = ({ ref }: DocumentTarget): boolean => {
    const instance = instances.find(ref);
    const entry = catalog.entryOf(ref) ?? (instance && catalog.templateOf(instance));
    const audience = entry?.annotations?.audience ?? [];
    return audience.includes('user') && !audience.includes('assistant');
  };
  const doubtful = targets.filter(isForUser);
  if (doubtful.length === 0) {
    return targets;
  }
  const all = vscode.l10n.t('Attach All the Same');
  const others = vscode.l10n.t('Attach the Others');
  const names = doubtful.map(({ ref }) => inertLine(ref.uri, 100)).slice(0, 10);
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Meant for the user, not for the assistant: {0}. Attach to the chat?', names.join(', ')),
    { modal: true },
    ...(doubtful.length < targets.length ? [all, others] : [all]),
  );
  return chosen === all ? targets : chosen === others ? targets.filter((target) => !isForUser(target)) : [];
}

/** A directory goes to chat as the one document that shows all its parts. What cannot be read is told later. */
async function attachableUri({ ref, child }: DocumentTarget, services: ResourceServices): Promise<vscode.Uri> {
  const { content, documents } = services;
  if (child !== undefined) {
    return documents.childUriOf(ref, child);
  }
  const snapshot = await content.read(ref, { purpose: 'open', initiative: 'person' }).catch(() => undefined);
  return snapshot?.content.shape === 'directory' ? documents.childUriOf(ref, allPartsName) : documents.uriOf(ref);
}

function activeTarget(documents: ResourceDocuments, document: unknown = activeDocument()): DocumentTarget {
  const target = document instanceof vscode.Uri ? documents.targetOf(document) : undefined;
  if (!target) {
    throw new HumanError(vscode.l10n.t('Open a resource first: the active editor shows none.'));
  }
  return target;
}

async function copy(texts: readonly string[]): Promise<void> {
  if (texts.length > 0) {
    await vscode.env.clipboard.writeText(texts.join('\n'));
  }
}

/** The nodes that a command is meant for: the whole selection where the clicked node is part of it. */
export function chosenNodes(
  node: TreeNode,
  selected: readonly TreeNode[] | undefined,
  view: ServersView,
): readonly TreeNode[] {
  if (selected?.length) {
    return selected;
  }
  return view.selection.includes(node) ? view.selection : [node];
}

function refOf({ server, entry }: TreeNode & { kind: 'resource' }): ResourceRef {
  return { serverId: server.connection.id, uri: entry.uri };
}

function targetsOf(node: TreeNode): readonly DocumentTarget[] {
  switch (node.kind) {
    case 'resource':
      return [{ ref: refOf(node) }];
    case 'part':
      return [{ ref: refOf(node.resource), child: node.name }];
    default:
      return [];
  }
}

function uriTextsOf(node: TreeNode): readonly string[] {
  switch (node.kind) {
    case 'resource':
      return [node.entry.uri];
    case 'template':
      return [node.entry.uriTemplate];
    default:
      return [];
  }
}
