import { parseMediaType } from '../base/mediaType';
import type { ResourceRef } from '../connection/connectionPool';
import type { Snapshot } from '../content/contentEntry';
import type { ContentPart } from '../content/resourceContent';
import { framedPart, textOf } from './contextText';
import { dataFrame, type FramedPart } from './dataFrame';
import { textRange, type TextStart } from './textRange';
import { ToolError } from './toolInput';

/** What a model asks of a resource. */
export interface ReadWish {
  /** One part alone, from 1. */
  readonly part?: number;
  readonly start: TextStart;
  /** As much text as is given at once. UTF-16 units. */
  readonly limit: number;
}

/** A picture that goes to a model beside the text. */
export interface PictureForModel {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** What a model gets of a resource. */
export interface ReadResult {
  readonly text: string;
  readonly pictures: readonly PictureForModel[];
}

/** Types of pictures that models take. */
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Larger pictures are refused by models. Bytes. */
const largestPicture = 5 * 1024 * 1024;

/** What is common to all ways to hand over one resource. */
interface ReadFacts {
  readonly ref: ResourceRef;
  readonly title?: string;
  readonly snapshot: Snapshot;
  /** The editor can hand pictures to a model. */
  readonly takesPictures: boolean;
}

/**
 * A resource for a model: every part is named, and text is given from the wished place on, as far as the limit goes.
 * Throws a ToolError where there is no such place.
 */
export function readResult(
  { ref, title, snapshot, takesPictures }: ReadFacts,
  { part, start, limit }: ReadWish,
): ReadResult {
  const { parts } = snapshot.content;
  if (part !== undefined && part > parts.length) {
    throw new ToolError(`"part" is ${part}, and the resource has ${parts.length} parts.`);
  }
  const fromStart = start.line === 1 && start.character === 1;
  const texts = parts.filter(({ isText }) => isText);
  if (part === undefined && !fromStart && texts.length > 1) {
    throw new ToolError('The resource has several parts: say by "part" in which one "startLine" is meant.');
  }
  const pictures: PictureForModel[] = [];
  let left = limit;
  const framed = parts.map((each, index): FramedPart => {
    const { uri, mimeType, bytes } = each;
    const named = { uri, mimeType, size: bytes.byteLength };
    if (part !== undefined && part !== index + 1) {
      return { ...named, note: 'Not asked for.' };
    }
    if (each.isText) {
      if (left === 0) {
        return { ...named, note: `Left out for its length. To read it: "part": ${index + 1}.` };
      }
      const range = textRange(textOf(each), start, left);
      left = Math.max(0, left - range.text.length);
      const wherePart = parts.length > 1 && range.note?.includes('To read on') ? ` "part": ${index + 1}.` : '';
      return { ...named, text: range.text, ...(range.note === undefined ? {} : { note: range.note + wherePart }) };
    }
    const picture = pictureOf(each);
    if (picture && takesPictures) {
      pictures.push(picture);
      return { ...named, note: `Picture ${pictures.length} after this text.` };
    }
    return framedPart(each);
  });
  const { serverId, uri } = ref;
  return { text: dataFrame({ serverId, uri, title, readAt: snapshot.readAt, parts: framed }), pictures };
}

function pictureOf({ bytes, mimeType, isText, failure }: ContentPart): PictureForModel | undefined {
  const type = parseMediaType(mimeType ?? '')?.essence ?? '';
  const fits = !isText && failure === undefined && bytes.byteLength <= largestPicture && pictureTypes.has(type);
  return fits ? { bytes, mimeType: type } : undefined;
}
