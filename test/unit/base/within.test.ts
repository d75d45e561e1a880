import assert from 'node:assert/strict';
import { within } from '../../../src/base/within';

describe('within, of tools that wait', () => {
  it('gives what comes in time, and nothing for what fails or never ends', async () => {
    assert.equal(await within(Promise.resolve(7), 60_000), 7);
    assert.equal(await within(Promise.reject<number>(new Error('no')), 60_000), undefined);
    assert.equal(await within(new Promise<number>(() => undefined), 5), undefined);
  });
});
