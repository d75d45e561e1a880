import * as vscode from 'vscode';
import { HumanError, messageOf } from '../base/errors';
import type { KnownSnapshot, Sent, Unattached } from '../chat/chatAttachments';
import { contextText } from '../chat/contextText';
import type { KnownModel } from '../chat/modelWindow';
import { referenceText } from '../chat/referenceText';
import { hasReader } from '../chat/registerTools';
import { keyOf, type ResourceRef } from '../connection/connectionPool';
import type { DocumentTarget } from '../filesystem/resourceDocuments';
import { commandIds } from '../ids';
import type { TreeNode } from '../tree/nodes';
import { formatBytes } from '../ui/byteFormat';
import { tokenWords } from '../ui/tokenWords';
import { activeTarget } from './activeDocument';
import { type AskingServices, attachAsking } from './attachAsking';
import { failureWords, sizeWords } from './attachWords';
import type { CommandRegistry } from './commandRegistry';
import { copyText } from './copyText';
import { chosenNodes, targetsOf } from './nodeTargets';
import { openTemplate, type TemplateServices } from './openTemplate';
import { openResource } from './openResource';
import { saveSnapshot, type SnapshotServices } from './saveSnapshot';
import { sayDone } from './sayDone';
import { withProgress } from './withProgress';

export type AttachServices = TemplateServices & AskingServices & SnapshotServices;

/** Attaching to the chat; for other assistants: copying as text, and saving beside the work. */
export function addAttachCommands(registry: CommandRegistry, services: AttachServices): void {
  const { documents, pool, view } = services;
  const targetsFor = async (node: unknown, selected?: readonly TreeNode[]): Promise<readonly DocumentTarget[]> =>
    node === undefined || node instanceof vscode.Uri
      ? [activeTarget(documents, node)]
      : targetsOf(chosenNodes(node as TreeNode, selected, view), services);

  registry.add(commandIds.attach, async (node: TreeNode, selected?: readonly TreeNode[]) => {
    const nodes = chosenNodes(node, selected, view);
    const targets = await withProgress({ title: vscode.l10n.t('Listing resources'), place: 'notification', pool }, () =>
      targetsOf(nodes, services),
    );
    const templates = nodes.filter((each) => each.kind === 'template');
    for (const { group, entry } of templates) {
      // Which resource it is to be depends on the parameters.
      const template = { serverId: group.server.connection.id, uriTemplate: entry.uriTemplate };
      await openTemplate(template, services, (ref, snapshot) => attach([{ ref }], services, [{ ref, snapshot }]));
    }
    if (targets.length > 0) {
      await attach(targets, services);
    } else if (templates.length === 0) {
      throw new HumanError(vscode.l10n.t('There is nothing to attach here.'));
    }
  });

  registry.add(commandIds.attachActive, async (document?: unknown) => {
    await attach([activeTarget(documents, document)], services);
  });

  registry.add(commandIds.copyAsContext, async (node?: unknown, selected?: readonly TreeNode[]) => {
    const targets = await targetsFor(node, selected);
    await copyAsContext(
      targets.map(({ ref }) => ref),
      services,
    );
  });

  registry.add(commandIds.saveSnapshot, async (node?: unknown, selected?: readonly TreeNode[]) => {
    await saveSnapshot(await targetsFor(node, selected), services);
  });
}

/** Attaches, and tells in one place what became of it. */
async function attach(
  wanted: readonly DocumentTarget[],
  services: AttachServices,
  known: readonly KnownSnapshot[] = [],
): Promise<void> {
  const { documents } = services;
  const targets = wanted.map(({ ref, child }) => {
    const uri = child === undefined ? documents.uriOf(ref) : documents.childUriOf(ref, child);
    return { ref, child, uri };
  });
  // What the person said no to, the person knows.
  const { outcome, failures } = await attachAsking(targets, services, known);
  if (outcome) {
    tellAttached(outcome.sent, outcome.model);
    tellFailures(failures, outcome.sent, services);
  }
}

