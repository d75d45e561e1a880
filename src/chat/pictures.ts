import { parseMediaType } from '../base/mediaType';
import { hasSignatureOf } from '../content/contentKind';
import type { ContentPart } from '../content/resourceContent';

/** A picture as it goes to a model. */
export interface Picture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Kinds of pictures that models take. */
export const pictureTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Larger pictures are refused by models. Bytes. */
const LARGEST = 5 * 1024 * 1024;

/**
 * A part as a picture for a model; `undefined` where it is none that models take. What a server merely calls a picture is
 * none: a model refuses the whole request for the sake of one that it cannot read.
 */
export function pictureOf({ bytes, mimeType, isText, failure }: ContentPart): Picture | undefined {
  const type = parseMediaType(mimeType ?? '')?.essence ?? '';
  const fits = !isText && failure === undefined && bytes.byteLength <= LARGEST && pictureTypes.has(type);
  return fits && hasSignatureOf(bytes, type) ? { bytes, mimeType: type } : undefined;
}
