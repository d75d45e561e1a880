import assert from 'node:assert/strict';
import { until } from '../until';
import { describeSeed, runSeed } from './faultRun';

/** `MCP_FAULT_SEEDS=17` or `MCP_FAULT_SEEDS=1-500` chooses; `MCP_FAULT_PARALLEL` is how many run at once. */
const [firstSeed = 1, lastSeed = firstSeed] = (process.env.MCP_FAULT_SEEDS ?? '1-25').split('-').map(Number);
const parallel = Number(process.env.MCP_FAULT_PARALLEL ?? 4);

/** Handles that keep a process alive, by kind. */
function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => /^(Process|Pipe|TCP|FSEvent)/.test(kind));
}

describe('fault', function () {
  this.timeout(600_000);
  const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);
  const runs = new Map<number, Promise<unknown>>();
  let handlesBefore: string[] = [];

  before(() => {
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
      if (failure instanceof Error) throw failure;
      assert.equal(failure, undefined);
    });
  }

  it('leaves no process, pipe or socket', async () => {
    await Promise.all(runs.values());
    await until(`${handlesBefore.join()}, not more`, () => openHandles().length <= handlesBefore.length).catch(
      (error: unknown) => {
        assert.fail(`${String(error)}: ${openHandles().join()}`);
      },
    );
  });
});
