import assert from 'node:assert/strict';
import { withinBudget } from '../../../src/chat/tokenBudget';

describe('tokenBudget', () => {
  const text = 'x'.repeat(100_000);
  const made = (tokenBudget: number, charactersPerToken: number, most = 50_000) =>
    withinBudget(
      (limit) => text.slice(0, limit),
      (each) => each,
      {
        most,
        least: 100,
        budget: { tokenBudget, countTokens: (each) => Promise.resolve(Math.ceil(each.length / charactersPerToken)) },
      },
    );

  it('A6: makes a text that fits the budget and uses most of it, however many characters a token has', async () => {
    for (const charactersPerToken of [0.5, 1, 2, 4, 8]) {
      const { length } = await made(1000, charactersPerToken);
      const wanted = 1000 * charactersPerToken;
      assert.ok(length <= wanted && length >= Math.min(5000, wanted) * 0.15, `${charactersPerToken}: ${length}`);
    }
  });

  it('without a budget the usual limit holds, and a budget never makes it larger', async () => {
    const whole = await withinBudget((limit) => limit, String, { most: 7, least: 1, budget: undefined });
    assert.equal(whole, 7);
    assert.equal((await made(1_000_000, 4, 300)).length, 300);
    assert.equal((await made(1, 4)).length, 100);
  });
});
