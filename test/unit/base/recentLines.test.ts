import assert from 'node:assert/strict';
import { RecentLines } from '../../../src/base/recentLines';

describe('RecentLines', () => {
  const written: string[] = [];
  const write = (line: string): void => void written.push(line);
  const log = { trace: write, debug: write, info: write, warn: write, error: write };

  it('keeps the latest lines since something began, and the latest errors for longer', () => {
    const recent = new RecentLines();
    const kept = recent.keeping(log);
    kept.error('old');
    recent.begin();
    kept.debug('unkept');
    for (let count = 0; count < 60; count += 1) {
      kept.info(`line ${count}`);
    }
    assert.deepEqual([recent.lines.length, recent.lines[0], recent.lines.at(-1)], [50, 'line 10', 'line 59']);
    assert.match(recent.errors.join(), /^\d{4}-.*Z error: old$/);
    for (let count = 0; count < 9; count += 1) {
      kept.warn(`warning ${count}`);
    }
    assert.equal(recent.errors.length, 5);
    assert.match(recent.errors[0]!, /warn: warning 4$/);
    assert.equal(written.length, 71);
  });
});
