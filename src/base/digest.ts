import { hash } from 'node:crypto';

/** A name for what must not be stored or shown as it is: 32 hexadecimal digits. */
export function digestOf(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}
