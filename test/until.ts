/** Resolves once `holds` returns something truthy; rejects with `what` after `limitMs`. */
export async function until<T>(what: string, holds: () => T | Promise<T>, limitMs = 10_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await holds();
    if (value) {
      return value;
    }
    if (Date.now() > deadline) {
      throw new Error(`Not within ${limitMs} ms: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
