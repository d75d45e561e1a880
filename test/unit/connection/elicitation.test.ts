import assert from 'node:assert/strict';
import { inputRequestOf, requiredVisits } from '../../../src/connection/elicitation';

const about = { serverId: 'one', waitsForVisit: false };

function fieldsOf(properties: Record<string, unknown>, required: string[] = []) {
  const request = inputRequestOf({ message: 'm', requestedSchema: { type: 'object', properties, required } }, about);
  assert.ok(request.kind === 'form');
  return request.fields;
}

describe('what an elicitation asks for', () => {
  it('a request without a mode is a form, in the order of its properties', () => {
    const fields = fieldsOf({ b: { type: 'string' }, a: { type: 'integer', minimum: 1, default: 2 } }, ['a']);
    assert.deepEqual(
      fields.map(({ name, kind, required }) => [name, kind, required]),
      [
        ['b', 'text', false],
        ['a', 'number', true],
      ],
    );
    assert.ok(fields[1]?.kind === 'number' && fields[1].integer && fields[1].minimum === 1 && fields[1].default === 2);
  });

  it('choices come in four shapes, with titles where there are any', () => {
    const titled = [
      { const: '#f00', title: 'Red' },
      { const: '#00f', title: 'Blue' },
    ];
    const plain = ['Red', 'Blue'];
    const fields = fieldsOf({
      one: { type: 'string', enum: plain, default: 'Blue' },
      older: { type: 'string', enum: ['r', 'b'], enumNames: plain },
      titled: { type: 'string', oneOf: titled, default: 'none of them' },
      many: { type: 'array', items: { type: 'string', enum: plain }, minItems: 1, default: ['Red', 'Green'] },
      manyTitled: { type: 'array', items: { anyOf: titled }, maxItems: 2 },
    });
    const shown = fields.map((field) =>
      field.kind === 'choice' || field.kind === 'choices'
        ? [field.kind, field.options.map(({ value, title }) => `${value}=${title}`).join(' '), field.default]
        : [],
    );
    assert.deepEqual(shown, [
      ['choice', 'Red=Red Blue=Blue', 'Blue'],
      ['choice', 'r=Red b=Blue', undefined],
      ['choice', '#f00=Red #00f=Blue', undefined],
      ['choices', 'Red=Red Blue=Blue', ['Red']],
      ['choices', '#f00=Red #00f=Blue', []],
    ]);
  });

  it('an odd keyword costs nothing, an optional field of an unknown type is left out, a required one is refused', () => {
    const [field] = fieldsOf({
      x: { type: 'string', format: 'hostname', minLength: 'three', title: 7, default: null },
    });
    assert.ok(field?.kind === 'text');
    assert.deepEqual(
      [field.format, field.minLength, field.title, field.default],
      [undefined, undefined, undefined, undefined],
    );
    assert.deepEqual(fieldsOf({ deep: { type: 'object' } }), []);
    assert.throws(() => fieldsOf({ deep: { type: 'object' } }, ['deep']), /"deep"/);
  });

  it('a property may have any name', () => {
    const properties = JSON.parse('{"__proto__":{"type":"boolean","default":true}}') as Record<string, unknown>;
    assert.deepEqual(
      fieldsOf(properties).map(({ name, kind }) => [name, kind]),
      [['__proto__', 'boolean']],
    );
  });

  it('an address must be one, and an unknown mode is refused', () => {
    const url = inputRequestOf({ mode: 'url', message: 'm', url: 'https://a.b/?c=%26' }, about);
    assert.ok(url.kind === 'url' && url.url === 'https://a.b/?c=%26');
    assert.throws(() => inputRequestOf({ mode: 'url', url: 'no address' }, about), /an address that is none/);
    assert.throws(() => inputRequestOf({ mode: 'voice' }, about), /not known/);
    assert.deepEqual(inputRequestOf(null, about), { serverId: 'one', message: '', kind: 'form', fields: [] });
  });

  it('the addresses of -32042 are a list or nothing', () => {
    assert.deepEqual(requiredVisits({ elicitations: [{}] }), [{}]);
    assert.deepEqual(requiredVisits({ elicitations: 'x' }), []);
    assert.deepEqual(requiredVisits(undefined), []);
  });
});
