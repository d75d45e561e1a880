import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { HumanError } from '../../../src/base/errors';
import { expandTemplate, previewOf, type TemplateValues } from '../../../src/catalog/expandTemplate';
import { parseTemplate, type TemplateVariable, type UriTemplate } from '../../../src/catalog/uriTemplate';

/** The format of the public suite: a template, and its URI, or one of several, or `false` where it must fail. */
type Suite = Record<
  string,
  { variables: Record<string, unknown>; testcases: [template: string, expected: string | string[] | false][] }
>;

const suites = 'test/unit/data/uri-template-tests';

function parsed(text: string): UriTemplate {
  const result = parseTemplate(text);
  assert.ok(result.ok, text);
  return result.template;
}

function expanded(text: string, values: TemplateValues = {}): string {
  return expandTemplate(parsed(text), values);
}

function preview(text: string, values: TemplateValues = {}): string {
  return previewOf(parsed(text), values);
}

function reasonOf(text: string): string {
  const result = parseTemplate(text);
  assert.ok(!result.ok, text);
  return result.reason;
}

/** The suite's variables as our values: numbers as they are written, `null` for not given. */
function valuesOf(variables: Record<string, unknown>): TemplateValues {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      typeof value === 'number' ? String(value) : ((value ?? undefined) as TemplateValues[string]),
    ]),
  );
}