/** Calm: what went well is said where it disturbs nobody. */
function tellAttached({ arrived, copied }: Sent, model: KnownModel | undefined): void {
  const attached = [...arrived, ...copied];
  if (attached.length === 0) {
    return;
  }
  const words =
    attached.length === 1
      ? vscode.l10n.t('Attached: {0}', sizeWords(attached, model))
      : vscode.l10n.t('{0} attached: {1}', attached.length, sizeWords(attached, model));
  const unseen = vscode.l10n.t(
    'images went as temporary copies, which could not be confirmed: look for them in the chat',
  );
  sayDone('attach', copied.length > 0 ? `${words} (${unseen})` : words);
}

/** One message, with the other way. */
function tellFailures(certain: readonly Unattached[], sent: Sent, services: AttachServices): void {
  const { arrived, copied, unseen } = sent;
  const failures = [...certain, ...unseen];
  if (failures.length === 0) {
    return;
  }
  const { content, documents } = services;
  const refs = failures.flatMap(({ uri }) => documents.resourceOf(uri) ?? []);
  const hasText = (ref: ResourceRef): boolean => content.peek(ref)?.content.parts.some(({ isText }) => isText) === true;
  const [only] = refs.length === 1 ? refs : [];
  const attached = arrived.length + copied.length;
  const copyContext = vscode.l10n.t('Copy as Context');
  const open = vscode.l10n.t('Open');
  const copyReference = vscode.l10n.t('Copy Reference');
  // An image goes by its viewer, or by our tool, which hands it over as an image.
  const images = refs.filter((ref) => content.peek(ref) && !hasText(ref));
  const actions = [
    ...(refs.some(hasText) ? [copyContext] : []),
    ...(only && images.includes(only) ? [open] : []),
    ...(images.length > 0 && hasReader() ? [copyReference] : []),
  ];
  const message = [
    attached > 0 && vscode.l10n.t('{0} of {1} attached', attached, attached + failures.length),
    certain.length > 0 && vscode.l10n.t('Not attached: {0}', failureWords(certain)),
    unseen.length > 0 && vscode.l10n.t('Not attached, as far as can be told: {0}', failureWords(unseen)),
  ]
    .filter(Boolean)
    .join('. ');
  // The message stays until it is answered; the command does not wait for it.
  const act = async (chosen: string | undefined): Promise<void> => {
    if (chosen === copyContext) {
      await copyAsContext(refs.filter(hasText), services);
    } else if (chosen === open && only) {
      await openResource(only, services);
    } else if (chosen === copyReference) {
      await copyText(images.map(referenceText).join('\n'));
    }
  };
  vscode.window
    .showWarningMessage(message, ...actions)
    .then(act)
    .then(undefined, services.onError);
}

/** Whole resources as Markdown with a header and a frame each, for any other assistant. */
async function copyAsContext(refs: readonly ResourceRef[], services: AttachServices): Promise<void> {
  const { catalog, content, documents, models, pool } = services;
  const each = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
  const failures: Unattached[] = [];
  const texts: string[] = [];
  await withProgress(
    { title: vscode.l10n.t('Copying as context'), place: 'notification', pool },
    async (signal, tell) => {
      for (const [done, ref] of each.entries()) {
        tell(vscode.l10n.t('{0} of {1} read', done, each.length));
        try {
          const snapshot = await content.read(ref, { purpose: 'open', initiative: 'person', signal });
          texts.push(contextText(ref, snapshot, catalog.entryOf(ref)?.title));
        } catch (error) {
          signal.throwIfAborted();
          failures.push({ uri: documents.uriOf(ref), reason: messageOf(error) });
        }
      }
    },
  );
  if (texts.length > 0) {
    const text = texts.join('\n');
    await vscode.env.clipboard.writeText(text);
    const { tokens } = await models.count(text);
    const words = vscode.l10n.t('Copied: {0}, {1}', formatBytes(Buffer.byteLength(text)), tokenWords(tokens));
    sayDone('copy', words);
  }
  if (failures.length > 0) {
    throw new HumanError(vscode.l10n.t('Not copied: {0}', failureWords(failures)));
  }
}
