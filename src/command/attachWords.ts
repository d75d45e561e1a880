import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../chat/attachment';
import type { Unattached } from '../chat/chatAttachments';
import { countWords, type HiddenCharacter, type HiddenKind } from '../chat/hiddenCharacters';
import type { KnownModel } from '../chat/modelWindow';
import { formatBytes } from '../ui/byteFormat';
import { inertLine } from '../ui/plainText';
import { tokenWords } from '../ui/tokenWords';

/** Names in a message; more are counted. */
const MOST_NAMES = 3;

/** The name of an attachment in the chat box. */
export function nameOf({ path }: vscode.Uri): string {
  return inertLine(posix.basename(path), 80);
}

/** Bytes, tokens, and the share of a model's window: "12 kB, ~3.1k tokens, 2 % of the window of GPT". */
export function sizeWords(attachments: readonly Attachment[], model: KnownModel | undefined): string {
  const bytes = bytesOf(attachments);
  const tokens = tokensOf(attachments);
  if (tokens === 0) {
    return formatBytes(bytes);
  }
  const words = attachments.every(({ exact }) => exact)
    ? vscode.l10n.t('{0} tokens', tokens.toLocaleString(vscode.env.language))
    : tokenWords(tokens);
  const share = model && shareWords(tokens / model.maxInputTokens);
  return [
    formatBytes(bytes),
    words,
    share && vscode.l10n.t('{0} of the window of {1}', share, inertLine(model.name, 40)),
  ]
    .filter(Boolean)
    .join(', ');
}

export function bytesOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { document }) => sum + document.bytes.byteLength, 0);
}

export function tokensOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** What is not attached, one reason after the other: "a.md, b.md and 4 more (not found); c.png (…)". */
export function failureWords(failures: readonly Unattached[]): string {
  const reasons = new Map<string, string[]>();
  for (const { uri, reason } of failures) {
    const words = inertLine(reason, 200);
    reasons.set(words, [...(reasons.get(words) ?? []), nameOf(uri)]);
  }
  return [...reasons].map(([reason, names]) => `${listWords(names)} (${reason})`).join('; ');
}

/** The first few of some names, and how many more there are. */
export function listWords(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? vscode.l10n.t('{0} and {1} more', first, names.length - MOST_NAMES) : first;
}

/** Characters that nobody sees and a model reads, by attachment. */
export function hiddenWords(attachments: readonly Attachment[]): string {
  const words = attachments.map(({ uri, hidden }) => `${nameOf(uri)}: ${hidden.map(kindWords).join(', ')}`);
  return listWords(words);
}

function kindWords(one: HiddenCharacter): string {
  const { kind, line } = one;
  const count = countWords(one);
  const words: Record<HiddenKind, string> = {
    tag: vscode.l10n.t('{0} tag characters (first in line {1})', count, line),
    bidi: vscode.l10n.t('{0} bidirectional controls (first in line {1})', count, line),
    zeroWidth: vscode.l10n.t('{0} zero-width characters (first in line {1})', count, line),
  };
  return words[kind];
}

/** A share of a model's window, in per cent. */
export function shareWords(share: number): string {
  const percent = new Intl.NumberFormat(vscode.env.language, { style: 'percent' });
  return share < 0.01 ? `< ${percent.format(0.01)}` : percent.format(share);
}
