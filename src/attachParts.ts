import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from './base/lifecycle';
import { ChatAttachments } from './chat/chatAttachments';
import { type KnownModel, ModelWindow } from './chat/modelWindow';
import { TemporaryCopies } from './chat/temporaryCopies';
import type { ConnectionPool } from './connection/connectionPool';
import { AttachedVersions } from './content/attachedVersions';
import type { ContentStore } from './content/contentStore';
import type { ResourceDocuments } from './filesystem/resourceDocuments';
import type { ResourceFileSystem } from './filesystem/resourceFileSystem';

interface Surroundings {
  readonly context: vscode.ExtensionContext;
  readonly pool: ConnectionPool;
  readonly content: ContentStore;
  readonly documents: ResourceDocuments;
  readonly fileSystem: ResourceFileSystem;
  /** The last model that a participant of ours was asked with. */
  lastModel(this: void): KnownModel | undefined;
  onError(this: void, error: unknown): void;
}

/** What attaching to a chat takes. */
export interface AttachParts extends Disposable {
  readonly chat: ChatAttachments;
  readonly models: ModelWindow;
  /** Marks what has changed since it was attached. */
  readonly attached: AttachedVersions;
  /** Resolves once no temporary copy is left. */
  end(): Promise<void>;
}

export function attachParts(around: Surroundings): AttachParts {
  const { context, pool, content, documents, fileSystem, onError } = around;
  const store = new DisposableStore();
  const models = new ModelWindow(around.lastModel);
  const copies = new TemporaryCopies(join(context.globalStorageUri.fsPath, 'attached'));
  // Not before activation has returned.
  Promise.resolve()
    .then(() => copies.removeLeftOvers())
    .catch(onError);
  const attached = store.add(new AttachedVersions({ storage: context.workspaceState, pool, content, onError }));
  const chat = new ChatAttachments({ documents, onDidAsk: fileSystem.onDidAsk, content, models, copies });
  store.add(chat.onDidAttach((attachments) => void attached.note(attachments).catch(onError)));
  return { chat, models, attached, end: () => copies.end(), dispose: () => store.dispose() };
}
