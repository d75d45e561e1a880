import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import { within } from '../base/within';
import type { Catalog } from '../catalog/catalog';
import { labelOf } from '../catalog/labelOf';
import type { TemplateInstance, TemplateInstances } from '../catalog/templateInstances';
import { parseTemplate } from '../catalog/uriTemplate';
import type { ConnectionPool, ResourceRef } from '../connection/connectionPool';
import { RequestError } from '../connection/requestFailure';
import type { Snapshot } from '../content/contentEntry';
import type { ServersView } from '../tree/serversView';
import { inertLine } from '../ui/plainText';
import { ActionableError } from './commandRegistry';
import { fillTemplate } from './fillTemplate';
import { openSnapshot, type OpenServices, readForOpening } from './openResource';

export interface TemplateServices extends OpenServices {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly instances: TemplateInstances;
  readonly view: ServersView;
}

/** Longest wait for the lists of templates that a person chooses from. Milliseconds. */
const LIST_WAIT_MS = 2000;

/** A template of a server. */
export interface TemplateRef {
  readonly serverId: string;
  readonly uriTemplate: string;
}

/** What a filled-in template is for. */
interface Purpose {
  /** It takes the place of this one. */
  readonly replaced?: TemplateInstance;
  /** What is done with it, once it could be read; else it is opened. */
  readonly use?: (ref: ResourceRef, snapshot: Snapshot) => Promise<void>;
}

/** Asks for a template's parameters and opens what comes of it, or uses it. What could be read is kept as an instance. */
export async function openTemplate(ref: TemplateRef, services: TemplateServices, use?: Purpose['use']): Promise<void> {
  const before = { ...ref, texts: {}, uri: '' };
  const filled = await fill(before, services);
  if (filled) {
    await openInstance(filled, services, { use });
  }
}

/** Asks for the values of an instance anew; what comes of it takes its place, once it could be read. */
export async function editInstance(instance: TemplateInstance, services: TemplateServices): Promise<void> {
  const filled = await fill(instance, services);
  if (filled) {
    await openInstance(filled, services, { replaced: instance });
  }
}

/** Opens what a filled-in template leads to. Where there is nothing, the exact URI is told and can be changed. */
export async function openInstance(
  instance: TemplateInstance,
  services: TemplateServices,
  purpose: Purpose = {},
): Promise<void> {
  const { serverId, uri } = instance;
  const again = (): Promise<void> => openInstance(instance, services, purpose);
  // Edited again after a failure, it still takes the place of the one that was edited first.
  const edit = async (): Promise<void> => {
    const filled = await fill(instance, services);
    if (filled) {
      await openInstance(filled, services, purpose);
    }
  };
  const snapshot = await readForOpening({ serverId, uri }, services, again).catch((error: unknown) => {
    throw withEdit(error, instance, edit);
  });
  await services.instances.put(instance, purpose.replaced);
  await services.view.showFilled(instance);
  await (purpose.use?.({ serverId, uri }, snapshot) ?? openSnapshot({ serverId, uri }, snapshot, services));
}

/** A template that a person chooses among those of the connected servers; `undefined` when that was dismissed. */
export async function chooseTemplate({ pool, catalog }: TemplateServices): Promise<TemplateRef | undefined> {
  const connected = pool.all.filter(({ state }) => state.kind === 'connected');
  const lists = connected.map(async (connection) => {
    const templates = catalog.of(connection)?.templates;
    // A list that fails is told in the tree, a slow one must not keep the others back: what is known is offered.
    if (templates) {
      await within(templates.load(), LIST_WAIT_MS);
    }
    return (templates?.items ?? []).map((entry) => ({ serverId: connection.id, entry }));
  });
  const usable = (await Promise.all(lists)).flat().filter(({ entry }) => parseTemplate(entry.uriTemplate).ok);
  if (usable.length === 0) {
    throw new HumanError(
      connected.length === 0
        ? vscode.l10n.t('No server is connected. Expand one in the view "MCP Resources".')
        : vscode.l10n.t('No connected server offers a template that can be used.'),
    );
  }
  const picked = await vscode.window.showQuickPick(
    usable.map(({ serverId, entry }) => ({
      label: inertLine(labelOf(entry)),
      description: inertLine(serverId, 60),
      detail: inertLine(entry.uriTemplate),
      ref: { serverId, uriTemplate: entry.uriTemplate },
    })),
    { title: vscode.l10n.t('MCP Resources: choose a template'), matchOnDescription: true, matchOnDetail: true },
  );
  return picked?.ref;
}

/** Asks for the values of an instance; `undefined` where the person gave up. */
async function fill(
  instance: TemplateInstance,
  { pool, catalog }: TemplateServices,
): Promise<TemplateInstance | undefined> {
  const { serverId, uriTemplate } = instance;
  const parsed = parseTemplate(uriTemplate);
  if (!parsed.ok) {
    throw new HumanError(
      vscode.l10n.t('The template {0} cannot be used. {1}', inertLine(uriTemplate), inertLine(parsed.reason)),
    );
  }
  const filled = await fillTemplate({
    label: labelOf(catalog.templateOf(instance) ?? { uriTemplate }),
    template: parsed.template,
    texts: instance.texts,
    completer: catalog.of(pool.require(serverId))?.completer,
  });
  return filled && { ...instance, ...filled };
}

/** The failed read of an instance, with the way to other values. "Not found" shows what the server was asked for. */
function withEdit(error: unknown, { serverId, uri }: TemplateInstance, edit: () => unknown): unknown {
  if (!(error instanceof ActionableError)) {
    return error;
  }
  const { cause, actions = [] } = error.details;
  const editValues = { title: vscode.l10n.t('Edit Values'), run: edit };
  return cause instanceof RequestError && cause.kind === 'notFound'
    ? new ActionableError(
        vscode.l10n.t('The server "{0}" found nothing at {1}', inertLine(serverId, 60), inertLine(uri, 400)),
        { ...error.details, actions: [editValues] },
      )
    : new ActionableError(error.message, { ...error.details, actions: [editValues, ...actions] });
}
