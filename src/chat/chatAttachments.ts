import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { AttachResult } from '../api';
import { messageOf } from '../base/errors';
import { Emitter } from '../base/events';
import { keyOf } from '../connection/connectionPool';
import type { Snapshot } from '../content/contentEntry';
import type { ContentStore, ReadOptions } from '../content/contentStore';
import { largestText } from '../content/derivedDocuments';
import { type AttachableDocuments, type Attachment, attachmentOf } from './attachment';
import type { ModelWindow } from './modelWindow';
import type { TemporaryCopies } from './temporaryCopies';

const OPEN_CHAT = 'workbench.action.chat.open';
const CONFIRM_WITHIN_MS = 2000;
/** Reads that are under way at the same time. */
const LANES = 8;

/** A document that is not attached, and why; or whose arrival is not known. */
export type Unattached = AttachResult['unconfirmed'][number];

/** What was read to be attached, in the order that was asked for. */
export interface Prepared {
  readonly attachments: readonly Attachment[];
  readonly failures: readonly Unattached[];
}

/** What became of attachments. */
export interface Sent {
  /** Those that the chat asked for. */
  readonly arrived: readonly Attachment[];
  /** Those that went as files: nobody can tell whether the chat took them. */
  readonly copied: readonly Attachment[];
  /** Those that the chat did not ask for, so nobody can tell whether they are in it. */
  readonly unseen: readonly Unattached[];
  /** Those that certainly are not in it. */
  readonly failures: readonly Unattached[];
}

/** A resource that was read just now: it is not read again. */
export type KnownSnapshot = Pick<Attachment, 'ref' | 'snapshot'>;

interface PrepareOptions extends Pick<ReadOptions, 'initiative' | 'signal'> {
  readonly known?: readonly KnownSnapshot[];
  /** Hears how many are done. */
  readonly onRead?: (done: number) => void;
}

interface Surroundings {
  readonly documents: AttachableDocuments;
  /** Fires with each document that somebody in the editor asks for. */
  readonly onDidAsk: vscode.Event<vscode.Uri>;
  readonly content: ContentStore;
  readonly models: ModelWindow;
  readonly copies: TemporaryCopies;
}

/** Attaches documents to the editor's chat, and notices what did not arrive: VS Code drops some without a word. */
export class ChatAttachments {
  private readonly attachEmitter = new Emitter<readonly Attachment[]>();

  /** Fires with what is attached now, as far as can be told. */
  readonly onDidAttach = this.attachEmitter.event;

  constructor(private readonly around: Surroundings) {}

