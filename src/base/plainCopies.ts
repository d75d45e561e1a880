import { Slices } from './slices';

/** Deep copies of objects that came of JSON. In slices: a list of 100,000 would hold up everything else. */
export async function plainCopies<T>(items: readonly T[]): Promise<T[]> {
  const slices = new Slices();
  const copies: T[] = [];
  for (const item of items) {
    copies.push(plainCopy(item));
    const pause = slices.step();
    if (pause) {
      await pause;
    }
  }
  return copies;
}

/** Several times as fast as `structuredClone`, which takes care of much that JSON has not. */
function plainCopy<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map(plainCopy) as T;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const copy = { ...value };
  for (const key of Object.keys(copy) as (keyof T)[]) {
    if (typeof copy[key] === 'object') {
      copy[key] = plainCopy(copy[key]);
    }
  }
  return copy;
}
