import { HumanError } from '../base/errors';
import { withoutStop } from '../base/sentence';
import type { ContentItem } from '../connection/wire';
import { blobKind, textBytes, textKind } from './contentKind';
import { derivedDocuments } from './derivedDocuments';
import { documentFileName } from './fileName';
import { FreeNames } from './freeNames';
import { hiddenCharacters } from './segmentEscape';

/** One item of a read's answer, decoded. */
export interface ContentPart {
  readonly uri: string;
  /** The type that fits the bytes best, of what the read, the list and the bytes say. */
  readonly mimeType?: string;
  /** The exact bytes: UTF-8 of the text, or the decoded blob. */
  readonly bytes: Uint8Array;
  readonly isText: boolean;
  /** Why the part could not be decoded; its bytes are empty then. */
  readonly failure?: string;
}

/** Something that can be opened as a document: a part, or all of them in one. */
export interface ContentDocument {
  /** What the editor shows: the exact bytes, except that text of another charset is UTF-8. */
  readonly bytes: Uint8Array;
  readonly mimeType?: string;
  readonly isText: boolean;
  /** The part that the document is, unless it is made of several. */
  readonly part?: ContentPart;
}

/**
 * What a resource says now. A `file` is one document; further parts of the same URI in other types stand beside it as
 * `children`. A `directory` has all its parts as children, and one that shows every text in order.
 */
export interface ResourceContent extends ContentDocument {
  readonly shape: 'file' | 'directory';
  /** Every item of the answer, in order. */
  readonly parts: readonly ContentPart[];
  /** Documents below the resource, by file name. */
  readonly children: ReadonlyMap<string, ContentDocument>;
}

/** What is known of a resource before it is read. */
export interface ListedAs {
  readonly uri: string;
  readonly mimeType?: string;
}

/** Name of the child that shows all parts of a directory in order. */
export const allPartsName = 'All Parts.md';

/** The MIME type of a directory-like resource (specification: server/resources, common URI schemes). */
export const directoryType = 'inode/directory';

/** Makes documents of a read's answer (specification: server/resources, ReadResourceResult). Never drops an item. Throws a HumanError where the only item is unusable. */
export function resourceContent(items: readonly ContentItem[], listed: ListedAs): ResourceContent {
  const parts = items.map((item) => decodePart(item, items.length === 1 ? listed.mimeType : undefined));
  const [first] = parts;
  if (!first) {
    const shape = listed.mimeType === directoryType ? 'directory' : 'file';
    return { shape, parts, children: new Map(), bytes: new Uint8Array(), mimeType: listed.mimeType, isText: true };
  }
  if (parts.length === 1 && first.failure !== undefined) {
    throw new HumanError(`The server's answer cannot be shown: ${withoutStop(first.failure)}.`);
  }
  if (isDirectory(parts, listed)) {
    const all = allParts(parts);
    const children = new Map([...namedChildren(parts), [allPartsName, all] as const]);
    return { ...all, shape: 'directory', parts, children };
  }
  const main = parts.find(({ isText }) => isText) ?? first;
  const document = documentOf(main);
  const children = namedChildren(parts.filter((part) => part !== main));
  for (const [name, derived] of derivedDocuments(document)) {
    children.set(name, derived);
  }
  return { ...document, shape: 'file', parts, children };
}

/** Whether two answers say the same, part by part. */
export function sameContent(a: ResourceContent, b: ResourceContent): boolean {
  return (
    a.parts.length === b.parts.length &&
    a.parts.every((part, index) => {
      const other = b.parts[index]!;
      return (
        part.uri === other.uri && part.mimeType === other.mimeType && Buffer.compare(part.bytes, other.bytes) === 0
      );
    })
  );
}

/** Bytes that a content keeps in memory. */
export function contentSize(content: ResourceContent): number {
  const parts = content.parts.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  return content.shape === 'directory' ? parts + content.bytes.byteLength : parts;
}

/** Several parts are a directory, except one resource in several types; a part of a URI of its own is never the resource. */
function isDirectory(parts: readonly ContentPart[], listed: ListedAs): boolean {
  if (listed.mimeType === directoryType || parts.some(({ mimeType }) => mimeType === directoryType)) {
    return true;
  }
  const sameUri = new Set(parts.map(({ uri }) => uri)).size === 1;
  const typesDiffer = new Set(parts.map(({ mimeType }) => mimeType)).size === parts.length;
  return parts.length > 1 && !(sameUri && typesDiffer);
}

function decodePart(item: ContentItem, listedType: string | undefined): ContentPart {
  const { uri, text, blob, failure } = item;
  if (failure === undefined && typeof text === 'string') {
    return { uri, mimeType: textKind(item.mimeType, listedType), bytes: Buffer.from(text, 'utf8'), isText: true };
  }
  if (failure === undefined && typeof blob === 'string') {
    const bytes = Buffer.from(blob, 'base64');
    return { uri, bytes, ...blobKind(bytes, item.mimeType, listedType) };
  }
  const reason = failure ?? 'it holds neither text nor binary data';
  return { uri, bytes: new Uint8Array(), isText: false, failure: reason };
}

function documentOf(part: ContentPart): ContentDocument {
  const { bytes, mimeType, isText } = part;
  return { bytes: isText && mimeType !== undefined ? textBytes(bytes, mimeType) : bytes, mimeType, isText, part };
}

function namedChildren(parts: readonly ContentPart[]): Map<string, ContentDocument> {
  const children = new Map<string, ContentDocument>();
  const names = new FreeNames([allPartsName]);
  for (const part of parts) {
    children.set(names.take(documentFileName({ uri: part.uri, mimeType: part.mimeType })), documentOf(part));
  }
  return children;
}

/** `numbers`: where to go on counting for each name; thousands of parts may have the same. */
/** Every text in order under a heading of its own; what is no text is named with type and size. */
function allParts(parts: readonly ContentPart[]): ContentDocument {
  const sections = parts.map((part, index) => {
    const heading = `# ${index + 1}. ${part.uri.replace(hiddenCharacters, ' ').replace(/\s+/gu, ' ')}\n\n`;
    if (part.failure !== undefined) {
      return Buffer.from(`${heading}(This part could not be read: ${withoutStop(part.failure)}.)\n`);
    }
    if (!part.isText) {
      return Buffer.from(`${heading}(${part.mimeType ?? 'Binary data'}, ${part.bytes.byteLength} bytes)\n`);
    }
    return Buffer.concat([Buffer.from(heading), documentOf(part).bytes, Buffer.from('\n')]);
  });
  const bytes = Buffer.concat(
    sections.flatMap((section, index) => (index === 0 ? [section] : [Buffer.from('\n'), section])),
  );
  return { bytes, mimeType: 'text/markdown', isText: true };
}
