import * as vscode from 'vscode';
import { addAgentCommands } from './agentCommands';
import { addAttachCommands } from './attachCommands';
import { addBrowseCommands } from './browseCommands';
import type { CommandRegistry } from './commandRegistry';
import { addDiagnoseCommands } from './diagnoseCommands';
import { EditorLinkProvider } from './editorLinkProvider';
import { addListingCommands } from './listingCommands';
import { addPinCommands } from './pinCommands';
import { addResourceCommands } from './resourceCommands';
import { addSearchCommands } from './searchCommands';
import { addServerCommands } from './serverCommands';
import { addTemplateCommands } from './templateCommands';
import { addToolCommands } from './toolCommands';

type Needs<Add extends (registry: CommandRegistry, services: never) => unknown> = Parameters<Add>[1];

/** What all commands together work on. */
export type CommandServices = Needs<typeof addAgentCommands> &
  Needs<typeof addAttachCommands> &
  Needs<typeof addBrowseCommands> &
  Needs<typeof addDiagnoseCommands> &
  Needs<typeof addListingCommands> &
  Needs<typeof addPinCommands> &
  Needs<typeof addResourceCommands> &
  Needs<typeof addSearchCommands> &
  Needs<typeof addServerCommands> &
  Needs<typeof addTemplateCommands> & {
    readonly definitions: Parameters<typeof addToolCommands>[1];
    readonly places: { readonly tools: Parameters<typeof addToolCommands>[2] };
  };

/** Adds everything that a person can ask for. */
export function addCommands(registry: CommandRegistry, services: CommandServices): vscode.Disposable {
  addResourceCommands(registry, services);
  addAttachCommands(registry, services);
  addAgentCommands(registry, services);
  addTemplateCommands(registry, services);
  addListingCommands(registry, services);
  addDiagnoseCommands(registry, services);
  addServerCommands(registry, services);
  addToolCommands(registry, services.definitions, services.places.tools);
  const { documents, pool } = services;
  const editorLinks = new EditorLinkProvider(pool, (uri) => documents.resourceOf(uri) !== undefined);
  return vscode.Disposable.from(
    vscode.languages.registerDocumentLinkProvider({ pattern: '**' }, editorLinks),
    addBrowseCommands(registry, services),
    addPinCommands(registry, services),
    addSearchCommands(registry, services),
  );
}
