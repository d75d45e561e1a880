import { createHash } from 'node:crypto';
import type { ResourceContent } from './resourceContent';

/** A short mark of what a resource says: the same for the same answer, part by part, also in another window. */
export function contentHash({ parts }: ResourceContent): string {
  const hash = createHash('sha256');
  for (const { uri, mimeType, bytes } of parts) {
    hash.update(JSON.stringify([uri, mimeType, bytes.byteLength])).update(bytes);
  }
  return hash.digest('base64url').slice(0, 22);
}
