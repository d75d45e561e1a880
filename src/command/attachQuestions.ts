import * as vscode from 'vscode';
import { type AttachableDocuments, type Attachment, beginningOf } from '../chat/attachment';
import type { Unattached } from '../chat/chatAttachments';
import type { KnownModel, ModelWindow } from '../chat/modelWindow';
import type { DocumentTarget } from '../filesystem/resourceDocuments';
import { formatBytes } from '../ui/byteFormat';
import { inertLine } from '../ui/plainText';
import { tokenWords } from '../ui/tokenWords';
import type { TemplateServices } from './openTemplate';
import { bytesOf, nameOf, shareWords, sizeWords, tokensOf } from './attachWords';

/** More resources than this are not read without a question. */
const MANY = 100;
/** More tokens than this are asked about where no model is known. */
const MUCH = 32_000;
/** Of a model's window, attachments take no more than this share without a question. */
const MUCH_OF_WINDOW = 0.5;
/** Less than this is no first part of anything. Tokens. */
const LEAST_PART = 100;
/** Attachments that a question names; more are counted. */
const MOST_LISTED = 5;

/** What is to be attached of what was read, and what is left out for its size. */
export interface Chosen {
  readonly attachments: readonly Attachment[];
  readonly leftOut: readonly Unattached[];
}

/** Who knows what a server says of a resource. */
export type EntrySources = Pick<TemplateServices, 'catalog' | 'instances'>;

/** What its server means for the user alone goes to a model only after a yes (specification: server/resources, annotations). */
export async function withoutRefused<Target extends DocumentTarget>(
  targets: readonly Target[],
  { catalog, instances }: EntrySources,
): Promise<readonly Target[]> {
  const isForUser = ({ ref }: DocumentTarget): boolean => {
    const instance = instances.find(ref);
    const entry = catalog.entryOf(ref) ?? (instance && catalog.templateOf(instance));
    const audience = entry?.annotations?.audience ?? [];
    return audience.includes('user') && !audience.includes('assistant');
  };
  const doubtful = targets.filter(isForUser);
  if (doubtful.length === 0) {
    return targets;
  }
  const all = vscode.l10n.t('Attach Anyway');
  const others = vscode.l10n.t('Attach the Others');
  const names = doubtful.map(({ ref }) => inertLine(ref.uri, 100)).slice(0, 10);
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Meant for the user, not for the assistant: {0}. Attach to the chat?', names.join(', ')),
    { modal: true },
    ...(doubtful.length < targets.length ? [all, others] : [all]),
  );
  return chosen === all ? targets : chosen === others ? targets.filter((target) => !isForUser(target)) : [];
}

/** A whole server may be more than a person thinks of. */
export async function agreesToRead(count: number): Promise<boolean> {
  if (count <= MANY) {
    return true;
  }
  const yes = vscode.l10n.t('Attach All');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Attach {0} resources?', count.toLocaleString(vscode.env.language)),
    { modal: true, detail: vscode.l10n.t('Each is read from its server first.') },
    yes,
  );
  return chosen === yes;
}

/** Asks where attachments are much for a model; `undefined` where the person gave up. */
export async function chooseSize(
  attachments: readonly Attachment[],
  model: KnownModel | undefined,
  { documents, models }: { readonly documents: AttachableDocuments; readonly models: ModelWindow },
): Promise<Chosen | undefined> {
  const limit = model ? model.maxInputTokens * MUCH_OF_WINDOW : MUCH;
  const tokens = tokensOf(attachments);
  if (tokens <= limit) {
    return { attachments, leftOut: [] };
  }
  const all = vscode.l10n.t('Attach All');
  const first = vscode.l10n.t('Attach the First Part');
  const chosen = await vscode.window.showWarningMessage(
    question(attachments, model),
    { modal: true, detail: [largestWords(attachments), firstPartWords(attachments, limit)].join('\n\n') },
    // What Enter chooses has to fit.
    ...(model && tokens > model.maxInputTokens ? [first, all] : [all, first]),
  );
  if (chosen === all) {
    return { attachments, leftOut: [] };
  }
  return chosen === first ? firstPart(attachments, limit, { documents, models }) : undefined;
}

/** In order, as much as there is room for: whole ones, then the beginning of the one that is too long. */
async function firstPart(
  attachments: readonly Attachment[],
  limit: number,
  { documents, models }: { readonly documents: AttachableDocuments; readonly models: ModelWindow },
): Promise<Chosen> {
  const kept: Attachment[] = [];
  const leftOut: Unattached[] = [];
  let room = limit;
  for (const attachment of attachments) {
    if (attachment.tokens <= room) {
      kept.push(attachment);
      room -= attachment.tokens;
    } else if (room >= LEAST_PART) {
      kept.push(await beginningOf(attachment, room, documents, models));
      room = 0;
    } else {
      leftOut.push({ uri: attachment.asked, reason: vscode.l10n.t('left out: beyond the first part') });
    }
  }
  return { attachments: kept, leftOut };
}

function question(attachments: readonly Attachment[], model: KnownModel | undefined): string {
  const [size, tokens] = [formatBytes(bytesOf(attachments)), tokensOf(attachments)];
  if (!model) {
    return vscode.l10n.t('Attach {0}, {1}? That is much for a chat.', size, tokenWords(tokens));
  }
  const share = shareWords(tokens / model.maxInputTokens);
  const name = inertLine(model.name, 40);
  return vscode.l10n.t('Attach {0}, {1}? That is {2} of the window of {3}.', size, tokenWords(tokens), share, name);
}

/** What the first part comes to. Pictures have no tokens, and no share in it. */
function firstPartWords(attachments: readonly Attachment[], limit: number): string {
  const bytes = bytesOf(attachments.filter(({ tokens }) => tokens > 0)) * (limit / tokensOf(attachments));
  return vscode.l10n.t('The first part: about {0}, {1}.', formatBytes(bytes), tokenWords(limit));
}

function largestWords(attachments: readonly Attachment[]): string {
  if (attachments.length === 1) {
    return nameOf(attachments[0]!.uri);
  }
  const largest = attachments
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, MOST_LISTED)
    .map((each) => `${nameOf(each.uri)}: ${sizeWords([each], undefined)}`);
  const more = attachments.length - largest.length;
  return [...largest, ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join('\n');
}
