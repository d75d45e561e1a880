// How much runs at once. Two processes together take little more than half as long as one after the other: the tests of
// each wait most of the time, and what they start is theirs alone.

const lanes = 2;
let busy = 0;
/** @type {(() => void)[]} */
const waiting = [];

/**
 * Does some work in a lane of its own: what was asked for first begins first.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inLane(work) {
  if (busy === lanes) {
    await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  } else {
    busy += 1;
  }
  try {
    return await work();
  } finally {
    // The next one takes the lane over.
    const next = waiting.shift();
    if (next) {
      next();
    } else {
      busy -= 1;
    }
  }
}
