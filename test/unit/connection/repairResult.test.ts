import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type RepairedRequest, repairResult } from '../../../src/connection/repairResult';
import { contentItems, listedEntries, RESERVED_KEY } from '../../../src/connection/reservedMeta';
import type { ContentItem } from '../../../src/connection/wire';

type Result = Record<string, unknown>;
type Entry = Record<string, unknown> & { _meta?: unknown };

const list: RepairedRequest = { method: 'resources/list', era: 'legacy' };
const templates: RepairedRequest = { method: 'resources/templates/list', era: 'legacy' };
const reading: RepairedRequest = { method: 'resources/read', era: 'legacy', uri: 'a://asked' };
const modern = (request: RepairedRequest): RepairedRequest => ({ ...request, era: 'modern' });

const repaired = (request: RepairedRequest, result: unknown) => {
  const { result: mended, notes } = repairResult(request, result);
  return { result: mended as Result, lines: notes.map(({ line }) => line) };
};
const entries = (resources: unknown, request = list) => {
  const { result, lines } = repaired(request, { resources });
  return { ...listedEntries(result.resources as Entry[]), lines };
};
const one = (entry: unknown) => {
  const { items, lines } = entries([entry]);
  assert.equal(items.length, 1);
  return { entry: items[0]!, lines };
};
const items = (contents: unknown, request = reading) => {
  const { result, lines } = repaired(request, { contents });
  return { items: contentItems(result.contents as (ContentItem & Entry)[]), lines };
};

describe('repairResult of parts without number', () => {
  it('parts that are none are counted past the first thousand, and good ones past the first hundred thousand', () => {
    const part = { uri: 'a://x', text: 'x' };
    const bad = items([...Array.from({ length: 2_000_000 }, () => null), part]).items;
    assert.equal(bad.length, 1002);
    assert.deepEqual([bad.at(-2)?.text, bad.at(-1)?.failure], ['x', '1999000 more parts are too many to show']);
    const many = Array.from({ length: 100_000 }, () => part);
    assert.equal(items(many).items.length, 100_000);
    const cut = items([...many, part, part]).items;
    assert.deepEqual(
      cut.slice(99_998).map(({ failure }) => failure),
      [undefined, undefined, '2 more parts are too many to show'],
    );
  });

  it('a long "data:" URL of text is decoded in no time', () => {
    const begun = performance.now();
    const { items: made } = items([{ uri: 'a://x', blob: `data:text/plain,${'%C3%a9é%zz'.repeat(500_000)}` }]);
    assert.equal(
      Buffer.from(made[0]?.blob ?? '', 'base64')
        .toString()
        .slice(0, 5),
      'éé%zz',
    );
    assert.ok(performance.now() - begun < 5000, `${performance.now() - begun} ms`);
  });
});

