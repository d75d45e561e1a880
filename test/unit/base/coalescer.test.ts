import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Coalescer } from '../../../src/base/coalescer';

describe('Coalescer', () => {
  const errors: unknown[] = [];
  let runs: (() => void)[] = [];
  let signals: AbortSignal[] = [];
  let coalescer: Coalescer;

  /** A run that lasts until it is ended by hand. */
  const run = (signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    return new Promise((resolve) => runs.push(resolve));
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) {
      await Promise.resolve();
    }
  };
  const pass = async (milliseconds: number): Promise<void> => {
    mock.timers.tick(milliseconds);
    await settle();
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    errors.length = 0;
    runs = [];
    signals = [];
    coalescer = new Coalescer(run, { delay: 50, maxWait: 200, onError: (error) => errors.push(error) });
  });

  afterEach(() => {
    coalescer.dispose();
    mock.timers.reset();
  });

  it('runs once after a quiet time', async () => {
    coalescer.trigger();
    await pass(40);
    coalescer.trigger();
    await pass(40);
    assert.equal(runs.length, 0);
    await pass(10);
    assert.equal(runs.length, 1);
    runs[0]?.();
    await pass(1000);
    assert.equal(runs.length, 1);
  });

  it('does not wait longer than the longest wait', async () => {
    for (let elapsed = 0; elapsed < 200; elapsed += 40) {
      coalescer.trigger();
      await pass(40);
    }
    assert.equal(runs.length, 1);
  });

  it('runs one at a time, and once more for what came meanwhile', async () => {
    coalescer.trigger();
    await pass(50);
    coalescer.trigger();
    coalescer.trigger();
    await pass(500);
    coalescer.trigger();
    await pass(500);
    assert.equal(runs.length, 1);
    runs[0]?.();
    await settle();
    assert.equal(runs.length, 2);
    runs[1]?.();
    await pass(1000);
    assert.equal(runs.length, 2);
  });

  it('flush begins at once, yet not inside the call, and resolves when the run has ended', async () => {
    coalescer.trigger();
    let flushed = false;
    const done = coalescer.flush().then(() => (flushed = true));
    assert.equal(runs.length, 0);
    await settle();
    assert.equal(runs.length, 1);
    assert.equal(flushed, false);
    runs[0]?.();
    await done;
    await pass(1000);
    assert.equal(runs.length, 1);
  });

  it('flush waits for a run that began after the trigger, not for one that was under way', async () => {
    coalescer.trigger();
    await pass(50);
    coalescer.trigger();
    let flushed = false;
    void coalescer.flush().then(() => (flushed = true));
    runs[0]?.();
    await settle();
    assert.equal(flushed, false);
    assert.equal(runs.length, 2);
    runs[1]?.();
    await settle();
    assert.equal(flushed, true);
  });

  it('flush without a trigger resolves without a run', async () => {
    await coalescer.flush();
    assert.equal(runs.length, 0);
  });

  it('reports what a run throws and goes on', async () => {
    const failure = new Error('no');
    let calls = 0;
    const failing = new Coalescer(() => (calls++ === 0 ? Promise.reject(failure) : Promise.resolve()), {
      delay: 0,
      maxWait: 0,
      onError: (error) => errors.push(error),
    });
    failing.trigger();
    await failing.flush();
    failing.trigger();
    await failing.flush();
    assert.deepEqual(errors, [failure]);
    assert.equal(calls, 2);
    failing.dispose();
  });

  it('disposal aborts the run, cancels the waiting one and lets flush resolve', async () => {
    coalescer.trigger();
    await pass(50);
    coalescer.trigger();
    const flushed = coalescer.flush();
    coalescer.dispose();
    assert.equal(signals[0]?.aborted, true);
    runs[0]?.();
    await flushed;
    coalescer.trigger();
    await pass(1000);
    assert.equal(runs.length, 1);
    assert.deepEqual(errors, []);
  });
});
