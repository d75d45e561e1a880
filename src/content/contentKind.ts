import { filetypeinfo } from 'magic-bytes.js';
import { isTextType, parseMediaType } from '../base/mediaType';

const OCTETS = 'application/octet-stream';
/** Signatures lie within the first bytes; more than this is not looked at. */
const SIGNATURE_BYTES = 4096;
/** As much of a blob decides whether it is text at all. */
const TEXT_SAMPLE_BYTES = 64 * 1024;

/** What a blob is: its MIME type, and whether it is text. */
export interface BlobKind {
  readonly mimeType: string;
  readonly isText: boolean;
}

/**
 * The type of a text item: the read's own, unless it says nothing more than "text" where the list says more.
 * `undefined` where neither says anything.
 */
export function textKind(read: string | undefined, listed: string | undefined): string | undefined {
  const own = essenceOf(read);
  const other = essenceOf(listed);
  if (own === undefined) {
    return other === undefined || isTextType(other) ? listed : undefined;
  }
  const vague = own === OCTETS || own === 'text/plain';
  return vague && other !== undefined && isTextType(other) ? listed : read;
}

/**
 * What a blob really is. Of what the read and the list claim, the contents decide: a signature overrules a claim that
 * contradicts it, and what is valid text under a claim of text stays text (seen in published servers: a PNG listed as
 * image/png and read as application/octet-stream; text sent as a blob).
 */
export function blobKind(bytes: Uint8Array, read: string | undefined, listed: string | undefined): BlobKind {
  const claims = [read, listed].filter((claim): claim is string => {
    const essence = essenceOf(claim);
    return essence !== undefined && essence !== OCTETS;
  });
  const textClaim = claims.find(isTextType);
  const specificClaim = claims.find((claim) => !isTextType(claim));
  const signatures = signaturesOf(bytes);
  const confirmed = claims.find((claim) => signatures.includes(essenceOf(claim)!));
  if (confirmed !== undefined) {
    return { mimeType: confirmed, isText: isTextType(confirmed) };
  }
  if (textClaim !== undefined && (charsetOf(textClaim) !== undefined || looksLikeText(bytes))) {
    return { mimeType: textClaim, isText: true };
  }
  const [signature] = signatures;
  if (signature !== undefined && !isTextType(signature)) {
    return { mimeType: signature, isText: false };
  }
  if (specificClaim !== undefined) {
    return { mimeType: specificClaim, isText: false };
  }
  if (bytes.length > 0 && looksLikeText(bytes)) {
    return { mimeType: textClaim ?? 'text/plain', isText: true };
  }
  return { mimeType: OCTETS, isText: false };
}

/** Whether bytes begin as those of a type do. */
export function hasSignatureOf(bytes: Uint8Array, mimeType: string): boolean {
  return signaturesOf(bytes).includes(mimeType);
}

/** Textual bytes as UTF-8, by the `charset` of their MIME type. A byte order mark is left for the editor to see. */
export function textBytes(bytes: Uint8Array, mimeType: string): Uint8Array {
  const charset = charsetOf(mimeType);
  if (charset === undefined) {
    return bytes;
  }
  return Buffer.from(new TextDecoder(charset).decode(bytes), 'utf8');
}

function essenceOf(mimeType: string | undefined): string | undefined {
  return mimeType === undefined ? undefined : parseMediaType(mimeType)?.essence;
}

/** A charset that is known and not UTF-8. */
function charsetOf(mimeType: string): string | undefined {
  const charset = parseMediaType(mimeType)?.parameters.get('charset');
  if (charset === undefined) {
    return undefined;
  }
  try {
    const { encoding } = new TextDecoder(charset);
    return encoding === 'utf-8' ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function signaturesOf(bytes: Uint8Array): readonly string[] {
  return filetypeinfo(bytes.subarray(0, SIGNATURE_BYTES)).flatMap(({ mime }) => (mime === undefined ? [] : [mime]));
}

/** Valid UTF-8 (or UTF-16 with a byte order mark) without the control characters that only binary data has. */
function looksLikeText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, TEXT_SAMPLE_BYTES);
  if ((sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff)) {
    return true;
  }
  if (sample.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))) {
    return false;
  }
  try {
    // `stream`: the sample may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}
