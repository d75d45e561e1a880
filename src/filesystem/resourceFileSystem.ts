import * as vscode from 'vscode';
import { CancelledError, HumanError, messageOf } from '../base/errors';
import type { Log } from '../base/log';
import { keyOf, type ResourceRef } from '../connection/connectionPool';
import { RequestError } from '../connection/requestFailure';
import { documentBelow } from '../content/attachedForms';
import type { Snapshot } from '../content/contentEntry';
import type { ContentStore, Purpose } from '../content/contentStore';
import type { ContentDocument, ResourceContent } from '../content/resourceContent';
import { plainLine } from '../ui/plainText';
import type { LastSeen } from './lastSeen';
import type { OpenDocuments } from './openDocuments';
import type { ResourceDocuments } from './resourceDocuments';

/** What is answered for a document. */
interface Served extends Pick<Snapshot, 'revision'> {
  readonly document: ContentDocument;
  /** Of a directory: what is in it. */
  readonly children?: ResourceContent['children'];
}

/** Serves resources as read-only, case-sensitive documents. */
export class ResourceFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly askedEmitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly servedEmitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[] = [];

  readonly onDidChangeFile = this.changeEmitter.event;
  /** Fires with each document that somebody in the editor asks for. */
  readonly onDidAsk = this.askedEmitter.event;
  /** Fires with each document whose bytes the editor has taken. */
  readonly onDidServe = this.servedEmitter.event;

  constructor(
    private readonly documents: ResourceDocuments,
    private readonly content: ContentStore,
    private readonly open: OpenDocuments,
    private readonly log: Log,
    private readonly lastSeen: LastSeen,
  ) {
    this.subscriptions.push(
      content.onDidBeginReread((ref) => this.announceEarly(ref)),
      content.onDidChangeContent((ref) => this.announce(ref, vscode.FileChangeType.Changed)),
      content.onDidChangeFailure(({ ref, error }) => {
        if (isNotFound(error)) {
          this.announce(ref, vscode.FileChangeType.Deleted);
        } else if (error === undefined) {
          this.announce(ref, vscode.FileChangeType.Created);
        }
      }),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    this.askedEmitter.fire(uri);
    const { document, children, revision } = await this.read(uri, 'stat');
    return {
      type: children ? vscode.FileType.Directory : vscode.FileType.File,
      ctime: 0,
      mtime: revision,
      size: children ? 0 : document.bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  /** Of a directory: the text that shows all its parts, for those who read without asking what it is. */
  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { part, bytes } = (await this.read(uri, 'bytes')).document;
    if (part?.failure !== undefined) {
      throw vscode.FileSystemError.Unavailable(`${uri.path}: ${part.failure}`);
    }
    this.servedEmitter.fire(uri);
    return bytes;
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { children } = await this.read(uri, 'stat');
    if (!children) {
      throw vscode.FileSystemError.FileNotADirectory(uri);
    }
    return [...children.keys()].map((name) => [name, vscode.FileType.File]);
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const ref = this.documents.resourceOf(uri);
    return ref ? this.open.watch(uri, ref) : new vscode.Disposable(() => undefined);
  }

  createDirectory(uri: vscode.Uri): never {
    throw readOnly(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw readOnly(uri);
  }

  delete(uri: vscode.Uri): never {
    throw readOnly(uri);
  }

  rename(uri: vscode.Uri): never {
    throw readOnly(uri);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
    this.changeEmitter.dispose();
    this.askedEmitter.dispose();
    this.servedEmitter.dispose();
  }

  private async read(uri: vscode.Uri, purpose: Purpose): Promise<Served> {
    const lastSeen = this.lastSeen.documentOf(uri);
    if (lastSeen) {
      return lastSeen;
    }
    const target = this.documents.targetOf(uri);
    if (!target) {
      // A sibling or parent that an editor merely probes for.
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const { ref, child } = target;
    const { content, revision } = await this.snapshotOf(ref, purpose);
    if (child === undefined) {
      return { document: content, children: content.shape === 'directory' ? content.children : undefined, revision };
    }
    const document = documentBelow(child, content, ref);
    if (!document) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return { document, revision };
  }

  private async snapshotOf(ref: ResourceRef, purpose: Purpose): Promise<Snapshot> {
    try {
      return await this.content.read(ref, { purpose, initiative: 'background' });
    } catch (error) {
      const known = this.content.peek(ref);
      if (known && this.open.has(ref) && !isNotFound(error)) {
        this.log.debug(`Stale contents of ${ref.uri} are shown: ${messageOf(error)}`);
        return known;
      }
      throw this.fileSystemError(ref, error);
    }
  }

  /** Every thrown error is a FileSystemError that names server, resource and reason. */
  private fileSystemError(ref: ResourceRef, error: unknown): vscode.FileSystemError {
    const words = plainLine(`${ref.uri} (server "${ref.serverId}"): ${messageOf(error)}`, 2000);
    if (!(error instanceof HumanError) && !(error instanceof CancelledError)) {
      this.log.error(`Reading ${words}\n${(error as Error).stack ?? ''}`);
    } else {
      this.log.warn(`Reading ${words}`);
    }
    return isNotFound(error) ? vscode.FileSystemError.FileNotFound(words) : vscode.FileSystemError.Unavailable(words);
  }

  /**
   * VS Code is told while the answer is still on its way: its `stat` waits for it, so that the two messages before the
   * answer cost no time. Whether there is a change it sees by the revision. Other editors than those of texts would show
   * everything anew without asking for it; and what fails is not to be asked for twice.
   */
  private announceEarly(ref: ResourceRef): void {
    const uris = this.open.textNamesOf(ref).filter((uri) => !this.lastSeen.has(uri));
    if (uris.length > 0 && this.content.failureOf(ref) === undefined) {
      this.changeEmitter.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
    }
  }

  private announce(ref: ResourceRef, type: vscode.FileChangeType): void {
    const uris = this.open.namesOf(ref).filter((uri) => !this.lastSeen.has(uri));
    const events = uris.map((uri) => ({ type, uri }));
    if (events.length > 0) {
      this.log.debug(`Changed: ${keyOf(ref)}`);
      this.changeEmitter.fire(events);
    }
  }
}

/** Whether an error says that the resource does not exist. */
function isNotFound(error: unknown): boolean {
  return error instanceof RequestError && error.kind === 'notFound';
}

function readOnly(uri: vscode.Uri): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions(uri);
}
