import assert from 'node:assert/strict';
import { ToolError, ToolInput } from '../../../src/chat/toolInput';

describe('toolInput', () => {
  const refused = (run: () => unknown, words: RegExp): void => {
    assert.throws(run, (error) => error instanceof ToolError && words.test(error.message));
  };

  it('takes nothing but objects', () => {
    for (const input of [undefined, null, 'text', 7, true, [], () => 1]) {
      refused(() => new ToolInput(input), /must be an object/);
    }
  });

  it('takes no text for a number, no object for a text, and nothing that every object has', () => {
    const input = new ToolInput({ a: 7, b: '7', c: {}, d: 0, e: 1.5, f: null, g: '', h: Infinity, i: -1 });
    refused(() => input.text('a'), /"a" must be a text/);
    refused(() => input.text('c'), /"c" must be a text/);
    refused(() => input.text('f'), /"f" is missing/);
    refused(() => input.text('g'), /"g" is missing/);
    refused(() => input.text('constructor'), /is missing/);
    refused(() => input.text('__proto__'), /is missing/);
    for (const name of ['b', 'c', 'd', 'e', 'h', 'i']) {
      refused(() => input.number(name, { least: 1 }), /whole number, 1 or more/);
    }
    assert.equal(input.number('a', { least: 1 }), 7);
    assert.equal(input.number('a', { least: 1, most: 5 }), 5);
    assert.equal(input.number('missing', { least: 1 }), undefined);
    assert.equal(input.optionalText('f'), undefined);
  });

  it('takes texts and lists of texts by name', () => {
    const input = new ToolInput({
      good: { a: 'x', b: ['y', 'z'] },
      bad: { a: 1 },
      worse: { a: ['x', 1] },
      list: ['x'],
    });
    assert.deepEqual(
      [...input.texts('good')],
      [
        ['a', 'x'],
        ['b', ['y', 'z']],
      ],
    );
    assert.deepEqual([...input.texts('missing')], []);
    for (const name of ['bad', 'worse', 'list']) {
      refused(() => input.texts(name), /must be an object/);
    }
  });
});
