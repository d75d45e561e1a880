import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '../base/errors';

/** What was found at a path. No file is not a fault: most workspaces have none. */
export type ConfigFileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'error'; readonly message: string };

/** Bytes. A configuration is some kilobytes; what is larger was put there by mistake or malice. */
const largest = 4 * 1024 * 1024;

/** Reads a configuration file as UTF-8. Rejects only when the signal is aborted. */
export async function readConfigFile(path: string, signal?: AbortSignal): Promise<ConfigFileText> {
  try {
    // A named pipe would never end.
    const found = await stat(path);
    if (!found.isFile()) {
      return { kind: 'error', message: 'It is not a regular file' };
    }
    if (found.size > largest) {
      return { kind: 'error', message: `The file is larger than ${largest / 1024 / 1024} MB` };
    }
    return { kind: 'text', text: await readFile(path, { encoding: 'utf8', signal }) };
  } catch (error) {
    signal?.throwIfAborted();
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return { kind: 'none' };
    }
    return { kind: 'error', message: `The file cannot be read: ${messageOf(error)}` };
  }
}
