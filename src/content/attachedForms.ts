import { posix } from 'node:path';
import type { ResourceRef } from '../connection/connectionPool';
import type { ContentDocument, ResourceContent } from './resourceContent';
import { visibleText } from './visibleText';

const FIRST_PART = / \(first (\d{1,9}) kB\)(?=\.[^.]*$|$)/;
const ABOUT = /^About (.+)\.txt$/;
/** A cut is moved back by at most this share of the text to end a paragraph or a line. */
const SENSIBLE_SHARE = 0.25;
/** Characters that are looked at to end between two characters as a person sees them. */
const LOOKED_AT = 64;

/** Name of the document that shows the beginning of another one: `notes.md` becomes `notes (first 20 kB).md`. */
export function firstPartName(fileName: string, kilobytes: number): string {
  const extension = posix.extname(fileName);
  return `${fileName.slice(0, fileName.length - extension.length)} (first ${kilobytes} kB)${extension}`;
}

/** Name of the document that says of another one, which is no text, what it is. */
export function aboutName(fileName: string): string {
  return `About ${fileName}.txt`;
}

/**
 * The document of that name below a resource: one of its children, or a form of them or of the resource itself that is made
 * for a chat. A form has no state: its name says all, so it is there after a reload, and follows the resource.
 */
export function documentBelow(
  name: string,
  content: ResourceContent,
  { serverId, uri }: ResourceRef,
): ContentDocument | undefined {
  const child = content.children.get(name);
  if (child) {
    return child;
  }
  const kilobytes = FIRST_PART.exec(name)?.[1];
  if (kilobytes !== undefined) {
    const source = content.children.get(name.replace(FIRST_PART, '')) ?? content;
    const { mimeType, isText } = source;
    return isText ? { mimeType, isText, bytes: firstPart(source.bytes, Number(kilobytes) * 1000) } : undefined;
  }
  const described = ABOUT.exec(name)?.[1];
  const source = described === undefined ? undefined : (content.children.get(described) ?? content);
  if (source && !source.isText) {
    const lines = [
      `MCP resource: ${visibleText(uri)}`,
      `Server: ${visibleText(serverId)}`,
      `Name: ${visibleText(described!)}`,
      `Type: ${visibleText(source.mimeType ?? 'unknown')}`,
      `Size: ${source.bytes.byteLength} bytes`,
      'The contents are not text and are not given here.',
    ];
    return { mimeType: 'text/plain', isText: true, bytes: Buffer.from(`${lines.join('\n')}\n`) };
  }
  return undefined;
}

/** At most `limit` bytes from the beginning of a UTF-8 text: to the end of a paragraph, a line, a word, or a character. */
export function firstPart(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.byteLength <= limit) {
    return bytes;
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const earliest = limit * (1 - SENSIBLE_SHARE);
  for (const boundary of ['\n\n', '\r\n\r\n', '\n', '. ', '。', ' ']) {
    const length = Buffer.byteLength(boundary);
    const found = limit < length ? -1 : buffer.lastIndexOf(boundary, limit - length);
    const end = found + length;
    if (found >= 0 && end > earliest) {
      return bytes.subarray(0, end);
    }
  }
  return bytes.subarray(0, characterEnd(buffer, limit));
}

/** The last place at or before `limit` between two characters as a person sees them. */
function characterEnd(buffer: Buffer, limit: number): number {
  const startOfCharacter = (at: number): number => {
    let start = at;
    // 10xxxxxx continues a character of UTF-8.
    while (start > 0 && start < buffer.length && (buffer[start]! & 0xc0) === 0x80) {
      start -= 1;
    }
    return start;
  };
  const from = startOfCharacter(Math.max(0, limit - LOOKED_AT));
  const to = startOfCharacter(Math.min(buffer.length, limit + LOOKED_AT));
  const end = startOfCharacter(limit);
  let at = from;
  for (const { segment } of new Intl.Segmenter().segment(buffer.toString('utf8', from, to))) {
    const next = at + Buffer.byteLength(segment);
    if (next > end) {
      break;
    }
    at = next;
  }
  // One "character" without end, such as a letter under endless marks, is cut after all.
  return at > from ? at : end;
}
