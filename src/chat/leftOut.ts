import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import { PersonNeeded } from '../connection/personNeeded';
import { RequestError } from '../connection/requestFailure';
import type { ResourceEntry } from '../connection/wire';
import type { PinnedResource } from '../content/pinnedResource';

/** Something that a person may expect to be used, and that is not. */
export interface LeftOut {
  readonly name: string;
  /** Why, and what to do about it. */
  readonly reason: string;
}

/**
 * Why a pin is not even read: no server is started for it, and nothing meant for the user alone goes out unasked. One that
 * could not be read before is read again: its server may have it now.
 */
export function obstacleOf({ state }: PinnedResource, entry: ResourceEntry | undefined): string | undefined {
  const audience = entry?.annotations?.audience ?? [];
  if (state === 'waiting') {
    return vscode.l10n.t('its server is not connected; start it, or attach this to the question');
  }
  if (state === 'lost') {
    return vscode.l10n.t('its server is not configured; unpin it, or configure the server');
  }
  return audience.includes('user') && !audience.includes('assistant')
    ? vscode.l10n.t('its server means it for you, not for a model; attach it to send it all the same')
    : undefined;
}

/** Why something could not be read, where nobody was asked for it. */
export function reasonOf(error: unknown): string {
  const needsPerson = error instanceof PersonNeeded || (error instanceof RequestError && error.kind === 'inputNeeded');
  const words = messageOf(error).replace(/\.$/u, '');
  return needsPerson ? vscode.l10n.t('{0}; attach it to the question to be asked', words) : words;
}

/** The same of a pin, which a person may have forgotten. */
export function pinReasonOf(error: unknown): string {
  return error instanceof RequestError && error.kind === 'notFound'
    ? vscode.l10n.t('its server does not find it; unpin it if it is gone for good')
    : reasonOf(error);
}