  /** Reads each resource once: what cannot be read is not attached. */
  async prepare(
    uris: readonly vscode.Uri[],
    { initiative, signal, known = [], onRead }: PrepareOptions,
  ): Promise<Prepared> {
    const asked = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
    const results = new Map<vscode.Uri, Attachment | Unattached>();
    const snapshots = new Map(known.map(({ ref, snapshot }) => [keyOf(ref), snapshot]));
    const queue = [...asked];
    const lane = async (): Promise<void> => {
      for (let uri = queue.shift(); uri; uri = queue.shift()) {
        signal?.throwIfAborted();
        results.set(uri, await this.read(uri, { purpose: 'open', initiative, signal }, snapshots));
        onRead?.(results.size);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const all = asked.map((uri) => results.get(uri)!);
    return {
      attachments: all.filter((result): result is Attachment => !('reason' in result)),
      failures: all.filter((result): result is Unattached => 'reason' in result),
    };
  }

  /** What the chat of this window takes, and what it cannot take at all: nobody needs to be asked about that. */
  async sortOut(attachments: readonly Attachment[]): Promise<Prepared> {
    const missing = await whatIsMissing();
    const reasons = attachments.map((attachment) => missing ?? refusalOf(attachment));
    return {
      attachments: attachments.filter((_, index) => reasons[index] === undefined),
      failures: attachments.flatMap(({ asked: uri }, index) => {
        const reason = reasons[index];
        return reason === undefined ? [] : [{ uri, reason }];
      }),
    };
  }

  /** Hands attachments that the chat takes to it. */
  async send(attachments: readonly Attachment[]): Promise<Sent> {
    const failures: Unattached[] = [];
    const going: { attachment: Attachment; uri: vscode.Uri }[] = [];
    for (const attachment of attachments) {
      const { asked, isPicture, uri } = attachment;
      try {
        going.push({ attachment, uri: isPicture ? await this.copyOf(attachment) : uri });
      } catch (error) {
        const reason = vscode.l10n.t('its temporary copy could not be written: {0}', messageOf(error));
        failures.push({ uri: asked, reason });
      }
    }
    const isCopy = ({ attachment }: (typeof going)[number]): boolean => attachment.isPicture;
    if (going.length === 0) {
      return { arrived: [], copied: [], unseen: [], failures };
    }
    const asked = await this.askedOf(going);
    const unseen = going.filter((each) => !isCopy(each) && !asked.has(each.uri.toString()));
    const reason = asked.size === 0 ? nobodyAsked() : vscode.l10n.t('the chat did not ask for it');
    const sent = {
      arrived: going.filter((each) => !isCopy(each) && !unseen.includes(each)).map(({ attachment }) => attachment),
      copied: going.filter(isCopy).map(({ attachment }) => attachment),
      unseen: unseen.map(({ attachment }) => ({ uri: attachment.asked, reason })),
      failures,
    };
    this.attachEmitter.fire([...sent.arrived, ...sent.copied]);
    return sent;
  }

  private async read(
    asked: vscode.Uri,
    options: ReadOptions,
    known: ReadonlyMap<string, Snapshot>,
  ): Promise<Attachment | Unattached> {
    const { documents, content, models } = this.around;
    const target = documents.targetOf(asked);
    if (!target) {
      return { uri: asked, reason: vscode.l10n.t('it is not a document of an MCP resource') };
    }
    try {
      const snapshot = known.get(keyOf(target.ref)) ?? (await content.read(target.ref, options));
      const attachment = await attachmentOf({ ...target, asked, snapshot }, documents, models);
      return attachment ?? { uri: asked, reason: vscode.l10n.t('the resource has no such part any more') };
    } catch (error) {
      options.signal?.throwIfAborted();
      return { uri: asked, reason: messageOf(error) };
    }
  }

  private async copyOf({ uri, document }: Attachment): Promise<vscode.Uri> {
    return vscode.Uri.file(await this.around.copies.write(posix.basename(uri.path), document.bytes));
  }

  /** Which documents the chat asks for, until all have been or the time after the command's end is over. */
  private async askedOf(
    going: readonly { readonly attachment: Attachment; readonly uri: vscode.Uri }[],
  ): Promise<ReadonlySet<string>> {
    const documents = going.filter(({ attachment }) => !attachment.isPicture);
    const wanted = new Map(documents.map(({ uri, attachment }) => [uri.toString(), attachment.ref]));
    const asked = new Set<string>();
    let finish: () => void = () => undefined;
    const allAsked = new Promise<void>((resolve) => (finish = resolve));
    const listener = this.around.onDidAsk((uri) => {
      const ref = wanted.get(uri.toString());
      if (ref) {
        // It belongs to the read that was just done, however many others came between.
        this.around.content.prolongOpening(ref);
        asked.add(uri.toString());
      }
      if (asked.size === wanted.size) {
        finish();
      }
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      const attachFiles = going.map(({ uri }) => uri);
      await vscode.commands.executeCommand(OPEN_CHAT, { query: '', isPartialQuery: true, attachFiles });
      if (wanted.size > 0) {
        timer = setTimeout(finish, CONFIRM_WITHIN_MS);
        await allAsked;
      }
    } finally {
      clearTimeout(timer);
      listener.dispose();
    }
    return asked;
  }
}

/** Only on a local desktop is a file of this process a file of the window; elsewhere its scheme is `vscode-remote`. */
function takesFiles(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

function refusalOf({ document, isPicture }: Attachment): string | undefined {
  if (isPicture && !takesFiles()) {
    return vscode.l10n.t(
      'the chat of this window drops images that are no local files; copy it in its viewer and paste it',
    );
  }
  return document.isText && document.bytes.byteLength > largestText
    ? vscode.l10n.t('it is larger than the 50 MB that VS Code hands to a chat')
    : undefined;
}

async function whatIsMissing(): Promise<string | undefined> {
  if (vscode.workspace.getConfiguration('chat').get('disableAIFeatures') === true) {
    return vscode.l10n.t('the chat is turned off by the setting chat.disableAIFeatures');
  }
  return (await vscode.commands.getCommands(true)).includes(OPEN_CHAT)
    ? undefined
    : vscode.l10n.t('this editor has no chat');
}

/** The command came back without any effect: so it does where there is no chat view, and in the Agents window. */
function nobodyAsked(): string {
  return vscode.l10n.t(
    'no chat asked for it, so its arrival could not be confirmed; this window may have no chat view',
  );
}
