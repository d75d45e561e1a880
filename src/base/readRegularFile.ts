import { constants, open } from 'node:fs/promises';
import { HumanError } from './errors';

const CHUNK_BYTES = 64 * 1024;

/**
 * The bytes of a regular file, at most `maxBytes` of them: a longer file, a named pipe and a device reject with a
 * HumanError. No size is believed: the files of a system that say 0 may be without an end, or wait for what never comes.
 */
export async function readRegularFile(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  // Windows knows no O_NONBLOCK. Elsewhere to open a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) {
      throw new HumanError('It is not a regular file');
    }
    const chunks: Buffer[] = [];
    for (let length = 0; ;) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) {
        return Buffer.concat(chunks, length);
      }
      length += bytesRead;
      if (length > maxBytes) {
        throw new HumanError(`The file is larger than ${maxBytes / 1024 / 1024} MB`);
      }
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
