import assert from 'node:assert/strict';
import { fitsTemplate } from '../../../src/catalog/templateMatch';

describe('what a URI template may stand for', () => {
  const fitting: [template: string, uri: string][] = [
    ['docs://pages/{name}', 'docs://pages/one'],
    ['docs://pages/{name}.md', 'docs://pages/a.md.md'],
    ['repo://{owner}/{name}/{+path}', 'repo://me/it/src/a/b.ts'],
    ['log://{day}{/part*}', 'log://today/1/2'],
    ['log://all{?from,to}', 'log://all'],
    ['log://all{?from,to}', 'log://all?from=a/b'],
    ['docs://a page/{name}', 'docs://a page/one'],
    ['docs://a page/{name}', 'docs://a%20page/one'],
    ['docs://fixed', 'docs://fixed'],
    ['{+uri}', 'any://thing'],
  ];
  for (const [template, uri] of fitting) {
    it(`${template} may be ${uri}`, () => assert.equal(fitsTemplate(template, uri), true));
  }

  const others: [template: string, uri: string][] = [
    ['docs://pages/{name}', 'docs://pages/one/two'],
    ['docs://pages/{name}', 'docs://other/one'],
    ['docs://pages/{name}.md', 'docs://pages/one.txt'],
    ['docs://pages/{name}.md', 'docs://pages/.md/x'],
    ['repo://{owner}/{name}', 'repo://me'],
    ['a{b}a', 'a'],
    ['docs://fixed', 'docs://fixed/more'],
    ['docs://pages/{name', 'docs://pages/{name'],
  ];
  for (const [template, uri] of others) {
    it(`${template} is not ${uri}`, () => assert.equal(fitsTemplate(template, uri), false));
  }

  it('takes time in proportion to the texts, whatever a server sends', () => {
    const started = performance.now();
    assert.equal(fitsTemplate(`x://${'{+a}a'.repeat(5000)}b`, `x://${'a'.repeat(50_000)}`), false);
    assert.ok(performance.now() - started < 1000);
  });
});
