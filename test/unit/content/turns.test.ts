import assert from 'node:assert/strict';
import { Turns } from '../../../src/content/turns';
import { until } from '../../until';

describe('turns', () => {
  const never = new Promise<void>(() => undefined);

  it('eight have theirs at once, the others in their order; a failure ends a turn like a success', async () => {
    const turns = new Turns();
    const begun: number[] = [];
    const ends: ((fails: boolean) => void)[] = [];
    const work = (index: number) => () =>
      new Promise<number>((resolve, reject) => {
        begun.push(index);
        ends.push((fails) => (fails ? reject(new Error(String(index))) : resolve(index)));
      });
    const all = Promise.allSettled(Array.from({ length: 20 }, (_, index) => turns.run(work(index), never)));
    for (let ended = 0; ended < 20; ended += 1) {
      await until('the next one has its turn', () => begun.length === Math.min(20, ended + 8));
      ends[ended]!(ended % 2 === 0);
    }
    assert.deepEqual(
      (await all).map(({ status }) => status),
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    assert.deepEqual(
      begun,
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it('what somebody waits for does not stand in line, and takes nobody else’s turn', async () => {
    const turns = new Turns();
    const begun: string[] = [];
    const stuck = (name: string) => () => {
      begun.push(name);
      return new Promise<never>(() => undefined);
    };
    for (let index = 0; index < 8; index += 1) {
      void turns.run(stuck('stuck'), never);
    }
    let hurry = (): void => undefined;
    const first = turns.run(() => Promise.resolve('first'), never);
    const second = turns.run(() => Promise.resolve('second'), new Promise((resolve) => (hurry = resolve)));
    hurry();
    assert.equal(await second, 'second');
    const waits = Promise.race([first, Promise.resolve('still waiting')]);
    assert.equal(await waits, 'still waiting');
    assert.equal(begun.length, 8);
  });
});
