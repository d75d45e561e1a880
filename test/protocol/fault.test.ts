import { until } from '../until';
import { describeSeed, runSeed } from './faultRun';

/** `MCP_FAULT_SEEDS=17` or `MCP_FAULT_SEEDS=1-500` chooses; `MCP_FAULT_PARALLEL` is how many run at once. */
const [firstSeed = 1, lastSeed = firstSeed] = (process.env.MCP_FAULT_SEEDS ?? '1-25').split('-').map(Number);
const parallel = Number(process.env.MCP_FAULT_PARALLEL ?? 6);

/** What keeps this process alive (timers, processes, pipes, sockets, watchers), sorted. */
function openHandles(): string[] {
  return process.getActiveResourcesInfo().sort();
}

/** Those of `now` that are more than there were `before`. */
function more(now: readonly string[], before: readonly string[]): string[] {
  const known = [...before];
  return now.filter((kind) => {
    const at = known.indexOf(kind);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

describe('fault', function () {
  this.timeout(600_000);
  const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);
  const runs = new Map<number, Promise<unknown>>();
  let handlesBefore: string[] = [];

  before(async () => {
    // From here on the time limit of mocha is one of them, as it is in every test.
    await Promise.resolve();
    handlesBefore = openHandles();
    const waiting = [...seeds];
    const finished = new Map<number, (outcome: unknown) => void>();
    for (const seed of seeds) runs.set(seed, new Promise((resolve) => finished.set(seed, resolve)));
    const work = async (): Promise<void> => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        // Its failure belongs to its own test.
        finished.get(seed)!(await runSeed(seed).catch((error: unknown) => error));
      }
    };
    for (let worker = 0; worker < parallel; worker += 1) void work();
  });

  for (const seed of seeds) {
    it(`seed ${seed} (${describeSeed(seed)})`, async () => {
      const failure = await runs.get(seed);
      if (failure !== undefined) throw failure as Error;
    });
  }

  it('leaves no timer, process, pipe or socket', async () => {
    await Promise.all(runs.values());
    let left: string[] = [];
    await until('nothing left', () => {
      left = more(openHandles(), handlesBefore);
      return left.length === 0;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${left.join()}`);
    });
  });
});
