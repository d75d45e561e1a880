import * as vscode from 'vscode';
import { keyOf } from '../connection/connectionPool';
import { allPartsName } from '../content/resourceContent';
import type { ParticipantDocuments } from './participantSources';

/** A key for what is attached: the same for the same thing, under whatever name. */
export function referenceKey(value: unknown, documents: Pick<ParticipantDocuments, 'targetOf'>): unknown {
  if (value instanceof vscode.Uri) {
    const target = documents.targetOf(value);
    const isWhole = target && (target.child === undefined || target.child === allPartsName);
    return isWhole ? keyOf(target.ref) : value.toString();
  }
  if (value instanceof vscode.Location) {
    return `${value.uri.toString()} ${JSON.stringify(value.range)}`;
  }
  // Anything else is itself: a pasted picture shows nothing by which it differs from another.
  return typeof value === 'string' ? JSON.stringify(value) : value;
}
