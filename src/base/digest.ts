import { createHash } from 'node:crypto';

/** A name for what must not be stored or shown as it is: 32 hexadecimal digits. */
export function digestOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
