import type { ResourceRef } from '../connection/connectionPool';
import type { Snapshot } from '../content/contentEntry';
import type { ContentPart } from '../content/resourceContent';
import { framedPart, textOf } from './contextText';
import { dataFrame, type FramedPart, nameOfPart } from './dataFrame';
import { type Picture, pictureOf } from './pictures';
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

/** What a model gets of a resource. */
export interface ReadResult {
  readonly text: string;
  readonly pictures: readonly Picture[];
}

const MOST_PICTURES = 10;
const MOST_PICTURE_BYTES = 20 * 1024 * 1024;

const MOST_PARTS = 100;
/** Naming the parts takes so many characters without a loss of text; what it takes beyond is taken from the text. */
const FREE_NAMES = 1000;
/** What stands around a part's name and text: its number, fences, a note of ours. */
const AROUND_PART = 100;

/** What is common to all ways to hand over one resource. */
interface ReadFacts {
  readonly ref: ResourceRef;
  readonly title?: string;
  readonly snapshot: Snapshot;
  /** The editor can hand pictures to a model. */
  readonly takesPictures: boolean;
}

/**
 * A resource for a model: the parts are named, and text is given from the wished place on, as far as the limit goes.
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
  const asked = part ?? (!fromStart && texts.length === 1 ? parts.indexOf(texts[0]!) + 1 : undefined);
  const { named, length } = namedParts(parts, asked, limit);
  const first = asked ?? 1;
  const pictures: Picture[] = [];
  let pictureBytes = 0;
  let left = Math.max(Math.ceil(limit / 2), limit - Math.max(0, length - FREE_NAMES));
  const framed = named.map((each, index): FramedPart => {
    const { uri, mimeType, bytes } = each;
    const name = { uri, mimeType, size: bytes.byteLength };
    const number = first + index;
    if (each.isText) {
      if (left <= 0) {
        return { ...name, note: `Left out for its length. To read it: "part": ${number}.` };
      }
      const range = textRange(textOf(each), start, left);
      left -= range.text.length;
      const wherePart = parts.length > 1 && range.note?.includes('To read on') ? ` "part": ${number}.` : '';
      return { ...name, text: range.text, ...(range.note === undefined ? {} : { note: range.note + wherePart }) };
    }
    const picture = pictureOf(each);
    if (picture && takesPictures) {
      if (pictures.length === MOST_PICTURES || pictureBytes + bytes.byteLength > MOST_PICTURE_BYTES) {
        return { ...name, note: `Picture left out: there are many. To see it: "part": ${number}.` };
      }
      pictures.push(picture);
      pictureBytes += bytes.byteLength;
      return { ...name, note: `Picture ${pictures.length} after this text.` };
    }
    return framedPart(each);
  });
  const { serverId, uri } = ref;
  const others = parts.length - named.length;
  const frame = { serverId, uri, title, readAt: snapshot.readAt, parts: framed, among: { first, total: parts.length } };
  const rest = `${others} ${asked === undefined ? 'more' : 'other'} part${others === 1 ? '' : 's'}; ask by "part".`;
  return { text: dataFrame(others > 0 ? { ...frame, rest } : frame), pictures };
}

/** The one that is asked for, or the first ones: as many as can be named in half of the limit, and what that takes. */
function namedParts(
  parts: readonly ContentPart[],
  asked: number | undefined,
  limit: number,
): { readonly named: readonly ContentPart[]; readonly length: number } {
  const candidates = asked === undefined ? parts.slice(0, MOST_PARTS) : parts.slice(asked - 1, asked);
  const most = Math.max(FREE_NAMES, limit / 2);
  const named: ContentPart[] = [];
  let length = 0;
  for (const part of candidates) {
    const { uri, mimeType, bytes } = part;
    const note = part.isText ? '' : (framedPart(part).note ?? '');
    const own = parts.length === 1 ? 0 : nameOfPart({ uri, mimeType, size: bytes.byteLength }).length + AROUND_PART;
    if (named.length > 0 && length + own + note.length > most) {
      break;
    }
    named.push(part);
    length += own + note.length;
  }
  return { named, length };
}
