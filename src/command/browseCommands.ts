import * as vscode from 'vscode';
import { DisposableSlot } from '../base/lifecycle';
import { type IndexedEntry, ResourceIndex } from '../catalog/resourceIndex';
import type { ConnectionPool } from '../connection/connectionPool';
import { commandIds, contextKeys } from '../ids';
import type { ListingChoice } from '../tree/listingChoice';
import type { TreeNode } from '../tree/nodes';
import { type BrowseAction, BrowsePicker } from './browsePicker';
import { ActionableError, type CommandRegistry } from './commandRegistry';
import { openResource } from './openResource';
import { openTemplate, type TemplateServices } from './openTemplate';
import type { RecentResources } from './recentResources';

interface BrowseServices extends TemplateServices {
  readonly choice: ListingChoice;
  readonly recent: RecentResources;
}

/** A picker over the resources of all connected servers, and what can be done in it by keys. */
export function addBrowseCommands(registry: CommandRegistry, services: BrowseServices): vscode.Disposable {
  const { pool, catalog, choice, instances, recent } = services;
  const index = new ResourceIndex({
    ...{ pool, catalog, instances },
    ...{ recencyOf: (serverId) => recent.of(serverId), exclusion: choice },
  });
  const slot = new DisposableSlot<BrowsePicker>();
  const onError = (error: unknown): void => void registry.report(error);
  const setOpen = (open: boolean): void =>
    void vscode.commands.executeCommand('setContext', contextKeys.browsing, open);

  const onAction = (action: BrowseAction, entries: readonly IndexedEntry[]): void => {
    slot.value?.hide();
    act(action, entries, services).catch(onError);
  };
  const onHide = (): void => {
    slot.value = undefined;
    setOpen(false);
  };

  registry.add(commandIds.browse, () => {
    if (slot.value) {
      slot.value.toggleSeveral();
      return;
    }
    if (pool.all.length === 0) {
      throw new ActionableError(vscode.l10n.t('No MCP servers are configured.'), {
        mild: true,
        actions: [
          {
            title: vscode.l10n.t('Add Server…'),
            run: () => vscode.commands.executeCommand(commandIds.addServer),
          },
        ],
      });
    }
    setOpen(true);
    slot.value = new BrowsePicker({ pool, catalog, index, onAction, onError, onHide });
  });
  registry.add(commandIds.browseSelect, () => slot.value?.toggleActive());
  registry.add(commandIds.browseAttach, () => slot.value?.actOnActive('attach'));
  registry.add(commandIds.browseToSide, () => slot.value?.actOnActive('side'));
  registry.add(commandIds.browseCopyUri, () => slot.value?.actOnActive('copy'));
  return slot;
}

/** Does with entries what the tree does with their nodes. */
async function act(action: BrowseAction, entries: readonly IndexedEntry[], services: BrowseServices): Promise<void> {
  const nodes = entries.map((entry) => nodeOf(entry, services.pool));
  const use = (work: PromiseLike<unknown>): Promise<unknown> =>
    // They count as used at once; keeping that holds nothing up.
    Promise.all([services.recent.use(...entries.map(({ ref }) => ref)), work]);
  switch (action) {
    case 'copy':
      await vscode.commands.executeCommand(commandIds.copyUri, nodes[0], nodes);
      return;
    case 'attach':
      await use(vscode.commands.executeCommand(commandIds.attach, nodes[0], nodes));
      return;
    case 'open':
    case 'side':
      await use(open(entries, services, action === 'side' ? { viewColumn: vscode.ViewColumn.Beside } : undefined));
  }
}

async function open(
  entries: readonly IndexedEntry[],
  services: BrowseServices,
  options: vscode.TextDocumentShowOptions | undefined,
): Promise<void> {
  for (const { ref, found } of entries) {
    if (found.kind === 'template') {
      await openTemplate({ serverId: ref.serverId, uriTemplate: ref.uri }, services);
    } else {
      await openResource(ref, services, options);
    }
  }
}

function nodeOf({ ref, found }: IndexedEntry, pool: ConnectionPool): TreeNode {
  const server = { kind: 'server', connection: pool.require(ref.serverId) } as const;
  return found.kind === 'template'
    ? { kind: 'template', group: { kind: 'templateGroup', server }, entry: found.entry }
    : { kind: 'resource', server, parent: server, entry: found.entry, ambiguous: false };
}
