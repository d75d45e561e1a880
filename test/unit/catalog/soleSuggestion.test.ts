import assert from 'node:assert/strict';
import { soleSuggestion } from '../../../src/catalog/soleSuggestion';

describe('soleSuggestion', () => {
  const cases: readonly (readonly [
    title: string,
    text: string,
    values: string[],
    rest: { total?: number; hasMore?: boolean },
    sole?: string,
  ])[] = [
    ['the only one that begins with it', 'mar', ['Mars'], {}, 'Mars'],
    ['the same in another case', 'mars', ['Mars'], { total: 1 }, 'Mars'],
    ['beside others that only contain it', 'mar', ['Mars', 'Old Mars'], {}, 'Mars'],
    ['one that is suggested twice', 'mar', ['Mars', 'Mars'], {}, 'Mars'],
    ['none of several', 'm', ['Mars', 'Mercury'], {}],
    ['none where the text is suggested, too', 'ada', ['ada', 'ada-2'], {}],
    ['none beside the text itself', 'Mars', ['Mars'], {}],
    ['none for nothing', '', ['Mars'], {}],
    ['none that only contains it', 'ars', ['Mars'], {}],
    ['none where there are more', 'mar', ['Mars'], { hasMore: true }],
    ['none where the total is larger', 'mar', ['Mars'], { total: 2 }],
    ['none of nothing', 'mar', [], {}],
  ];
  for (const [title, text, values, { total, hasMore = false }, sole] of cases) {
    it(`T9: ${title}`, () => assert.equal(soleSuggestion(text, { values, total, hasMore }), sole));
  }
});
