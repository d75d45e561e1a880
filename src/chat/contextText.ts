import type { ResourceRef } from '../connection/connectionPool';
import type { Snapshot } from '../content/contentEntry';
import { textBytes } from '../content/contentKind';
import { documentFileName } from '../content/fileName';
import type { ContentPart } from '../content/resourceContent';
import { dataFrame, type FramedPart, shownValue } from './dataFrame';

/** A resource as text for a model: every part in order, framed as data. What is no text is named, never written out. */
export function contextText({ serverId, uri }: ResourceRef, { content, readAt }: Snapshot, title?: string): string {
  return dataFrame({ serverId, uri, title, readAt, parts: content.parts.map(framedPart) });
}

/** A part for a frame: all of its text, or a note that says what is left out. */
export function framedPart(part: ContentPart): FramedPart {
  const { uri, mimeType, bytes, failure } = part;
  const framed = { uri, mimeType, size: bytes.byteLength };
  if (failure !== undefined) {
    return { ...framed, note: `This part could not be read: ${shownValue(failure)}` };
  }
  return part.isText
    ? { ...framed, text: textOf(part) }
    : { ...framed, note: `Binary data, left out: ${shownValue(documentFileName({ uri, mimeType }))}` };
}

/** The text of a part, by its charset. What is no valid text becomes U+FFFD. */
export function textOf({ bytes, mimeType }: ContentPart): string {
  return Buffer.from(mimeType === undefined ? bytes : textBytes(bytes, mimeType)).toString('utf8');
}
