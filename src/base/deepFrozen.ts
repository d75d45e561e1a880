import { Slices } from './slices';

/**
 * The same objects, which came of JSON, in an array of its own and never to be changed again: they can be given to
 * anybody. In slices: a list of 100,000 would hold up everything else. Costs next to nothing the second time.
 */
export async function deepFrozen<T>(items: readonly T[]): Promise<readonly T[]> {
  const slices = new Slices();
  const frozen: T[] = [];
  for (const item of items) {
    frozen.push(freeze(item));
    const pause = slices.step();
    if (pause) {
      await pause;
    }
  }
  return frozen;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    // No array of the values: most are texts, and there are many.
    for (const key in value) {
      freeze(value[key]);
    }
    Object.freeze(value);
  }
  return value;
}
