import assert from 'node:assert/strict';
import { PacedRun } from '../../../src/base/pacedRun';
import { until } from '../../until';

describe('PacedRun', () => {
  const pace = { shortest: 20, longest: 20 };
  /** One that is in its first run, and wanted once more. */
  const wantedAgain = () => {
    let runs = 0;
    let end = (): void => undefined;
    const paced = new PacedRun(() => {
      runs += 1;
      return new Promise((resolve) => (end = resolve));
    }, pace);
    paced.trigger();
    paced.trigger();
    return { paced, runs: () => runs, end: () => end() };
  };

  it('runs once more for what came meanwhile, unless that is dropped; what comes later counts', async () => {
    const [dropped, other] = [wantedAgain(), wantedAgain()];
    dropped.paced.drop();
    dropped.end();
    other.end();
    await until('the other has run again', () => other.runs() === 2);
    assert.equal(dropped.runs(), 1);
    dropped.paced.trigger();
    await until('it runs again', () => dropped.runs() === 2);
    [dropped, other].forEach(({ paced }) => paced.dispose());
  });
});
