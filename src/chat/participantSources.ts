import * as vscode from 'vscode';
import { HumanError } from '../base/errors';
import type { Catalog } from '../catalog/catalog';
import { labelOf } from '../catalog/labelOf';
import { type ConnectionPool, keyOf, type ResourceRef } from '../connection/connectionPool';
import type { Initiative } from '../connection/wire';
import { documentBelow } from '../content/attachedForms';
import type { Snapshot } from '../content/contentEntry';
import type { ContentStore } from '../content/contentStore';
import { allPartsName, type ContentPart } from '../content/resourceContent';
import { framedPart } from './contextText';
import { dataFrame, fenced, type FramedPart } from './dataFrame';
import { fileSource, linesOf, picturesFor, rangeSource } from './fileSources';
import { type LeftOut, obstacleOf, pinReasonOf, reasonOf } from './leftOut';
import type { PinnedResource } from '../content/pinnedResource';
import { type Picture, pictureOf } from './pictures';
import { referenceKey } from './referenceKey';
import type { Source } from './source';

/** What the participant needs of the documents. */
export interface ParticipantDocuments {
  uriOf(ref: ResourceRef): vscode.Uri;
  childUriOf(ref: ResourceRef, name: string): vscode.Uri;
  targetOf(document: vscode.Uri): Target | undefined;
}

interface Target {
  readonly ref: ResourceRef;
  readonly child?: string;
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

/** Something to answer from, before it is read. */
interface Wanted {
  readonly name: string;
  readonly read: () => Promise<Source>;
  readonly reasonOf: (error: unknown) => string;
}

/** What is attached: to the questions before this one, and to it. */
interface References {
  readonly earlier: readonly vscode.ChatPromptReference[];
  readonly now: readonly vscode.ChatPromptReference[];
}

interface GatherOptions {
  readonly takesPictures: boolean;
  readonly signal: AbortSignal;
}

interface ReadingOptions extends GatherOptions {
  readonly initiative: Initiative;
}

/** Collects what is attached to a question, and what is pinned: each once, read anew. */
export class ParticipantSources {
  constructor(private readonly around: SourceSurroundings) {}

  /**
   * What is attached now, a person asks for: its server may be started, and the person be asked for input. For what was
   * attached to an earlier question, neither is done again, and for a pin never.
   */
  async gather({ earlier, now }: References, options: GatherOptions): Promise<GatheredSources> {
    const wanted = new Map<unknown, Wanted>();
    const leftOut: LeftOut[] = [];
    const want = ({ value }: vscode.ChatPromptReference, initiative: Initiative): void => {
      // What is attached again keeps its place, and is read as what is attached now.
      wanted.set(referenceKey(value, this.around.documents), {
        name: nameOfReference(value),
        read: () => this.ofReference(value, { ...options, initiative }),
        reasonOf,
      });
    };
    earlier.forEach((reference) => want(reference, 'background'));
    now.forEach((reference) => want(reference, 'person'));
    for (const pin of this.around.pins.all) {
      const key = keyOf(pin.ref);
      const attached = wanted.has(key);
      const obstacle = attached ? undefined : obstacleOf(pin, this.around.catalog.entryOf(pin.ref));
      if (obstacle !== undefined) {
        leftOut.push({ name: pin.label, reason: obstacle });
      } else if (!attached) {
        wanted.set(key, {
          name: pin.label,
          // Who asks something else must not be asked for its sake.
          read: () => this.ofResource({ ref: pin.ref }, { ...options, initiative: 'background' }),
          reasonOf: pinReasonOf,
        });
      }
    }
    const sources = await Promise.all(
      [...wanted.values()].map(async ({ name, read, reasonOf: why }) => {
        try {
          return await read();
        } catch (error) {
          options.signal.throwIfAborted();
          leftOut.push({ name, reason: why(error) });
          return undefined;
        }
      }),
    );
    return { sources: sources.filter((source) => source !== undefined), leftOut };
  }

  private async ofReference(value: unknown, options: ReadingOptions): Promise<Source> {
    if (typeof value === 'string') {
      return { name: vscode.l10n.t('attached text'), pieces: [`Attached text:\n\n${fenced(value)}\n`] };
    }
    const { documents } = this.around;
    if (value instanceof vscode.Location) {
      const target = documents.targetOf(value.uri);
      return target ? this.ofLines(target, value, options) : rangeSource(value);
    }
    if (value instanceof vscode.Uri) {
      const target = documents.targetOf(value);
      return target ? this.ofResource(target, options) : fileSource(value, options.takesPictures);
    }
    const picture = await pastedPicture(value);
    if (!picture) {
      throw new HumanError(vscode.l10n.t('this kind of attachment is not known here'));
    }
    return { name: vscode.l10n.t('attached picture'), pieces: picturesFor([picture], options.takesPictures) };
  }

  private async ofResource(
    { ref, child }: Target,
    { takesPictures, signal, initiative }: ReadingOptions,
  ): Promise<Source> {
    const { catalog, content, documents } = this.around;
    const snapshot = await content.read(ref, { purpose: 'open', initiative, signal });
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

  /** Lines of a document of a resource: as much a server's text as the whole. */
  private async ofLines(
    { ref, child }: Target,
    { uri: document, range }: vscode.Location,
    { signal, initiative }: ReadingOptions,
  ): Promise<Source> {
    const { catalog, content } = this.around;
    const { readAt, content: now } = await content.read(ref, { purpose: 'open', initiative, signal });
    const shown = child === undefined ? now : documentBelow(child, now, ref);
    const entry = catalog.entryOf(ref);
    const title = entry && labelOf(entry);
    // Of the document: the lines are those that were selected in it, however it was made of the resource.
    const opened = await vscode.workspace.openTextDocument(document);
    const text = opened.getText(range);
    const { first, last } = linesOf(range);
    const part = {
      uri: shown?.part?.uri ?? ref.uri,
      mimeType: shown?.mimeType,
      size: shown?.bytes.byteLength ?? Buffer.byteLength(opened.getText()),
      text,
      note: `Only what is selected of lines ${first} to ${last}, of ${opened.lineCount} lines`,
    };
    return {
      name: `${title ?? ref.uri}:${first}-${last}`,
      document,
      pieces: [dataFrame({ ...ref, title, readAt, parts: [part] })],
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
  const pictures: Picture[] = [];
  const framed = parts.map((part): FramedPart => {
    const picture = takesPictures ? pictureOf(part) : undefined;
    if (!picture) {
      return framedPart(part);
    }
    pictures.push(picture);
    const { uri, mimeType, bytes } = part;
    return { uri, mimeType, size: bytes.byteLength, note: `Picture ${pictures.length} after this text` };
  });
  return [dataFrame({ ...ref, title, readAt: snapshot.readAt, parts: framed }), ...pictures];
}

/** A picture that was pasted into the chat, where the editor hands such on. */
async function pastedPicture(value: unknown): Promise<Picture | undefined> {
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
