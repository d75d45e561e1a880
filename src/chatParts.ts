import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from './base/lifecycle';
import type { Catalog } from './catalog/catalog';
import { ChatAttachments } from './chat/chatAttachments';
import { textOf } from './chat/contextText';
import { LastModel } from './chat/lastModel';
import { McpParticipant } from './chat/participant';
import { Pins } from './chat/pins';
import { estimateTokens } from './chat/tokenEstimate';
import type { ConnectionPool } from './connection/connectionPool';
import type { ContentStore } from './content/contentStore';
import { allPartsName, type ResourceContent } from './content/resourceContent';
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
export interface ChatParts extends Disposable {
  readonly chat: ChatAttachments;
  readonly pins: Pins;
  readonly lastModel: LastModel;
}

export function chatParts(around: Surroundings): ChatParts {
  const { context, pool, catalog, content, documents, fileSystem, onError } = around;
  const store = new DisposableStore();
  const chat = new ChatAttachments(
    { resourceOf: (uri) => documents.resourceOf(uri), onDidAsk: fileSystem.onDidAsk },
    content,
  );
  const pins = store.add(new Pins({ storage: context.workspaceState, pool, content, tokensOf }));
  store.add(
    chat.onDidAttach((uris) => {
      // A part is not the whole.
      const whole = uris
        .flatMap((uri) => documents.targetOf(uri) ?? [])
        .filter(({ child }) => child === undefined || child === allPartsName);
      Promise.all(whole.map(({ ref }) => pins.noteAttached(ref))).catch(onError);
    }),
  );
  const lastModel = new LastModel();
  const icon = vscode.Uri.joinPath(context.extensionUri, 'media/icon.png');
  store.add(new McpParticipant({ pool, catalog, content, documents, pins, lastModel, icon, onError }));
  return { chat, pins, lastModel, dispose: () => store.dispose() };
}

function tokensOf({ parts }: ResourceContent): number | undefined {
  const texts = parts.filter(({ isText }) => isText);
  return texts.length === 0 && parts.length > 0
    ? undefined
    : texts.reduce((sum, part) => sum + estimateTokens(textOf(part)), 0);
}
