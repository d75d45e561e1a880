import * as vscode from 'vscode';
import { type AttachParts, attachParts } from './attachParts';
import { DisposableStore } from './base/lifecycle';
import type { Catalog } from './catalog/catalog';
import { textOf } from './chat/contextText';
import { LastModel } from './chat/lastModel';
import { McpParticipant } from './chat/participant';
import { Pins } from './chat/pins';
import { estimateTokens } from './chat/tokenEstimate';
import type { ConnectionPool } from './connection/connectionPool';
import type { ContentStore } from './content/contentStore';
import type { ResourceContent } from './content/resourceContent';
import type { ResourceDocuments } from './filesystem/resourceDocuments';
import type { ResourceFileSystem } from './filesystem/resourceFileSystem';

interface Surroundings {
  readonly context: vscode.ExtensionContext;
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
  readonly fileSystem: ResourceFileSystem;
  onError(this: void, error: unknown): void;
}

/** What brings resources to a model: attaching, pins and the participant `@mcp`. */
export interface ChatParts extends AttachParts {
  readonly pins: Pins;
}

export function chatParts(around: Surroundings): ChatParts {
  const { context, pool, catalog, content, documents, fileSystem, onError } = around;
  const store = new DisposableStore();
  const lastModel = new LastModel();
  const attaching = store.add(
    attachParts({ context, pool, content, documents, fileSystem, lastModel: () => lastModel.value, onError }),
  );
  const { attached } = attaching;
  const pins = store.add(new Pins({ storage: context.workspaceState, pool, content, attached, tokensOf }));
  const icon = vscode.Uri.joinPath(context.extensionUri, 'media/icon.png');
  store.add(new McpParticipant({ pool, catalog, content, documents, pins, lastModel, icon, onError }));
  return { ...attaching, pins, dispose: () => store.dispose() };
}

function tokensOf({ parts }: ResourceContent): number | undefined {
  const texts = parts.filter(({ isText }) => isText);
  return texts.length === 0 && parts.length > 0
    ? undefined
    : texts.reduce((sum, part) => sum + estimateTokens(textOf(part)), 0);
}
