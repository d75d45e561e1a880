import { isTextType, parseMediaType } from '../base/mediaType';
import { HumanError } from '../base/errors';
import type { ContentItem } from '../connection/wire';

/** One item of a read's answer, decoded. */
export interface ContentPart {
  readonly uri: string;
  readonly mimeType?: string;
  /** The exact bytes: UTF-8 of the text, or the decoded blob. */
  readonly bytes: Uint8Array;
  readonly isText: boolean;
}

/** What a resource says now, as one document. */
export interface ResourceContent {
  readonly parts: readonly ContentPart[];
  /** The bytes of the document: those of the only part, or all textual parts in order. */
  readonly bytes: Uint8Array;
  /** The type that fits the document best, of what the read and the list say. */
  readonly mimeType?: string;
  readonly isText: boolean;
}

const SEPARATOR = Buffer.from('\n\n');

/** Makes a document of a read's answer. `listedType` is the MIME type of the list. Throws a HumanError on odd items. */
export function resourceContent(items: readonly ContentItem[], listedType: string | undefined): ResourceContent {
  const parts = items.map((item, index) => decodePart(item, index, items.length === 1 ? listedType : undefined));
  const only = parts[0];
  if (parts.length === 1 && only) {
    return { parts, bytes: only.bytes, mimeType: only.mimeType, isText: only.isText };
  }
  const texts = parts.filter((part) => part.isText);
  const bytes = Buffer.concat(texts.flatMap((part, index) => (index === 0 ? [part.bytes] : [SEPARATOR, part.bytes])));
  const types = new Set(texts.map((part) => part.mimeType));
  return { parts, bytes, mimeType: types.size === 1 ? [...types][0] : 'text/plain', isText: true };
}

function decodePart(item: ContentItem, index: number, listedType: string | undefined): ContentPart {
  const { uri, text, blob } = item;
  if (typeof text === 'string') {
    return {
      uri,
      mimeType: betterType(item.mimeType, listedType, true),
      bytes: Buffer.from(text, 'utf8'),
      isText: true,
    };
  }
  if (typeof blob === 'string') {
    const mimeType = betterType(item.mimeType, listedType, false);
    return {
      uri,
      mimeType,
      bytes: Buffer.from(blob, 'base64'),
      isText: mimeType !== undefined && isTextType(mimeType),
    };
  }
  throw new HumanError(`Part ${index + 1} of the answer holds neither text nor binary data.`);
}

/**
 * The read's own type, unless it says nothing ("octet-stream", or plain text for a blob) where the list says more
 * (seen in published servers: a PNG that is listed as image/png and read as application/octet-stream).
 */
function betterType(read: string | undefined, listed: string | undefined, isText: boolean): string | undefined {
  const readEssence = read === undefined ? undefined : parseMediaType(read)?.essence;
  if (readEssence === undefined) {
    return listed ?? read;
  }
  const listedEssence = listed === undefined ? undefined : parseMediaType(listed)?.essence;
  if (listedEssence === undefined) {
    return read;
  }
  const saysNothing = readEssence === 'application/octet-stream' || readEssence === 'text/plain';
  const listedFits = isText ? isTextType(listedEssence) : listedEssence !== 'application/octet-stream';
  return saysNothing && listedFits ? listed : read;
}
