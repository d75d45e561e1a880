import assert from 'node:assert/strict';
import { startTicks, startTimeOf } from '../../../src/reaper/startTime';

describe('when a process was started', () => {
  const rest = 'S 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 7 0 987654 1000 2';
  const cases: [string, string][] = [
    ['an ordinary name', `42 (node) ${rest}`],
    ['a name with spaces and parentheses', `42 (my (odd) 1 name) ) ${rest}`],
    ['a name with a line break', `42 (a\nb) ${rest}\n`],
  ];
  for (const [title, stat] of cases) {
    it(`is field 22 after ${title}`, () => assert.equal(startTicks(stat), '987654'));
  }

  it('stays the same for one process, and is unknown of none', async () => {
    const own = await startTimeOf(process.pid);
    assert.ok(own);
    assert.equal(await startTimeOf(process.pid), own);
    assert.equal(await startTimeOf(2 ** 30), undefined);
  });

  it('is not asked on Windows', async () => assert.equal(await startTimeOf(process.pid, 'win32'), undefined));
});
