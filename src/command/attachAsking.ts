import * as vscode from 'vscode';
import type { Attachment } from '../chat/attachment';
import type { ChatAttachments, KnownSnapshot, Sent, Unattached } from '../chat/chatAttachments';
import type { KnownModel, ModelWindow } from '../chat/modelWindow';
import type { ConnectionPool } from '../connection/connectionPool';
import type { DocumentTarget, ResourceDocuments } from '../filesystem/resourceDocuments';
import { agreesToRead, chooseSize, type EntrySources, withoutRefused } from './attachQuestions';
import { hiddenWords } from './attachWords';
import { withProgress } from './withProgress';

export interface AskingServices extends EntrySources {
  readonly chat: ChatAttachments;
  readonly models: ModelWindow;
  readonly documents: ResourceDocuments;
  readonly pool: ConnectionPool;
  /** Tells a person of what fails after it is done. */
  onError(this: void, error: unknown): void;
}

/** A document that somebody wants in the chat. */
export interface WantedDocument extends DocumentTarget {
  readonly uri: vscode.Uri;
}

/** What became of documents that were to be attached: each is in one place. */
export interface AskedAttach {
  /** What went to the chat, and the model by which it was measured; `undefined` where nothing went. */
  readonly outcome: { readonly sent: Sent; readonly model: KnownModel | undefined } | undefined;
  /** What certainly is not attached: it could not be, or was left out for its size. */
  readonly failures: readonly Unattached[];
  /** What the person said no to. */
  readonly declined: readonly Unattached[];
}

/**
 * Reads, asks where there is something to ask, and attaches: whoever wants it, a person is asked the same. Throws a
 * CancelledError where the person cancels the reading.
 */
export async function attachAsking(
  wanted: readonly WantedDocument[],
  services: AskingServices,
  known: readonly KnownSnapshot[] = [],
): Promise<AskedAttach> {
  const { chat, documents, models, pool } = services;
  if (wanted.length === 0 || !(await agreesToRead(wanted.length))) {
    return { outcome: undefined, failures: [], declined: wanted.map(({ uri }) => saidNo(uri)) };
  }
  const uris = wanted.map(({ uri }) => uri);
  const title = vscode.l10n.t('Attaching to chat');
  const read = await withProgress({ title, place: 'notification', pool }, (signal, tell) => {
    const onRead = (done: number): void => tell(vscode.l10n.t('{0} of {1} read', done, uris.length));
    onRead(0);
    return chat.prepare(uris, { initiative: 'person', signal, known, onRead });
  });
  // What cannot be attached is said, and nothing asked about it.
  const { attachments: possible, failures: impossible } = await chat.sortOut(read.attachments);
  const failures = [...read.failures, ...impossible];
  const attachments = await withoutRefused(possible, services);
  const refused = possible.filter((each) => !attachments.includes(each)).map(({ asked }) => saidNo(asked));
  const model = await models.model();
  const chosen = await chooseSize(attachments, model, { documents, models });
  if (!chosen) {
    const declined = [...refused, ...attachments.map(({ asked }) => saidNo(asked))];
    return { outcome: undefined, failures, declined };
  }
  sayWhatIsHidden(chosen.attachments, services);
  const sent = await chat.send(chosen.attachments);
  return {
    outcome: { sent, model },
    failures: [...failures, ...chosen.leftOut, ...sent.failures],
    declined: refused,
  };
}

function saidNo(uri: vscode.Uri): Unattached {
  return { uri, reason: vscode.l10n.t('the person chose not to attach it') };
}

/** Before it is sent: in the chat box nobody sees them. */
function sayWhatIsHidden(attachments: readonly Attachment[], { onError }: AskingServices): void {
  const found = attachments.filter(({ hidden }) => hidden.length > 0);
  const [first] = found;
  if (!first) {
    return;
  }
  const show = vscode.l10n.t('Show');
  const message = vscode.l10n.t('A model reads characters here that you do not see. {0}', hiddenWords(found));
  const act = async (chosen: string | undefined): Promise<void> => {
    if (chosen === show) {
      const line = first.hidden[0]!.line - 1;
      await vscode.window.showTextDocument(first.uri, { selection: new vscode.Range(line, 0, line, 0) });
    }
  };
  vscode.window.showWarningMessage(message, show).then(act).then(undefined, onError);
}
