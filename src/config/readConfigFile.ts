import { HumanError, messageOf } from '../base/errors';
import { readRegularFile } from '../base/readRegularFile';

/** What was found at a path. No file is not a fault: most workspaces have none. */
export type ConfigFileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'error'; readonly message: string };

/** Bytes. A configuration is some kilobytes; what is larger was put there by mistake or malice. */
const largest = 4 * 1024 * 1024;

/** Reads a configuration file: UTF-8, or UTF-16 with a byte order mark. Rejects only when the signal is aborted. */
export async function readConfigFile(path: string, signal?: AbortSignal): Promise<ConfigFileText> {
  try {
    return { kind: 'text', text: decode(await readRegularFile(path, largest, signal)) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof HumanError) {
      return { kind: 'error', message: error.message };
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return { kind: 'none' };
    }
    if (code === 'ELOOP') {
      return { kind: 'error', message: 'It is a symbolic link that leads back to itself' };
    }
    return { kind: 'error', message: `The file cannot be read: ${messageOf(error)}` };
  }
}

/** What is not UTF-8 becomes U+FFFD, which the dialect refuses where it matters. The byte order mark stays. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) {
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  }
  return bytes.toString(first === 0xff && second === 0xfe ? 'utf16le' : 'utf8');
}
