// What a fault proxy does to the lines that pass it: plain data, and the numbers that decide, all from one seed.

/** Chances per line, 0 … 1. */
export interface FaultPlan {
  /** Kept back for up to 30 ms, with all that comes behind. */
  readonly delay: number;
  readonly drop: number;
  readonly duplicate: number;
  /** Kept back while later lines pass. */
  readonly reorder: number;
  /** Bytes turned over, or the end cut off. */
  readonly corrupt: number;
  /** The server ends, or a pipe closes in the middle of the line. */
  readonly cut: number;
  /** Only these notifications of the server are touched, by the start of their method. */
  readonly only?: string;
}

export type Random = () => number;

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 up to `below`. */
export function pick(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** Every fifth seed only drops notifications on a connection that lives; the others mix what they are made of. */
export function planOf(seed: number): FaultPlan {
  const none: FaultPlan = { delay: 0, drop: 0, duplicate: 0, reorder: 0, corrupt: 0, cut: 0 };
  const random = randomOf(seed * 7919);
  if (seed % 5 === 0) return { ...none, drop: 0.3 + random() * 0.7, only: 'notifications/resources/' };
  const some = (most: number) => (random() < 0.6 ? random() * most : 0);
  return {
    delay: some(0.4),
    drop: some(0.2),
    duplicate: some(0.3),
    reorder: some(0.3),
    corrupt: some(0.15),
    cut: some(0.04),
  };
}
