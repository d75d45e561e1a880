import { shown } from './repairNotes';

/** A blob made fit: `mended` says what was done to it, `mimeType` is what its `data:` prefix said. */
export type RepairedBlob =
  { readonly base64: string; readonly mended?: string; readonly mimeType?: string } | { readonly failure: string };

const DATA_PREFIX = /^\s*data:([^,;]*)((?:;[^,;]*)*),/i;
const WHITE_SPACE = /\s+/g;

/**
 * Base64 as the specification asks for it (server/resources, BlobResourceContents; RFC 4648 section 4) of what servers
 * send for it: with a `data:` prefix, line breaks, the URL-safe alphabet, without padding, or as a list of bytes.
 */
export function repairBlob(blob: unknown): RepairedBlob {
  if (typeof blob === 'string') {
    return isCanonical(blob) ? { base64: blob } : repairText(blob);
  }
  const bytes = bytesOf(blob);
  if (bytes) {
    return { base64: Buffer.from(bytes).toString('base64'), mended: 'the blob, a list of bytes, became base64' };
  }
  return { failure: `its blob is ${shown(blob)}, not base64` };
}

/** Padded and of the standard alphabet alone. As quick as decoding it: blobs are large, and most of them are right. */
function isCanonical(text: string): boolean {
  if (text.length % 4 !== 0) {
    return false;
  }
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  try {
    // White space would be tolerated here, and would make the length differ.
    return atob(text).length === (text.length / 4) * 3 - padding;
  } catch {
    return false;
  }
}

function repairText(text: string): RepairedBlob {
  const done: string[] = [];
  let rest = text;
  let mimeType: string | undefined;
  const prefix = DATA_PREFIX.exec(text);
  if (prefix) {
    rest = text.slice(prefix[0].length);
    mimeType = prefix[1]?.trim() === '' ? undefined : prefix[1]?.trim();
    done.push('the "data:" prefix');
    if (!/;\s*base64\s*$/i.test(prefix[2] ?? '')) {
      return fromPercentEncoded(rest, mimeType);
    }
  }
  const alphabet = rest.replaceAll('-', '+').replaceAll('_', '/');
  if (alphabet !== rest) {
    done.push('the URL-safe alphabet');
  }
  const dense = alphabet.replace(WHITE_SPACE, '');
  if (dense !== alphabet) {
    done.push('white space');
  }
  const bare = dense.replace(/={1,3}$/, '');
  const base64 = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
  if (base64 !== dense) {
    done.push('wrong padding');
  }
  const bad = /[^A-Za-z0-9+/]/.exec(bare);
  if (bad) {
    return { failure: `its blob is not base64: ${shown(bad[0])} stands at ${bad.index + 1}` };
  }
  if (bare.length % 4 === 1) {
    return { failure: `its blob is not base64: ${bare.length} characters are no whole number of bytes` };
  }
  return { base64, mended: `the blob was rid of ${done.join(', ')}`, mimeType };
}

/** A `data:` URL that is not base64 (RFC 2397). */
function fromPercentEncoded(text: string, mimeType: string | undefined): RepairedBlob {
  // By runs: a call for each of millions of bytes would take seconds.
  const bytes = text.replace(/((?:%[0-9a-f]{2})+)|[^%]+/gi, (run, encoded: string | undefined) =>
    (encoded === undefined ? Buffer.from(run, 'utf8') : Buffer.from(run.replaceAll('%', ''), 'hex')).toString('latin1'),
  );
  return {
    base64: Buffer.from(bytes, 'latin1').toString('base64'),
    mended: 'the blob, a "data:" URL of text, became base64',
    mimeType,
  };
}

/** Bytes as JSON has them: `[1, 2]`, or Node's `{ type: 'Buffer', data: [1, 2] }`. */
function bytesOf(value: unknown): readonly number[] | undefined {
  const list: unknown =
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value
      ? value.data
      : value;
  return Array.isArray(list) && list.every(isByte) ? list : undefined;
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}
