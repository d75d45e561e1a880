import * as vscode from 'vscode';
import type { AttachResult } from '../api';
import { messageOf } from '../base/errors';
import { Emitter } from '../base/events';
import type { ResourceRef } from '../connection/connectionPool';
import type { ContentStore } from '../content/contentStore';
import { largestText } from '../content/derivedDocuments';

/** What attaching needs of the documents. */
export interface AttachableDocuments {
  resourceOf(uri: vscode.Uri): ResourceRef | undefined;
  /** Fires with each document that somebody in the editor asks for. */
  readonly onDidAsk: vscode.Event<vscode.Uri>;
}

const OPEN_CHAT = 'workbench.action.chat.open';
const CONFIRM_WITHIN_MS = 2000;

/** Attaches documents to the editor's chat, and notices what did not arrive: VS Code drops some without a word. */
export class ChatAttachments {
  private readonly attachEmitter = new Emitter<readonly vscode.Uri[]>();

  /** Fires with the documents whose arrival in the chat was confirmed. */
  readonly onDidAttach = this.attachEmitter.event;

  constructor(
    private readonly documents: AttachableDocuments,
    private readonly content: ContentStore,
  ) {}

  /** Each resource is read once first: what cannot be read is not attached. Resolves with what arrived and what did not. */
  async attach(uris: readonly vscode.Uri[], initiative: 'person' | 'background' = 'person'): Promise<AttachResult> {
    const unconfirmed: { uri: vscode.Uri; reason: string }[] = [];
    const sendable: vscode.Uri[] = [];
    await Promise.all(
      uris.map(async (uri) => {
        const reason = await this.obstacle(uri, initiative);
        if (reason === undefined) {
          sendable.push(uri);
        } else {
          unconfirmed.push({ uri, reason });
        }
      }),
    );
    // In the order that was asked for.
    const ordered = uris.filter((uri) => sendable.includes(uri));
    if (ordered.length === 0) {
      return { confirmed: [], unconfirmed };
    }
    if (!(await vscode.commands.getCommands(true)).includes(OPEN_CHAT)) {
      const reason = vscode.l10n.t('this editor has no chat');
      return { confirmed: [], unconfirmed: [...unconfirmed, ...ordered.map((uri) => ({ uri, reason }))] };
    }
    const arrived = await this.arrivalOf(ordered, () =>
      vscode.commands.executeCommand(OPEN_CHAT, { query: '', isPartialQuery: true, attachFiles: ordered }),
    );
    const confirmed = ordered.filter((uri) => arrived.has(uri.toString()));
    this.attachEmitter.fire(confirmed);
    const silent = vscode.l10n.t('the chat did not ask for it, so its arrival could not be confirmed');
    return {
      confirmed,
      unconfirmed: [
        ...unconfirmed,
        ...ordered.filter((uri) => !arrived.has(uri.toString())).map((uri) => ({ uri, reason: silent })),
      ],
    };
  }

  /** Why a document cannot be attached, or `undefined`. */
  private async obstacle(uri: vscode.Uri, initiative: 'person' | 'background'): Promise<string | undefined> {
    const ref = this.documents.resourceOf(uri);
    if (!ref) {
      return vscode.l10n.t('it is not a document of an MCP resource');
    }
    try {
      const { content } = await this.content.read(ref, { purpose: 'open', initiative });
      if (content.isText && content.bytes.byteLength > largestText) {
        return vscode.l10n.t('it is larger than the 50 MB that VS Code hands to a chat');
      }
      return content.mimeType?.startsWith('image/') && !content.isText
        ? vscode.l10n.t('the chat drops images that do not come from a local file; copy it in its viewer and paste it')
        : undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Which documents the chat asks for, until all have been or the time after the command's end is over. */
  private async arrivalOf(uris: readonly vscode.Uri[], send: () => Thenable<unknown>): Promise<ReadonlySet<string>> {
    const wanted = new Set(uris.map((uri) => uri.toString()));
    const arrived = new Set<string>();
    let finish: () => void = () => undefined;
    const allArrived = new Promise<void>((resolve) => (finish = resolve));
    const listener = this.documents.onDidAsk((uri) => {
      const asked = uri.toString();
      if (wanted.has(asked)) {
        arrived.add(asked);
      }
      if (arrived.size === wanted.size) {
        finish();
      }
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      await send();
      timer = setTimeout(finish, CONFIRM_WITHIN_MS);
      await allArrived;
    } finally {
      clearTimeout(timer);
      listener.dispose();
    }
    return arrived;
  }
}
