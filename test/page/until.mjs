/**
 * Resolves once `holds` gives something truthy; rejects with `what` when that does not come.
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} holds
 * @param {number} [limitMs]
 * @returns {Promise<T>}
 */
export async function until(what, holds, limitMs = 15_000) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await holds();
    if (value) {
      return value;
    }
    if (Date.now() > deadline) {
      throw new Error(`Not within ${limitMs} ms: ${what}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
