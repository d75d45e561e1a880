import { join } from 'node:path';
import { testRoot } from '../server/testRoot';

/** The reaper as it ships. */
export function reaperProgram(): string {
  return join(testRoot(), 'dist', 'reaper.js');
}
