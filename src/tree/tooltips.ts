import * as vscode from 'vscode';
import { isTextType } from '../base/mediaType';
import type { ParsedTemplate, TemplateVariable } from '../catalog/uriTemplate';
import { folderPlaces, toolPlaces } from '../config/places';
import type { ServerDefinition, ServerSource, SourceKind } from '../config/serverDefinition';
import type { ServerConnection } from '../connection/serverConnection';
import type { Annotations, ResourceEntry, TemplateEntry } from '../connection/wire';
import { formatBytes } from '../ui/byteFormat';
import { relativeTime } from '../ui/relativeTime';
import { plainLine } from '../ui/plainText';
import { tokenWords } from '../ui/tokenWords';
import { labelOf } from '../catalog/labelOf';
import { type Need, needOf } from './needs';
import type { ResourceLook } from './treeItem';

type Row = readonly [label: string, value: string | undefined];

/** Markdown makes links of bare addresses: a word joiner, which nobody sees, stops that. */
function unlinked(text: string, limit?: number): string {
  return plainLine(text, limit).replace(/\b(?:https?|ftp):(?=\/\/)|\bwww(?=\.)|@/giu, '$&\u2060');
}

/** A tooltip of rows. Foreign text is appended as text, in Markdown that trusts nothing and supports no icons. */
function rows(title: string, description: string | undefined, table: readonly Row[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(undefined, false);
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  markdown.appendText(unlinked(title));
  if (description?.trim()) {
    markdown.appendMarkdown('\n\n').appendText(unlinked(description, 1000));
  }
  for (const [label, value] of table) {
    if (value !== undefined && value !== '') {
      markdown.appendMarkdown(`\n\n**${label}:** `).appendText(unlinked(value, 500));
    }
  }
  return markdown;
}

export function resourceTooltip(
  entry: ResourceEntry,
  serverName: string,
  { failure, notLive, attachedBefore, readAt }: Pick<ResourceLook, 'failure' | 'notLive' | 'attachedBefore' | 'readAt'>,
): vscode.MarkdownString {
  const lastRead = readAt === undefined ? undefined : new Date(readAt).toLocaleTimeString(vscode.env.language);
  return rows(labelOf(entry), entry.description, [
    [vscode.l10n.t('The last read failed'), failure],
    [vscode.l10n.t('Not live'), notLive ? vscode.l10n.t('refresh to see what the server says now') : undefined],
    [vscode.l10n.t('In the chat'), attachedBefore ? attachedBeforeWords() : undefined],
    [vscode.l10n.t('Last read at'), lastRead],
    [vscode.l10n.t('URI'), entry.uri],
    [vscode.l10n.t('Server'), serverName],
    [vscode.l10n.t('Type'), entry.mimeType],
    [vscode.l10n.t('Size'), sizeWords(entry)],
    ...annotationRows(entry.annotations),
  ]);
}

/** The chat reads a document when a question is sent: what was answered before knows the older text. */
function attachedBeforeWords(): string {
  return vscode.l10n.t('it has changed since it was attached; attach it again for the next question');
}

export function pinTooltip(
  entry: ResourceEntry,
  {
    serverId,
    failure,
    state,
    changed,
  }: { readonly serverId: string; readonly failure?: string; readonly state?: string; readonly changed: boolean },
): vscode.MarkdownString {
  return rows(labelOf(entry), entry.description, [
    [vscode.l10n.t('State'), changed ? vscode.l10n.t('changed since it was last attached') : state],
    [vscode.l10n.t('The last read failed'), failure],
    [vscode.l10n.t('URI'), entry.uri],
    [vscode.l10n.t('Server'), serverId],
    [vscode.l10n.t('Type'), entry.mimeType],
    ...annotationRows(entry.annotations),
  ]);
}

export function templateTooltip(
  entry: TemplateEntry,
  serverName: string,
  parsed: ParsedTemplate,
): vscode.MarkdownString {
  return rows(labelOf(entry), entry.description, [
    [vscode.l10n.t('It cannot be used'), parsed.ok ? undefined : parsed.reason],
    [vscode.l10n.t('Template'), entry.uriTemplate],
    [vscode.l10n.t('Parameters'), parsed.ok ? parsed.template.variables.map(parameterWords).join(', ') : undefined],
    [vscode.l10n.t('Server'), serverName],
    [vscode.l10n.t('Type'), entry.mimeType],
    ...annotationRows(entry.annotations),
  ]);
}

export function serverTooltip({ definition, state }: ServerConnection): vscode.MarkdownString {
  const info = state.kind === 'connected' ? state.info : undefined;
  const program = info && [info.serverName, info.serverVersion].filter(Boolean).join(' ');
  return rows(definition.name, undefined, [
    [vscode.l10n.t('State'), stateWords(state)],
    [vscode.l10n.t('Reason'), state.kind === 'failed' ? state.error.message : undefined],
    [vscode.l10n.t('Next'), state.kind === 'failed' ? retryWords(state.retryAt) : undefined],
    [vscode.l10n.t('Program'), program],
    [vscode.l10n.t('Protocol'), info && `${info.protocolVersion} (${info.era})`],
    [vscode.l10n.t('Live updates'), info && (info.subscribe ? vscode.l10n.t('yes') : vscode.l10n.t('not offered'))],
    [vscode.l10n.t('Configured in'), sourceWords(definition.source)],
    [vscode.l10n.t('Also in, without effect'), definition.shadows.map(sourceWords).join(', ')],
    [vscode.l10n.t('Why'), definition.shadows.length > 0 ? whyWords(definition) : undefined],
  ]);
}

export function offerTooltip(servers: readonly string[], file: string): vscode.MarkdownString {
  return rows(vscode.l10n.t('Click to choose whether they are used here, too.'), undefined, [
    [vscode.l10n.t('Servers'), servers.join(', ')],
    [vscode.l10n.t('File'), file],
  ]);
}

function sourceWords({ label, file, kind }: ServerSource): string {
  return file !== undefined && (kind === 'user' || kind === 'tool') ? `${label}: ${file}` : label;
}

/** By which rule the first of several places counts. */
function whyWords({ source, shadows: [next] }: ServerDefinition): string {
  const ranks: Record<SourceKind, string> = {
    setting: vscode.l10n.t('the setting'),
    workspace: vscode.l10n.t('the workspace'),
    user: vscode.l10n.t('your own mcp.json'),
    tool: vscode.l10n.t('another tool’s configuration'),
    sample: vscode.l10n.t('the sample server'),
  };
  return next === undefined || next.kind === source.kind
    ? vscode.l10n.t('of places of the same kind the first counts: {0}', placeWords(source.kind))
    : vscode.l10n.t('{0} counts before {1}', ranks[source.kind], ranks[next.kind]);
}

function placeWords(kind: SourceKind): string {
  if (kind === 'setting') {
    return vscode.l10n.t('the workspace’s settings, your own settings');
  }
  const known = kind === 'workspace' ? folderPlaces : toolPlaces;
  return known.map(({ label }) => label).join(', ');
}

/** A connection's state in words. */
export function stateWords(state: ServerConnection['state']): string {
  switch (state.kind) {
    case 'notConnected':
      return vscode.l10n.t('not connected');
    case 'connecting':
      return state.asks ? vscode.l10n.t('waiting for your answer') : vscode.l10n.t('connecting…');
    case 'connected':
      return vscode.l10n.t('connected');
    case 'failed':
      return failedWords(needOf(state.error));
    case 'stopped':
      return vscode.l10n.t('stopped');
  }
}

function failedWords(need: Need | undefined): string {
  switch (need) {
    case 'consent':
      return vscode.l10n.t('not allowed yet');
    case 'input':
      return vscode.l10n.t('input needed');
    case 'signIn':
      return vscode.l10n.t('sign-in needed');
    case undefined:
      return vscode.l10n.t('failed');
  }
}

function parameterWords({ name, optional }: TemplateVariable): string {
  return optional ? vscode.l10n.t('{0} (optional)', name) : name;
}

/** When a lost connection is tried again; `undefined` where a person has to. */
export function retryWords(retryAt: number | undefined): string | undefined {
  return retryAt === undefined
    ? undefined
    : vscode.l10n.t('tried again at {0}', new Date(retryAt).toLocaleTimeString(vscode.env.language));
}

function annotationRows(annotations: Annotations | undefined): readonly Row[] {
  return [
    [vscode.l10n.t('Meant for'), annotations?.audience?.join(', ')],
    [vscode.l10n.t('Priority'), annotations?.priority?.toString()],
    [vscode.l10n.t('Last modified'), annotations?.lastModified && timeWords(annotations.lastModified)],
  ];
}

function timeWords(iso: string): string {
  const relative = relativeTime(iso, Date.now(), vscode.env.language);
  return relative === undefined ? iso : `${relative} (${iso})`;
}

/** Bytes, and of text the share of a model's context window: some four bytes are a token. */
function sizeWords({ size, mimeType }: ResourceEntry): string | undefined {
  if (size === undefined) {
    return undefined;
  }
  return mimeType === undefined || isTextType(mimeType)
    ? `${formatBytes(size)}, ${tokenWords(Math.round(size / 4))}`
    : formatBytes(size);
}
