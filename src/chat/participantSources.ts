import * as vscode from 'vscode';
import { HumanError, messageOf } from '../base/errors';
import type { Catalog } from '../catalog/catalog';
import { labelOf } from '../catalog/labelOf';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { Snapshot } from '../content/contentEntry';
import type { ContentStore } from '../content/contentStore';
import { allPartsName, type ContentPart } from '../content/resourceContent';
import { framedPart } from './contextText';
import { dataFrame, fenced, type FramedPart } from './dataFrame';
import { fileSource, picturesFor, rangeSource } from './fileSources';
import type { PinnedResource } from './pins';
import { type Picture, pictureTypes, type Source } from './source';

/** What the participant needs of the documents. */
export interface ParticipantDocuments {
  uriOf(ref: ResourceRef): vscode.Uri;
  childUriOf(ref: ResourceRef, name: string): vscode.Uri;
  targetOf(document: vscode.Uri): { readonly ref: ResourceRef; readonly child?: string } | undefined;
}

/** Something that a person may expect to be used, and that is not. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

export interface GatheredSources {
  readonly sources: readonly Source[];
  readonly leftOut: readonly LeftOut[];
}

export interface SourceSurroundings {
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly content: ContentStore;
  readonly documents: ParticipantDocuments;
  readonly pins: { readonly all: readonly PinnedResource[] };
}

/** Collects what is attached to a question, and what is pinned: each once, read anew. */
export class ParticipantSources {
  constructor(private readonly around: SourceSurroundings) {}

  async gather(
    references: readonly vscode.ChatPromptReference[],
    options: { readonly takesPictures: boolean; readonly signal: AbortSignal },
  ): Promise<GatheredSources> {
    const wanted = new Map<string, { name: string; read: () => Promise<Source> }>();
    const leftOut: LeftOut[] = [];
    for (const { value } of references) {
      const key = this.keyOf(value);
      if (!wanted.has(key)) {
        wanted.set(key, { name: nameOfReference(value), read: () => this.ofReference(value, options) });
      }
    }
    for (const pin of this.around.pins.all) {
      const key = keyOf(pin.ref);
      const attached = wanted.has(key);
      const obstacle = attached ? undefined : this.obstacle(pin);
      if (obstacle !== undefined) {
        leftOut.push({ name: pin.label, reason: obstacle });
      } else if (!attached) {
        wanted.set(key, { name: pin.label, read: () => this.ofResource(pin.ref, undefined, options) });
      }
    }
    const sources = await Promise.all(
      [...wanted.values()].map(async ({ name, read }) => {
        try {
          return await read();
        } catch (error) {
          options.signal.throwIfAborted();
          leftOut.push({ name, reason: messageOf(error) });
          return undefined;
        }
      }),
    );
    return { sources: sources.filter((source) => source !== undefined), leftOut };
  }

  /** The same for the same thing, under whatever name. */
  private keyOf(value: unknown): string {
    if (value instanceof vscode.Uri) {
      const target = this.around.documents.targetOf(value);
      const isWhole = target && (target.child === undefined || target.child === allPartsName);
      return isWhole ? keyOf(target.ref) : value.toString();
    }
    return value instanceof vscode.Location
      ? `${value.uri.toString()} ${JSON.stringify(value.range)}`
      : JSON.stringify(value);
  }

  /** Why a pin is not used: no server is started for it, and nothing meant for the user alone goes out unasked. */
  private obstacle({ ref, state, failure }: PinnedResource): string | undefined {
    const audience = this.around.catalog.entryOf(ref)?.annotations?.audience ?? [];
    switch (state) {
      case 'waiting':
        return vscode.l10n.t('its server is not connected');
      case 'lost':
        return vscode.l10n.t('its server is not configured');
      case 'gone':
        return vscode.l10n.t('its server does not find it');
      case 'failed':
        return failure;
      case 'ready':
      case 'unread':
        return audience.includes('user') && !audience.includes('assistant')
          ? vscode.l10n.t('its server means it for you, not for a model; attach it to send it all the same')
          : undefined;
    }
  }

  private async ofReference(value: unknown, options: { takesPictures: boolean; signal: AbortSignal }): Promise<Source> {
    if (typeof value === 'string') {
      return { name: vscode.l10n.t('attached text'), pieces: [`Attached text:\n\n${fenced(value)}\n`] };
    }
    if (value instanceof vscode.Location) {
      return rangeSource(value);
    }
    if (value instanceof vscode.Uri) {
      const target = this.around.documents.targetOf(value);
      return target ? this.ofResource(target.ref, target.child, options) : fileSource(value, options.takesPictures);
    }
    const picture = await pictureOf(value);
    if (!picture) {
      throw new HumanError(vscode.l10n.t('this kind of attachment is not known here'));
    }
    return { name: vscode.l10n.t('attached picture'), pieces: picturesFor([picture], options.takesPictures) };
  }

  /** The person asked for it, so its server may be started and the person be asked for input. */
  private async ofResource(
    ref: ResourceRef,
    child: string | undefined,
    { takesPictures, signal }: { takesPictures: boolean; signal: AbortSignal },
  ): Promise<Source> {
    const { catalog, content, documents } = this.around;
    const snapshot = await content.read(ref, { purpose: 'open', initiative: 'person', signal });
    const part = child === undefined ? undefined : snapshot.content.children.get(child)?.part;
    const entry = catalog.entryOf(ref);
    const title = entry && labelOf(entry);
    const isDirectory = snapshot.content.shape === 'directory';
    const document =
      child !== undefined
        ? documents.childUriOf(ref, child)
        : isDirectory
          ? documents.childUriOf(ref, allPartsName)
          : documents.uriOf(ref);
    return {
      name: title ?? ref.uri,
      document,
      pieces: resourcePieces(ref, { snapshot, title, parts: part ? [part] : snapshot.content.parts, takesPictures }),
    };
  }
}

interface ResourcePieces {
  readonly snapshot: Snapshot;
  readonly title: string | undefined;
  readonly parts: readonly ContentPart[];
  readonly takesPictures: boolean;
}

/** The framed text of a resource, then its pictures in order. */
function resourcePieces(ref: ResourceRef, { snapshot, title, parts, takesPictures }: ResourcePieces): Source['pieces'] {
  const pictures = parts.filter((part) => takesPictures && !part.isText && pictureTypes.has(part.mimeType ?? ''));
  const framed = parts.map((part): FramedPart => {
    const number = pictures.indexOf(part) + 1;
    return number === 0
      ? framedPart(part)
      : {
          uri: part.uri,
          mimeType: part.mimeType,
          size: part.bytes.byteLength,
          note: `Picture ${number} after this text`,
        };
  });
  return [
    dataFrame({ ...ref, title, readAt: snapshot.readAt, parts: framed }),
    ...pictures.map(({ mimeType, bytes }) => ({ mimeType: mimeType!, bytes })),
  ];
}

/** A picture that was pasted into the chat, where the editor hands such on. */
async function pictureOf(value: unknown): Promise<Picture | undefined> {
  const { mimeType, data } = (value ?? {}) as { mimeType?: unknown; data?: unknown };
  if (typeof mimeType !== 'string' || typeof data !== 'function') {
    return undefined;
  }
  const bytes: unknown = await (data as () => unknown).call(value);
  return bytes instanceof Uint8Array ? { mimeType, bytes } : undefined;
}

function nameOfReference(value: unknown): string {
  const uri = value instanceof vscode.Location ? value.uri : value;
  return uri instanceof vscode.Uri ? (uri.path.split('/').at(-1) ?? uri.toString()) : vscode.l10n.t('an attachment');
}
