import assert from 'node:assert/strict';
import type { ChoicesField, NumberField, TextField } from '../../../src/connection/inputRequest';
import { inputProblem, typedValue } from '../../../src/connection/inputValidation';

const base = { name: 'x', required: true };
const text = (more: Partial<TextField> = {}): TextField => ({ ...base, kind: 'text', ...more });
const number = (more: Partial<NumberField> = {}): NumberField => ({ ...base, kind: 'number', integer: false, ...more });
const choices = (more: Partial<ChoicesField> = {}): ChoicesField => ({
  ...base,
  kind: 'choices',
  options: [],
  ...more,
});

const kindOf = (field: TextField | NumberField, typed: string) => inputProblem(field, typedValue(field, typed))?.kind;

describe('the validation of input', () => {
  it('nothing typed is no value: needed where required, fine where not', () => {
    assert.equal(kindOf(text(), ''), 'required');
    assert.equal(kindOf(text({ required: false, minLength: 3 }), ''), undefined);
    assert.equal(kindOf(number(), ' '), 'required');
    assert.equal(kindOf(number({ required: false }), ''), undefined);
  });

  it('lengths count characters as people do, not halves of them', () => {
    assert.equal(kindOf(text({ minLength: 2 }), '🌍'), 'tooShort');
    assert.equal(kindOf(text({ maxLength: 1 }), '🌍'), undefined);
    assert.equal(kindOf(text({ maxLength: 1 }), 'ab'), 'tooLong');
  });

  const formats: Record<NonNullable<TextField['format']>, { good: string[]; bad: string[] }> = {
    email: { good: ['a@b.c', 'a.b+c@host'], bad: ['a', '@b', 'a@', 'a b@c', 'a@b..c', `${'a'.repeat(65)}@b.c`] },
    uri: { good: ['https://a.b/c?d', 'urn:x:y', 'memo:today'], bad: ['a', '/a/b', 'https://a b', '//host'] },
    date: { good: ['2026-01-31', '2024-02-29'], bad: ['2026-02-29', '2026-13-01', '2026-1-1', '31.1.2026'] },
    'date-time': {
      good: ['2026-01-31T12:00:00Z', '2026-01-31t12:00:00.5+02:00'],
      bad: ['2026-01-31', '2026-01-31T12:00:00', '2026-02-30T12:00:00Z', '2026-01-31T24:00:00Z'],
    },
  };
  for (const [format, { good, bad }] of Object.entries(formats)) {
    it(`format ${format}`, () => {
      const field = text({ format: format as TextField['format'] });
      good.forEach((value) => assert.equal(kindOf(field, value), undefined, value));
      bad.forEach((value) => assert.equal(kindOf(field, value), 'format', value));
    });
  }

  it('numbers: what is none, what is not whole, what is out of range', () => {
    assert.equal(kindOf(number(), 'ten'), 'notANumber');
    assert.equal(kindOf(number(), 'Infinity'), 'notANumber');
    assert.equal(kindOf(number({ integer: true }), '1.5'), 'notAnInteger');
    assert.equal(kindOf(number({ minimum: 0 }), '-1'), 'tooSmall');
    assert.equal(kindOf(number({ maximum: 10 }), '10.1'), 'tooLarge');
    assert.equal(kindOf(number({ minimum: 0, maximum: 10, integer: true }), ' 7 '), undefined);
  });

  it('several choices: as many as are asked for', () => {
    assert.equal(inputProblem(choices({ minItems: 1 }), [])?.kind, 'tooFew');
    assert.equal(inputProblem(choices({ minItems: 2, required: false }), ['a'])?.kind, 'tooFew');
    assert.equal(inputProblem(choices({ maxItems: 1 }), ['a', 'b'])?.kind, 'tooMany');
    assert.equal(inputProblem(choices({ minItems: 2, required: false }), undefined), undefined);
  });

  it('a pattern decides, in the Unicode sense where it is valid there', () => {
    assert.equal(kindOf(text({ pattern: '^[A-Z]{2}$' }), 'ab'), 'pattern');
    assert.equal(kindOf(text({ pattern: '^[A-Z]{2}$' }), 'AB'), undefined);
    assert.equal(kindOf(text({ pattern: '^\\p{L}$' }), 'é'), undefined);
    assert.equal(kindOf(text({ pattern: '^\\-$' }), 'x'), 'pattern');
  });

  it('a pattern that is none, or too long, decides nothing', () => {
    assert.equal(kindOf(text({ pattern: '(' }), 'x'), undefined);
    assert.equal(kindOf(text({ pattern: `^${'a'.repeat(2000)}$` }), 'x'), undefined);
  });

  it('a hostile pattern costs a moment, not the editor', () => {
    const begun = Date.now();
    assert.equal(kindOf(text({ pattern: '^(a+)+$' }), `${'a'.repeat(60)}!`), undefined);
    assert.ok(Date.now() - begun < 1000, `${Date.now() - begun} ms`);
  });
});
