import * as vscode from 'vscode';
import { type AttachParts, attachParts } from './attachParts';
import { DisposableStore } from './base/lifecycle';
import type { Catalog } from './catalog/catalog';
import { textOf } from './chat/contextText';
import { LastModel } from './chat/lastModel';
import { McpParticipant } from './chat/participant';
import { Pins } from './chat/pins';
import { registerTools } from './chat/registerTools';
import { estimateTokens } from './chat/tokenEstimate';
import { ToolGrants } from './chat/toolGrants';
import type { ToolParts } from './chat/toolParts';
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
  /** What the tools of the agent need besides. */
  readonly tools: Pick<ToolParts, 'exclusion' | 'log' | 'refusal'>;
  onError(this: void, error: unknown): void;
}

/** What brings resources to a model: attaching, pins, the participant `@mcp` and the agent's tools. */
export interface ChatParts extends AttachParts {
  readonly pins: Pins;
  /** What the agent's tools may read. */
  readonly grants: ToolGrants;
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
  const grants = new ToolGrants(context.workspaceState, (id) => pool.get(id)?.definition);
  store.add(registerTools({ pool, catalog, content, ...around.tools }, grants));
  return { ...attaching, pins, grants, dispose: () => store.dispose() };
}

function tokensOf({ parts }: ResourceContent): number | undefined {
  const texts = parts.filter(({ isText }) => isText);
  return texts.length === 0 && parts.length > 0
    ? undefined
    : texts.reduce((sum, part) => sum + estimateTokens(textOf(part)), 0);
}
