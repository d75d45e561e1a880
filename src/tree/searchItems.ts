import * as vscode from 'vscode';
import { labelOf } from '../catalog/labelOf';
import { keyOf } from '../connection/connectionPool';
import type { ResourceEntry } from '../connection/wire';
import {
  type ContentSearch,
  type SearchFailure,
  type SearchHit,
  searchLimits,
  type SearchState,
} from '../content/contentSearch';
import type { TextMatch } from '../content/textSearch';
import { commandIds } from '../ids';
import { formatBytes } from '../ui/byteFormat';
import { plainLine, plainPiece } from '../ui/plainText';
import { itemId, itemResource } from './itemBounds';

/** A node of the search results. */
export type SearchNode = HitNode | MatchNode | FailuresNode | FailureNode;

export interface HitNode {
  readonly kind: 'hit';
  readonly search: ContentSearch;
  readonly hit: SearchHit;
}

export interface MatchNode {
  readonly kind: 'match';
  readonly parent: HitNode;
  readonly match: TextMatch;
}

export interface FailuresNode {
  readonly kind: 'failures';
  readonly search: ContentSearch;
}

export interface FailureNode {
  readonly kind: 'failure';
  readonly parent: FailuresNode;
  readonly failure: SearchFailure;
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** `entry`: as the server lists it now, if it still does. */
export function hitItem({ hit }: HitNode, entry: ResourceEntry | undefined, document: vscode.Uri): vscode.TreeItem {
  const { ref, child, matches } = hit;
  const label = plainLine(labelOf(entry ?? ref));
  const item = new vscode.TreeItem(label, Expanded);
  item.id = itemId(`hit ${keyOf(ref)} ${child ?? ''}`);
  item.resourceUri = itemResource(ref.uri, () => document);
  item.iconPath = vscode.ThemeIcon.File;
  const part = child === undefined ? undefined : plainLine(child);
  item.description = [part, matches.length.toLocaleString(), plainLine(ref.serverId)].filter(Boolean).join(' · ');
  item.tooltip = plainLine(ref.uri, 1000);
  item.contextValue = 'hit';
  item.accessibilityInformation = {
    label: [label, part, matchWords(matches.length), vscode.l10n.t('server {0}', plainLine(ref.serverId))]
      .filter(Boolean)
      .join(', '),
  };
  return item;
}

export function matchItem(node: MatchNode): vscode.TreeItem {
  const { line, character, before, text, after } = node.match;
  const [left, middle, right] = [before, text, after].map(plainPiece) as [string, string, string];
  const highlight: [number, number] = [left.length, left.length + middle.length];
  const item = new vscode.TreeItem({ label: `${left}${middle}${right}`, highlights: [highlight] }, None);
  const { ref, child } = node.parent.hit;
  item.id = itemId(`match ${keyOf(ref)} ${child ?? ''} ${line}:${character}`);
  item.tooltip = vscode.l10n.t('Line {0}, column {1}', (line + 1).toLocaleString(), (character + 1).toLocaleString());
  item.contextValue = 'match';
  item.command = { command: commandIds.openMatch, title: vscode.l10n.t('Open'), arguments: [node] };
  item.accessibilityInformation = { label: vscode.l10n.t('{0}, line {1}', `${left}${middle}${right}`, line + 1) };
  return item;
}

export function failuresItem({ search }: FailuresNode): vscode.TreeItem {
  const item = new vscode.TreeItem(
    vscode.l10n.t('{0} could not be searched', search.failures.length.toLocaleString()),
    Collapsed,
  );
  item.id = 'failures';
  item.iconPath = new vscode.ThemeIcon('warning');
  item.contextValue = 'failures';
  return item;
}

export function failureItem({ failure }: FailureNode, entry: ResourceEntry | undefined): vscode.TreeItem {
  const { serverId, uri, reason } = failure;
  const item = new vscode.TreeItem(plainLine(uri === undefined ? serverId : labelOf(entry ?? { uri })), None);
  item.description = plainLine(reason, 120);
  item.tooltip = plainLine([uri, serverId, reason].filter(Boolean).join(' · '), 1000);
  item.contextValue = 'failure';
  return item;
}

/** What a search has found and how far it came, in words. `leftOut`: resources that the filter hides. */
export function searchWords(search: ContentSearch, leftOut: number): string {
  const { failures, matches, searched, state, total } = search;
  const [all, soFar] = [resourceWords(total), searched.toLocaleString()];
  if (state === 'running') {
    return vscode.l10n.t('Searching… {0} of {1}, {2}.', soFar, all, matchWords(matches));
  }
  const hits = search.resourcesWithMatches.toLocaleString();
  const ends: Record<Exclude<SearchState, 'running'>, string | undefined> = {
    done: undefined,
    cancelled: vscode.l10n.t('Cancelled ({0} searched).', soFar),
    bytes: vscode.l10n.t('Ended at {0} of text ({1} searched).', formatBytes(searchLimits.bytes), soFar),
    matches: vscode.l10n.t('Ended at the limit of matches ({0} searched).', soFar),
    milliseconds: vscode.l10n.t('Ended after {0} seconds ({1} searched).', searchLimits.milliseconds / 1000, soFar),
  };
  const words = [
    matches === 0
      ? vscode.l10n.t('No matches in {0}.', all)
      : vscode.l10n.t('{0} in {1} of {2}.', matchWords(matches), hits, all),
    ends[state],
    failures.length > 0 ? vscode.l10n.t('{0} could not be searched.', failures.length.toLocaleString()) : undefined,
    search.binaries > 0 ? vscode.l10n.t('{0} without text.', search.binaries.toLocaleString()) : undefined,
    leftOut > 0 ? vscode.l10n.t('The filter leaves out {0}.', leftOut.toLocaleString()) : undefined,
  ];
  return words.filter(Boolean).join(' ');
}

function resourceWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 resource') : vscode.l10n.t('{0} resources', count.toLocaleString());
}

function matchWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 match') : vscode.l10n.t('{0} matches', count.toLocaleString());
}
