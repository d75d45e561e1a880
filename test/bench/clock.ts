/** Milliseconds of the machine's steady clock: the same in every process. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
