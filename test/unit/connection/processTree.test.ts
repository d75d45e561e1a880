import assert from 'node:assert/strict';
import { windowsKillCommand } from '../../../src/connection/processTree';

describe('windowsKillCommand', () => {
  const cases: [number, boolean, string][] = [
    [42, false, 'taskkill /PID 42 /T'],
    [42, true, 'taskkill /PID 42 /T /F'],
    [65_536, true, 'taskkill /PID 65536 /T /F'],
  ];
  for (const [pid, force, expected] of cases) {
    it(`C7: ${expected}`, () => {
      const { command, args } = windowsKillCommand(pid, force);
      assert.equal([command, ...args].join(' '), expected);
    });
  }
});