describe('URI template', function () {
  this.timeout(20_000); // thousands of runs, on a busy machine

  for (const file of readdirSync(suites).filter((name) => name.endsWith('.json'))) {
    const groups = JSON.parse(readFileSync(join(suites, file), 'utf8')) as Suite;
    for (const [group, { variables, testcases }] of Object.entries(groups)) {
      describe(`${file}, ${group}`, () => {
        const values = valuesOf(variables);
        for (const [template, expected] of testcases) {
          it(template, () => {
            const result = parseTemplate(template);
            if (expected === false) {
              assert.throws(() => {
                assert.ok(result.ok, new HumanError(result.ok ? '' : result.reason));
                expandTemplate(result.template, values);
              }, HumanError);
            } else {
              assert.ok(result.ok, result.ok ? '' : result.reason);
              assert.ok([expected].flat().includes(expandTemplate(result.template, values)));
            }
          });
        }
      });
    }
  }

  it('T1: a query has a field, and a slash in a value is encoded', () => {
    assert.deepEqual(
      parsed('foo://e{?topic}').variables.map(({ name }) => name),
      ['topic'],
    );
    assert.equal(expanded('foo://e{?topic}', { topic: 'news' }), 'foo://e?topic=news');
    assert.equal(expanded('foo://e/{topic}', { topic: 'a/b' }), 'foo://e/a%2Fb');
  });

  it('T2: a query without values vanishes, and one value stands alone', () => {
    const template = 'm://x/{id}{?s,limit}';
    assert.equal(expanded(template, { id: '7' }), 'm://x/7');
    assert.equal(expanded(template, { id: '7', limit: '10' }), 'm://x/7?limit=10');
    assert.equal(expanded(template, { limit: '10' }), 'm://x/?limit=10');
    assert.equal(expanded(template, { id: '7', s: '', limit: undefined }), 'm://x/7?s=');
  });

  it('T3: what a URI cannot contain is encoded once', () => {
    assert.equal(expanded('x://{v}', { v: 'a b#c?d%' }), 'x://a%20b%23c%3Fd%25');
    assert.equal(expanded('x://h{?v}', { v: 'a b#c?d%' }), 'x://h?v=a%20b%23c%3Fd%25');
    assert.equal(expanded('x://{v}', { v: "!'()*-._~" }), 'x://%21%27%28%29%2A-._~');
    assert.equal(expanded('x://{+v}', { v: 'a%20b c%2' }), 'x://a%20b%20c%252');
  });

  it('T4: a bad template has a reason in plain words, with the place', () => {
    const reasons: [template: string, reason: string][] = [
      ['x://{id:}', 'Character 9: in {id:} a length from 1 to 9999 must follow "id:", but nothing does.'],
      ['x://{id:0}', 'Character 9: in {id:0} a length from 1 to 9999 must follow "id:", but "0" does.'],
      ['x://{id:abc}', 'Character 9: in {id:abc} a length from 1 to 9999 must follow "id:", but "abc" does.'],
      ['x://{id:10000}', 'Character 9: in {id:10000} a length from 1 to 9999 must follow "id:", but "10000" does.'],
      ['x://{a}/{b', 'Character 9: the "{" of {b is never closed.'],
      ['😀/{a}}', 'Character 6: the "}" closes nothing.'],
      ['{a{b}}', 'Character 3: in {a{b} "{" cannot be part of a variable\'s name.'],
      ['x{}', 'Character 3: in {} the name of a variable is missing.'],
      ['{?}', 'Character 3: in {?} the name of a variable is missing.'],
      ['{a,,b}', 'Character 4: in {a,,b} the name of a variable is missing.'],
      ['{a,b:}', 'Character 6: in {a,b:} a length from 1 to 9999 must follow "b:", but nothing does.'],
      ['{user-id}', 'Character 6: in {user-id} "-" cannot be part of a variable\'s name.'],
      ['{é}', 'Character 2: in {é} "é" cannot be part of a variable\'s name.'],
      ['{👩x}', 'Character 2: in {👩x} "👩" cannot be part of a variable\'s name.'],
      ['{a.}', 'Character 3: in {a.} a "." must stand between two names.'],
      ['{a%2}', 'Character 3: in {a%2} two hexadecimal digits must follow "%".'],
      ['{!a}', 'Character 2: in {!a} "!" is no operator in use.'],
      ['{a*:3}', 'Character 4: in {a*:3} nothing may follow "*" but a comma.'],
    ];
    for (const [template, reason] of reasons) {
      assert.equal(reasonOf(template), reason);
    }
  });

  it('T4: several names in one expression, operators, and a second query stay apart', () => {
    const values = { a: '1', b: '2 3' };
    assert.equal(expanded('{a,b}|{/a,b}|{.a,b}|{#a,b}', values), '1,2%203%7C/1/2%203%7C.1.2%203%7C#1,2%203');
    assert.equal(expanded('x{?a}{?b}', values), 'x?a=1?b=2%203');
    assert.equal(expanded('{v:3}', { v: '😀é日本' }), '%F0%9F%98%80%C3%A9%E6%97%A5');
  });

  it('T4: values that are empty, missing or lists (RFC 6570, section 3.2)', () => {
    const values = { empty: '', none: [], nothing: {}, list: ['a', ''], keys: { 'k&': '', l: '1/2' } };
    const results: [template: string, uri: string][] = [
      ['O{empty}X{undef}Y', 'OXY'],
      ['?{empty,empty}{undef,empty}', '?,'],
      ['foo{#empty}{#undef}', 'foo#'],
      ['X{.empty}{.undef}', 'X.'],
      ['{/empty,empty}{/undef}', '//'],
      ['{;empty,list*}', ';empty;list=a;list'],
      ['{?empty,none,nothing,list*}', '?empty=&list=a&list='],
      ['{?none,nothing}{&none*}{/nothing*}{;none}', ''],
      ['{?list}{&keys}', '?list=a,&keys=k%26,,l,1%2F2'],
      ['{?keys*}', '?k&=&l=1%2F2'],
      ['{;keys*}', ';k&;l=1%2F2'],
      ['{keys*}', 'k%26=,l=1%2F2'],
      ['{+keys}', 'k&,,l,1/2'],
      ['{toString}{__proto__}{constructor}', ''],
    ];
    for (const [template, uri] of results) {
      assert.equal(expanded(template, values), uri, template);
    }
    assert.throws(() => expanded('{list:3}', values), HumanError);
  });

  it('T7: slashes are kept where the template says so', () => {
    const values = { path: 'a/b c/日' };
    assert.equal(expanded('x://{+path}', values), 'x://a/b%20c/%E6%97%A5');
    assert.equal(expanded('x://h{#path}', values), 'x://h#a/b%20c/%E6%97%A5');
    assert.equal(expanded('x://{path}', values), 'x://a%2Fb%20c%2F%E6%97%A5');
    assert.equal(expanded('{+v:3}', { v: '/%E6%97%A5%2Fabc' }), '/%E6%97%A5%2F');
  });

  it('what a URI cannot contain is encoded outside of braces, too', () => {
    assert.equal(expanded('x://my notes/100%/日/%41'), 'x://my%20notes/100%25/%E6%97%A5/%41');
    assert.equal(expanded('{v}\udc00', { v: '\ud800' }), '%EF%BF%BD%EF%BF%BD');
  });

  it('tells the variables in order, each once', () => {
    const none = { optional: false, keepsSlashes: false, takesList: false, maxLength: undefined };
    const variables: [template: string, expected: (Partial<TemplateVariable> & { name: string })[]][] = [
      ['x://', []],
      ['{b}{a}{b}', [{ name: 'b' }, { name: 'a' }]],
      ['{+path}', [{ name: 'path', keepsSlashes: true }]],
      ['{#part}', [{ name: 'part', keepsSlashes: true, optional: true }]],
      ['{+path}{path}', [{ name: 'path' }]],
      ['{.a}{/b}{;c}{?d}{&e}', ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, optional: true }))],
      ['{?id}{id}', [{ name: 'id' }]],
      ['{list*}', [{ name: 'list', takesList: true }]],
      ['{?tags*}', [{ name: 'tags', takesList: true, optional: true }]],
      ['{v:3}{v:5}{v:4}', [{ name: 'v', maxLength: 5 }]],
      ['{v:3}/{v}', [{ name: 'v' }]],
      ['{v:3}/{v*}', [{ name: 'v' }]],
    ];
    for (const [template, expected] of variables) {
      assert.deepEqual(
        parsed(template).variables,
        expected.map((one) => ({ ...none, ...one })),
        template,
      );
    }
  });

  it('previews a URI with what is given so far', () => {
    const template = 'm://{host}/{+path}{/more}{?s,limit}';
    assert.equal(preview(template), 'm://{host}/{path}');
    assert.equal(preview(template, { path: 'a b', limit: '3' }), 'm://{host}/a%20b?limit=3');
    assert.equal(preview('{a,b:3,c*}', { b: '12345', c: [] }), '{a},123,{c}');
    assert.equal(preview(template, { host: '' }), 'm:///{path}');
  });

  it('T4: hostile templates take no time', () => {
    for (const piece of ['{', '}', '{a}', '{a', '{a,', 'a,', '{a:', '%', '\ud800', '{.', '{%41', '{😀']) {
      const text = piece.repeat(65_000 / piece.length);
      const begun = performance.now();
      for (const whole of [text, `{${text}}`, `{a:${text}}`]) {
        const result = parseTemplate(whole);
        if (result.ok) {
          expandTemplate(result.template, { a: 'b' });
        } else {
          assert.ok(result.reason.length < 200, result.reason);
        }
      }
      // Three texts of 65 kB; a quadratic scan takes minutes.
      assert.ok(performance.now() - begun < 2_000, piece);
    }
  });

  it('T4: a template too long, or with too many variables, is none and says how much is taken', () => {
    const reasonOf = (text: string) => {
      const result = parseTemplate(text);
      return result.ok ? undefined : [result.at, result.reason];
    };
    const many = Array.from({ length: 1000 }, (_, index) => `{v${index}}`).join('/');
    assert.equal(reasonOf(many), undefined);
    const tooMany = 'a template with more than 1000 variables is not taken apart.';
    assert.deepEqual(reasonOf(`${many}{x}`), [many.length, `Character ${many.length + 1}: ${tooMany}`]);
    assert.deepEqual(reasonOf(`{${'a,'.repeat(1000)}a}`), [0, `Character 1: ${tooMany}`]);
    assert.equal(reasonOf('a'.repeat(65_536)), undefined);
    const tooLong = 'Character 65537: a template of more than 65536 characters is not taken apart.';
    assert.deepEqual(reasonOf('{a}'.repeat(30_000)), [65_536, tooLong]);
  });

  describe('for any text', () => {
    const anyUriText = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})*$/i;
    const signs = fc.constantFrom(...Array.from('{}?&#+/.;,*:%a1 é😀'));
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: signs }));
    const anyValue = fc.oneof(anyText, fc.array(anyText), fc.dictionary(anyText, anyText));
    const operator = fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&');

    it('parsing never throws, and a template that is none has a short reason and a place in the text', () => {
      fc.assert(
        fc.property(anyText, (text) => {
          const result = parseTemplate(text);
          if (!result.ok) {
            assert.ok(result.reason.length < 200);
            assert.ok(result.at >= 0 && result.at <= text.length);
          } else {
            assert.match(expandTemplate(result.template, { a: text }), anyUriText);
          }
        }),
        { numRuns: 5_000 },
      );
    });

    it('every expansion is made of what a URI may contain, and the preview of a full set of values is the URI', () => {
      fc.assert(
        fc.property(operator, fc.constantFrom('v', 'v*', 'v,w'), anyValue, anyText, (sign, uses, v, w) => {
          const template = parsed(`x{${sign}${uses}}`);
          const uri = expandTemplate(template, { v, w });
          assert.match(uri, anyUriText);
          if (Object.keys(v).length > 0) {
            assert.equal(previewOf(template, { v, w }), uri);
          }
        }),
        { numRuns: 5_000 },
      );
    });

    it('a simple value comes back by decoding', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme' }), (v) => {
          assert.equal(decodeURIComponent(expanded('{v}', { v })), v);
          assert.equal(new URLSearchParams(expanded('{?v}', { v })).get('v'), v);
        }),
      );
    });

    it('a template without braces is its own URI, encoded where it must be', () => {
      fc.assert(
        fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
          assert.equal(expanded(url), url.replace(/%(?![\da-f]{2})/gi, '%25'));
        }),
      );
    });
  });
});
