import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { TimeLimit } from '../../../src/connection/timeLimit';

describe('a time limit', () => {
  it('ends after a silence, and each sign of life starts it anew', async () => {
    const limit = new TimeLimit(150);
    for (let times = 0; times < 4; times += 1) {
      await pause(70);
      limit.touch();
    }
    assert.equal(limit.signal.aborted, false);
    await pause(250);
    assert.match(String(limit.signal.reason), /no answer within/);
  });

  it('stands still while it is paused, however often', async () => {
    const limit = new TimeLimit(60);
    limit.pause();
    limit.pause();
    await pause(120);
    limit.touch();
    limit.resume();
    await pause(120);
    assert.equal(limit.signal.aborted, false);
    limit.resume();
    await pause(160);
    assert.equal(limit.signal.aborted, true);
  });

  it('has a total that signs of life do not move', async () => {
    const limit = new TimeLimit(30);
    const life = setInterval(() => limit.touch(), 10);
    await pause(600);
    clearInterval(life);
    assert.match(String(limit.signal.reason), /not finished within/);
  });

  it('counts the total alone once it is relaxed', async () => {
    const limit = new TimeLimit(40);
    limit.relax();
    await pause(150);
    assert.equal(limit.signal.aborted, false);
    await pause(500);
    assert.equal(limit.signal.aborted, true);
  });
});
