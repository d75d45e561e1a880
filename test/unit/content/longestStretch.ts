/**
 * The longest time in milliseconds for which work kept everything else from running, without the time in which the
 * machine was busy with other programs.
 */
export async function longestStretch(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let cpu = process.cpuUsage();
  let watching = true;
  const watch = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    longest = Math.max(longest, Math.min(performance.now() - last, (user + system) / 1000));
    [last, cpu] = [performance.now(), process.cpuUsage()];
    if (watching) {
      setImmediate(watch);
    }
  };
  setImmediate(watch);
  await work();
  // What ran last counts, too.
  await new Promise((resolve) => setImmediate(resolve));
  watching = false;
  return longest;
}
