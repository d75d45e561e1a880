import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../../../src/chat/tokenEstimate';

const samples = path.resolve('test/unit/data/tokens');

describe('estimateTokens', () => {
  const files = readdirSync(samples);

  it('A6: has samples of code, prose, JSON, Chinese and Japanese', () => {
    const kinds = new Set(files.map((file) => file.split('-')[0]));
    assert.deepEqual([...kinds].toSorted(), ['chinese', 'code', 'japanese', 'json', 'prose']);
  });

  for (const file of files) {
    it(`A6: is within 25 % of a real tokenizer for ${file}`, () => {
      const text = readFileSync(path.join(samples, file), 'utf8');
      const exact = countTokens(text);
      const share = estimateTokens(text) / exact;
      assert.ok(Math.abs(share - 1) <= 0.25, `${estimateTokens(text)} for ${exact} tokens`);
    });
  }

  it('A6: judges a long text by samples, in little time', () => {
    const text = files.map((file) => readFileSync(path.join(samples, file), 'utf8')).join('\n');
    const times = Math.ceil((20 * 1024 * 1024) / text.length);
    const started = performance.now();
    const share = estimateTokens(text.repeat(times)) / (times * countTokens(text));
    assert.ok(performance.now() - started < 500);
    assert.ok(Math.abs(share - 1) <= 0.25, `${share} of the exact count`);
  });

  it('counts nothing for nothing', () => {
    assert.equal(estimateTokens(''), 0);
  });
});
