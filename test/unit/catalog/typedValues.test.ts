import assert from 'node:assert/strict';
import { expandTemplate } from '../../../src/catalog/expandTemplate';
import { type TypedTexts, typedValues } from '../../../src/catalog/typedValues';
import { parseTemplate } from '../../../src/catalog/uriTemplate';

function filled(text: string, texts: TypedTexts): string {
  const parsed = parseTemplate(text);
  assert.ok(parsed.ok);
  return expandTemplate(parsed.template, typedValues(parsed.template, texts));
}

describe('typedValues', () => {
  it('T1: a query gets its value, and a slash is encoded', () => {
    assert.equal(filled('foo://e{?topic}', { topic: 'a/b' }), 'foo://e?topic=a%2Fb');
    assert.equal(filled('foo://e/{topic}', { topic: 'a/b' }), 'foo://e/a%2Fb');
  });

  it('T2: what was left empty is left out', () => {
    assert.equal(filled('m://x/{id}{?s,limit}', { id: '7', s: '' }), 'm://x/7');
    assert.equal(filled('m://x/{id}{?s,limit}', { id: '7', limit: '5' }), 'm://x/7?limit=5');
  });

  it('T3: what a URI cannot contain is encoded once', () => {
    assert.equal(filled('n://{v}', { v: 'a b#c?d%' }), 'n://a%20b%23c%3Fd%25');
  });

  it('T5: query parameters stand in the order of the template', () => {
    assert.equal(filled('q://x{?a,b}{&c}', { c: '3', b: '2', a: '1' }), 'q://x?a=1&b=2&c=3');
  });

  it('T7: slashes are kept where the template says so', () => {
    assert.equal(filled('p://{+path}', { path: 'a/b c/日' }), 'p://a/b%20c/%E6%97%A5');
    assert.equal(filled('p://{path}', { path: 'a/b' }), 'p://a%2Fb');
  });

  it('several values are separated by commas, the parts of a path by slashes', () => {
    assert.equal(filled('l://x{?tags*}', { tags: 'red, blue' }), 'l://x?tags=red&tags=blue');
    assert.equal(filled('l://x{?tags*}', { tags: 'red' }), 'l://x?tags=red');
    assert.equal(filled('l://x{?tags}', { tags: 'red,blue' }), 'l://x?tags=red%2Cblue');
    assert.equal(filled('l://x{/path*}', { path: '/a/b c/' }), 'l://x/a/b%20c');
    assert.equal(filled('l://x{?tags*}', { tags: ' , ' }), 'l://x?tags=%20%2C%20');
  });

  it('names that every object has are names like others', () => {
    assert.equal(filled('x://{constructor}/{__proto__}', {}), 'x:///');
    const texts = JSON.parse('{"__proto__":"p","constructor":"c"}') as TypedTexts;
    assert.equal(filled('x://{constructor}/{__proto__}', texts), 'x://c/p');
  });
});