describe('repairResult of lists', () => {
  const good = { uri: 'a://x', name: 'x' };

  it('any number of entries that are none takes little memory', () => {
    const { result } = repaired(list, { resources: [good, ...Array.from({ length: 2_000_000 }, () => 0), good] });
    const { items, failures } = listedEntries(result.resources as Entry[]);
    assert.deepEqual(items, [good, good]);
    assert.equal(failures.length, 1001);
    assert.equal(failures[7], 'entry 9 is 0');
    assert.equal(failures.at(-1), '1999000 more entries like these');
  });

  it('an audience of a million, or a type of megabytes, costs no more than a line', () => {
    const audience = Array.from({ length: 1_000_000 }, () => 'User');
    const mended = one({ ...good, mimeType: `text/${'a;'.repeat(1_000_000)}`, annotations: { audience } });
    assert.deepEqual(mended.entry, { ...good, annotations: { audience: ['user'] } });
    assert.ok(mended.lines.every((line) => line.length < 300) && mended.lines.length === 2);
  });

  it('gives back the very same result where nothing is wrong', () => {
    const annotations = { audience: ['user'], priority: 1, lastModified: '2025-01-12T15:00:58.5+01:00', more: 1 };
    const icons = [{ src: 'data:,', sizes: ['any'], theme: 'dark' }];
    const full = { ...good, title: '', size: 0, annotations, icons, _meta: { any: null }, unknown: [1] };
    const result = { resources: [good, full], nextCursor: '', _meta: {}, more: 1 };
    assert.equal(repairResult(list, result).result, result);
    const complete = { ...result, resultType: 'complete', ttlMs: 0, cacheScope: 'public' };
    assert.equal(repairResult(modern(list), complete).result, complete);
    assert.deepEqual(repairResult(modern(list), complete).notes, []);
  });

  for (const [name, entry, expected] of [
    ['a missing name', { uri: 'file:///a/b%20c.md?x#y' }, { name: 'b c.md' }],
    ['an empty name', { uri: 'a:b', name: ' ' }, { name: 'b' }],
    ['a name that is a number', { uri: '%', name: 7 }, { name: '%' }],
    [
      'a priority of 7',
      { ...good, annotations: { priority: 7, audience: ['user'] } },
      { annotations: { audience: ['user'] } },
    ],
    ['a priority in words', { ...good, annotations: { priority: '0.5' } }, { annotations: {} }],
    ['an unknown audience', { ...good, annotations: { audience: ['developer'] } }, { annotations: {} }],
    [
      'one of two audiences',
      { ...good, annotations: { audience: ['User', 3] } },
      { annotations: { audience: ['user'] } },
    ],
    [
      'an audience that is no list',
      { ...good, annotations: { audience: 'user' } },
      { annotations: { audience: ['user'] } },
    ],
    ['a bad date', { ...good, annotations: { lastModified: 'yesterday' } }, { annotations: {} }],
    [
      'a date not in the calendar',
      { ...good, annotations: { lastModified: '2025-02-29T00:00:00Z' } },
      { annotations: {} },
    ],
    [
      'a date alone',
      { ...good, annotations: { lastModified: '2025-02-28' } },
      { annotations: { lastModified: '2025-02-28T00:00:00Z' } },
    ],
    [
      'a local time',
      { ...good, annotations: { lastModified: '2025-02-28 10:05' } },
      { annotations: { lastModified: '2025-02-28T10:05:00Z' } },
    ],
    [
      'a short offset',
      { ...good, annotations: { lastModified: '2025-02-28T10:05:01,5+02' } },
      { annotations: { lastModified: '2025-02-28T10:05:01.5+02:00' } },
    ],
    ['annotations of null', { ...good, annotations: null }, {}],
    ['a negative size', { ...good, size: -1 }, {}],
    ['half a byte', { ...good, size: 0.5 }, {}],
    ['a size in words', { ...good, size: '12' }, {}],
    ['texts that are none', { ...good, title: null, description: 5, mimeType: ['text/plain'] }, {}],
    [
      'icons of one',
      { ...good, icons: { src: 'a', sizes: '16x16 32x32' } },
      { icons: [{ src: 'a', sizes: ['16x16', '32x32'] }] },
    ],
    [
      'icons of which one is none',
      { ...good, icons: [null, { src: 'a', theme: 'blue', mimeType: 1, sizes: 5 }] },
      { icons: [{ src: 'a' }] },
    ],
    ['icons that are none', { ...good, icons: 'a.png' }, {}],
    ['_meta that is a list', { ...good, _meta: [] }, {}],
    ['what is ours alone', { ...good, _meta: { [RESERVED_KEY]: { failure: 'x' }, own: 1 } }, { _meta: { own: 1 } }],
  ] as const) {
    it(`mends ${name}, and says so`, () => {
      const { entry: mended, lines } = one(entry);
      assert.deepEqual(mended, { uri: entry.uri, name: 'x', ...expected });
      assert.ok(lines.length > 0);
      lines.forEach((line) => assert.ok(line.startsWith(`resources/list: entry 1 ("${entry.uri}"): `), line));
    });
  }

  it('what cannot be mended fails alone, with its place and reason', () => {
    const { items, failures, lines } = entries([
      null,
      good,
      'a://y',
      { name: 'no uri' },
      { uri: 7 },
      good,
      [],
      { uri: '' },
    ]);
    assert.deepEqual(items, [good, good]);
    assert.deepEqual(failures, [
      'entry 1 is null',
      'entry 3 is "a://y"',
      'entry 4 has no URI (its name is "no uri")',
      'entry 5 has 7 for its URI',
      'entry 7 is a list',
      'entry 8 has no URI',
    ]);
    assert.equal(lines.length, 6);
    const { result } = repaired(templates, { resourceTemplates: [{ uri: 'a' }, { uriTemplate: 'a://{b}' }] });
    const listed = listedEntries(result.resourceTemplates as Entry[]);
    assert.deepEqual(listed, {
      items: [{ uriTemplate: 'a://{b}', name: '{b}' }],
      failures: ['entry 1 has no URI template'],
    });
  });

  it('a list that is left out or null is empty; one that is something else failed', () => {
    for (const empty of [{}, { resources: null }, { nextCursor: 'x', _meta: {} }, null, []]) {
      const { result, lines } = repaired(list, empty);
      assert.deepEqual(result.resources, []);
      assert.ok(lines.length > 0);
    }
    assert.deepEqual(entries(good).items, [good]);
    assert.deepEqual(entries('x').failures, [`the answer's resources is "x", not a list`]);
    const told = repaired(list, { isError: true, content: [{ type: 'text', text: 'no database' }] }).result;
    assert.deepEqual(listedEntries(told.resources as Entry[]).failures, [
      'the answer has no resources; the server says: no database',
    ]);
  });

  it('a cursor that is a number goes back as a string, null is none', () => {
    const cursorOf = (nextCursor: unknown) => repaired(list, { resources: [], nextCursor }).result.nextCursor;
    assert.equal(cursorOf(2), '2');
    assert.equal(cursorOf(''), '');
    for (const none of [null, false, {}, []]) {
      assert.equal(cursorOf(none), undefined);
    }
  });

  it('adds what the modern era insists on, and promises no freshness that the server did not', () => {
    const envelope = (result: Result) => {
      const { resultType, ttlMs, cacheScope } = repaired(modern(list), { resources: [], ...result }).result;
      return [resultType, ttlMs, cacheScope];
    };
    assert.deepEqual(envelope({}), ['complete', 0, 'private']);
    assert.deepEqual(envelope({ resultType: 5, ttlMs: '9', cacheScope: 'all' }), ['complete', 0, 'private']);
    assert.deepEqual(envelope({ ttlMs: 1.5, cacheScope: 'public' }), ['complete', 1, 'public']);
    assert.deepEqual(envelope({ ttlMs: -1 })[1], 0);
    assert.equal(envelope({ ttlMs: Infinity })[1], Number.MAX_SAFE_INTEGER);
    assert.deepEqual(repaired(list, { resources: [] }).result, { resources: [] });
  });

  it('leaves results of another kind alone', () => {
    const asks = { resultType: 'input_required', inputRequests: {}, requestState: 's' };
    assert.equal(repairResult(modern(reading), asks).result, asks);
    assert.equal(repaired(modern(reading), { inputRequests: { a: {} } }).result.resultType, 'input_required');
  });

  it('logs some twenty lines, then a count', () => {
    const { lines } = entries(Array.from({ length: 500 }, () => ({ uri: 'a:b' })));
    assert.equal(lines.length, 21);
    assert.match(lines.at(-1)!, /480 more/);
    const [line] = entries([{ uri: `a:\n${'x'.repeat(1000)}` }]).lines;
    assert.ok(line!.length < 400 && !line!.includes('\n'));
  });

  it('copies nothing of a large valid list', () => {
    const resources = Array.from({ length: 10_000 }, (_, index) => ({
      uri: `a://${index}`,
      name: String(index),
      annotations: { audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' },
    }));
    const result = { resources };
    assert.equal(repairResult(list, result).result, result);
  });
});

describe('repairResult of reads', () => {
  const uri = 'a://asked';
  const base64 = (bytes: string | number[]) => Buffer.from(bytes as string).toString('base64');

  it('gives back the very same result where nothing is wrong', () => {
    const result = {
      contents: [
        { uri: 'b', text: '', more: 1 },
        { uri, mimeType: 'text/x', text: 'x', _meta: {} },
      ],
    };
    assert.equal(repairResult(reading, result).result, result);
    const blob = { uri, mimeType: 'image/png', blob: base64([1, 2]) };
    assert.deepEqual(items([blob]), { items: [blob], lines: [] });
  });

  for (const [name, contents, expected] of [
    ['one item that is no list', { text: 'x' }, [{ uri, text: 'x' }]],
    ['a string for the list', 'x', [{ uri, text: 'x' }]],
    ['an item without uri', [{ text: 'x' }], [{ uri, text: 'x' }]],
    ['a uri of null', [{ uri: null, text: 'x' }], [{ uri, text: 'x' }]],
    ['a number for text', [{ uri, text: 7 }], [{ uri, text: '7' }]],
    ['an object for text', [{ uri, text: { a: [1] } }], [{ uri, text: '{"a":[1]}', mimeType: 'application/json' }]],
    ['a MIME type that is no string', [{ uri, text: 'x', mimeType: 5 }], [{ uri, text: 'x' }]],
    ['a data prefix', [{ uri, blob: 'data:image/png;base64,AQI=' }], [{ uri, mimeType: 'image/png', blob: 'AQI=' }]],
    [
      'a data prefix of text',
      [{ uri, blob: 'data:text/plain,a%20é' }],
      [{ uri, mimeType: 'text/plain', blob: base64('a é') }],
    ],
    ['line breaks', [{ uri, blob: ' AQI\r\nD\n' }], [{ uri, blob: 'AQID' }]],
    ['the URL-safe alphabet without padding', [{ uri, blob: '_-8' }], [{ uri, blob: '/+8=' }]],
    ['a list of bytes', [{ uri, blob: { type: 'Buffer', data: [1, 2] } }], [{ uri, blob: 'AQI=' }]],
    ['text beside an empty blob', [{ uri, text: 'x', blob: '' }], [{ uri, text: 'x' }]],
    ['a blob beside an empty text', [{ uri, text: '', blob: 'AQI=' }], [{ uri, blob: 'AQI=' }]],
    ['text and blob of null', [{ uri, text: 'x', blob: null }], [{ uri, text: 'x' }]],
    ['the same twice', [{ uri, text: 'é', blob: base64('é') }], [{ uri, text: 'é' }]],
  ] as const) {
    it(`mends ${name}`, () => {
      const { items: mended } = items(contents);
      assert.deepEqual(
        mended.map((item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))),
        expected,
      );
    });
  }

  it('R10: text and blob both stay: the text, then the blob as a part of its own', () => {
    const both = { uri, text: 'a picture', blob: 'AQI=' };
    assert.deepEqual(items([{ ...both, mimeType: 'image/png' }]).items, [
      { uri, text: 'a picture' },
      { uri, mimeType: 'image/png', blob: 'AQI=' },
    ]);
    const { items: textual, lines } = items([
      { ...both, mimeType: 'text/markdown' },
      { uri, text: 'next' },
    ]);
    assert.deepEqual(textual, [
      { uri, text: 'a picture', mimeType: 'text/markdown' },
      { uri, mimeType: undefined, blob: 'AQI=' },
      { uri, text: 'next' },
    ]);
    assert.match(lines.join(), /item 1 .*both text and blob/);
  });

  it('R11: an item that is null, and others that say nothing, fail alone with their reasons', () => {
    const good = { uri, text: 'x' };
    const { items: all, lines } = items([null, good, {}, { uri: 'b', blob: '!' }, { blob: 'A' }, { blob: 5 }, 7]);
    assert.deepEqual(
      all.map(({ text, failure }) => failure ?? text),
      [
        'it is null',
        'x',
        'it holds neither text nor binary data',
        'its blob is not base64: "!" stands at 1',
        'its blob is not base64: 1 characters are no whole number of bytes',
        'its blob is 5, not base64',
        'it is 7',
      ],
    );
    assert.equal(all[3]!.uri, 'b');
    assert.ok(
      all.every(({ text, blob, failure }) => failure === undefined || (text === undefined && blob === undefined)),
    );
    assert.match(lines.join('\n'), /item 1 of "a:\/\/asked": cannot be shown: it is null/);
  });

  it('R11: no contents at all is empty, an error told as a result is not', () => {
    for (const empty of [{}, { contents: null }, { contents: [] }, null]) {
      assert.deepEqual(repaired(reading, empty).result.contents, []);
    }
    const told = repaired(reading, { error: { message: 'locked' } }).result;
    const [failed] = contentItems(told.contents as ContentItem[]);
    assert.equal(failed!.failure, 'the answer has no contents; the server says: locked');
  });

  it('any bytes come back from base64 as a server may write it', () => {
    const writings: ((text: string) => string)[] = [
      (text) => text,
      (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
      (text) => text.replace(/=+$/, ''),
      (text) => text.replace(/.{5}/g, '$&\r\n'),
      (text) => `data:application/octet-stream;base64,${text}`,
    ];
    fc.assert(
      fc.property(fc.uint8Array(), fc.subarray(writings), (bytes, steps) => {
        const blob = steps.reduce((text, step) => step(text), Buffer.from(bytes).toString('base64'));
        const [item] = items([{ uri, blob }]).items;
        assert.deepEqual(Buffer.from(item!.blob!, 'base64'), Buffer.from(bytes));
        assert.equal(item!.blob, Buffer.from(bytes).toString('base64'));
      }),
    );
  });
});

describe('repairResult of anything', () => {
  const oddities = fc.constantFrom('uri', 'name', 'text', 'blob', '_meta', 'annotations', 'icons', 'size', 'resources');
  const odd = fc.oneof(fc.jsonValue(), fc.dictionary(oddities, fc.jsonValue()));
  const requests = fc.constantFrom(list, templates, reading, modern(list), modern(templates), modern(reading));

  it('never throws', () => {
    const fields = fc.constantFrom(
      'resources',
      'resourceTemplates',
      'contents',
      'nextCursor',
      'ttlMs',
      '_meta',
      'error',
    );
    const result = fc.oneof(fc.jsonValue(), fc.dictionary(fields, fc.oneof(fc.array(odd), odd)));
    fc.assert(fc.property(requests, result, (request, value) => void repairResult(request, value)));
  });

  it('valid entries survive unchanged and in order among whatever else', () => {
    const valid = fc.record(
      {
        uri: fc.string({ minLength: 1 }),
        name: fc.string({ minLength: 1 }).map((text) => `${text}.`),
        title: fc.string(),
      },
      { requiredKeys: ['uri', 'name'] },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(valid, odd)), (pairs) => {
        const { result } = repaired(list, { resources: pairs.flat() });
        const survivors = new Set(result.resources as unknown[]);
        const goods = pairs.map(([entry]) => entry);
        assert.deepEqual(
          [...survivors].filter((entry) => goods.includes(entry as never)),
          goods,
        );
      }),
    );
  });

  it('valid items survive unchanged and in order among whatever else', () => {
    const text = fc.record({ uri: fc.string({ minLength: 1 }), text: fc.string(), good: fc.constant(true) });
    const blob = fc.record({
      uri: fc.string({ minLength: 1 }),
      blob: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(text, blob), odd)), (pairs) => {
        const { items: all } = items(
          pairs.flatMap(([good, other], index) => [{ ...good, uri: `good:${index}` }, other]),
        );
        const goods = all.filter(({ uri }) => uri.startsWith('good:'));
        assert.deepEqual(
          goods.map((item) => item.text ?? item.blob),
          pairs.map(([good]) => ('text' in good ? good.text : good.blob)),
        );
      }),
    );
  });
});
