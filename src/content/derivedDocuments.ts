import { applyEdits, format } from 'jsonc-parser';
import { parseMediaType } from '../base/mediaType';
import type { ContentDocument } from './resourceContent';

/** VS Code does not hand text beyond this to extensions, and so to no chat and no language. Bytes. */
export const largestText = 50 * 1024 * 1024;

/** How much of a larger text can be opened. Bytes. */
const firstPart = 10 * 1024 * 1024;

/** Formatting more than this would block for too long. Bytes. */
const largestFormatted = 5 * 1024 * 1024;

/** Name of the child that shows JSON of one long line in many. */
export const formattedName = 'Formatted.json';

/** Name of the child that shows the beginning of a text that is too large. */
export const beginningName = 'First 10 MB.txt';

/** Documents that are made of another one, when they are opened: its beginning, or its formatted form. */
export function derivedDocuments(document: ContentDocument): readonly (readonly [string, ContentDocument])[] {
  if (!document.isText) {
    return [];
  }
  if (document.bytes.byteLength > largestText) {
    return [[beginningName, derived('text/plain', () => beginning(document.bytes))]];
  }
  if (isJson(document.mimeType) && isOneLongLine(document.bytes)) {
    return [[formattedName, derived('application/json', () => formatted(document.bytes))]];
  }
  return [];
}

function derived(mimeType: string, make: () => Uint8Array): ContentDocument {
  let made: Uint8Array | undefined;
  return {
    mimeType,
    isText: true,
    get bytes() {
      return (made ??= make());
    },
  };
}

/** Cut at the end of a line where one is near, else between two characters. */
function beginning(bytes: Uint8Array): Uint8Array {
  const newline = bytes.lastIndexOf(0x0a, firstPart);
  let end = newline > firstPart / 2 ? newline + 1 : firstPart;
  // 10xxxxxx continues a character of UTF-8.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.subarray(0, end);
}

function isJson(mimeType: string | undefined): boolean {
  const essence = mimeType === undefined ? undefined : parseMediaType(mimeType)?.essence;
  return essence === 'application/json' || essence?.endsWith('+json') === true;
}

function isOneLongLine(bytes: Uint8Array): boolean {
  const newline = bytes.indexOf(0x0a);
  return (
    bytes.byteLength > 100 && bytes.byteLength <= largestFormatted && (newline < 0 || newline >= bytes.byteLength - 2)
  );
}

/** By edits of white space alone: numbers and escapes stay as the server wrote them. */
function formatted(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' })), 'utf8');
}
