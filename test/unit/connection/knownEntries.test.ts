import assert from 'node:assert/strict';
import fc from 'fast-check';
import { knownResource, knownTemplate } from '../../../src/connection/knownEntries';
import { type RepairedRequest, repairResult } from '../../../src/connection/repairResult';
import { listedEntries } from '../../../src/connection/reservedMeta';
import type { Era, ResourceEntry, TemplateEntry } from '../../../src/connection/wire';

type Entry = ResourceEntry | TemplateEntry;

/** Looks at one field of what came out; the name says where it was. */
type Check = (value: unknown, where: string) => void;

const text: Check = (value, where) => assert.equal(typeof value, 'string', where);
const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value, where) =>
    assert.ok(allowed.includes(value), where);
const maybe =
  (check: Check): Check =>
  (value, where) =>
    value === undefined || check(value, where);
const listOf =
  (check: Check): Check =>
  (value, where) => {
    assert.ok(Array.isArray(value), where);
    value.forEach((one, index) => check(one, `${where}[${index}]`));
  };
/** An object of JSON with these fields and no other. */
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, where) => {
    assert.ok(typeof value === 'object' && value !== null, where);
    assert.equal(Object.getPrototypeOf(value), Object.prototype, where);
    assert.deepEqual(Object.keys(value).sort(), Object.keys(checks).sort(), where);
    Object.entries(checks).forEach(([key, check]) => check((value as Record<string, unknown>)[key], `${where}.${key}`));
  };
const number =
  (isGood: (value: number) => boolean): Check =>
  (value, where) =>
    assert.ok(typeof value === 'number' && isGood(value), where);

const common = {
  name: text,
  title: maybe(text),
  description: maybe(text),
  mimeType: maybe(text),
  annotations: maybe(
    fields({
      audience: maybe(listOf(oneOf('user', 'assistant'))),
      priority: maybe(number((value) => value >= 0 && value <= 1)),
      lastModified: maybe((value, where) => assert.ok(!Number.isNaN(Date.parse(value as string)), where)),
    }),
  ),
  icons: maybe(
    listOf(
      fields({ src: text, mimeType: maybe(text), sizes: maybe(listOf(text)), theme: maybe(oneOf('light', 'dark')) }),
    ),
  ),
};
const resource = fields({
  ...common,
  uri: text,
  size: maybe(number((value) => Number.isSafeInteger(value) && value >= 0)),
});
const template = fields({ ...common, uriTemplate: text });

/** Any JSON, among it what is nearly right. */
const odd = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(undefined, null, -0, 0.5, 1e308, -1, 2 ** 53, 'any', 'user', 'light', '\ud800', [], [null], {}, [[]]),
);
const mixed = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(good, odd, fc.array(fc.oneof(good, odd)));
/** Each field may be absent, right or anything, and there may be more. */
const record = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(model).map(([key, value]) => [key, mixed(value)])), {
        requiredKeys: [],
      }),
      fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', 'length', 'x'), odd),
    )
    .map(([some, more]) => ({ ...some, ...more }));

const icon = record({
  src: fc.string(),
  mimeType: fc.string(),
  sizes: fc.constant('48x48'),
  theme: fc.constant('dark'),
});
const date = fc.constantFrom(
  '2025-01-12',
  '2025-02-29T00:00:00Z',
  '2025-01-12T15:00:58Z',
  '0000-01-01 24:00',
  '2025-01-12T1',
);
const annotations = record({
  audience: fc.constantFrom('user', 'Assistant'),
  priority: fc.double(),
  lastModified: date,
});
const meta = record({
  progressToken: odd,
  'mcp-resource-context/repair': odd,
  'io.modelcontextprotocol/related-task': odd,
});
const uri = fc.oneof(fc.constantFrom('a://x', 'a://x', '\ud800', ' ', '__proto__'), fc.string({ unit: 'binary' }));
const entry = record({
  ...{ uri, uriTemplate: uri, name: fc.string(), title: fc.string(), description: fc.string() },
  ...{ mimeType: fc.string(), size: fc.integer(), annotations, icons: icon, _meta: meta },
});
const answer = record({
  ...{ resources: entry, resourceTemplates: entry, nextCursor: fc.string(), ttlMs: fc.double(), _meta: meta },
  ...{ resultType: fc.constant('complete'), cacheScope: fc.constant('public') },
});

describe('knownEntries', () => {
  for (const era of ['legacy', 'modern'] as const satisfies readonly Era[]) {
    for (const [method, key, uriKey, known, check] of [
      ['resources/list', 'resources', 'uri', knownResource, resource],
      ['resources/templates/list', 'resourceTemplates', 'uriTemplate', knownTemplate, template],
    ] as const) {
      it(`whatever a server answers, ${key} hold what their types say (${era})`, () => {
        let seen = 0;
        fc.assert(
          fc.property(mixed(answer), (made) => {
            // As it would come off the wire: "__proto__" is a field like any other.
            const raw: unknown = JSON.parse(JSON.stringify(made) ?? 'null');
            const request: RepairedRequest = { method, era };
            const result = repairResult(request, raw).result as Record<string, unknown>;
            if (era === 'modern' && result.resultType !== 'complete') {
              // The SDK refuses it as no final answer.
              assert.equal(typeof result.resultType, 'string');
              return;
            }
            const { items, failures } = listedEntries(result[key] as readonly Entry[]);
            const out = items.map(known as (entry: Entry) => Entry);
            out.forEach((one, index) => check(one, `${index}`));
            failures.forEach((one) => text(one, 'failure'));
            maybe(text)(result.nextCursor, 'nextCursor');
            const given = (raw as Record<string, unknown> | null)?.[key];
            if (Array.isArray(given)) {
              const uris = given
                .map((one: Record<string, unknown> | null) => one?.[uriKey])
                .filter((one, index) => typeof one === 'string' && one !== '' && !Array.isArray(given[index]));
              assert.deepEqual(
                out.map((one) => (one as unknown as Record<string, unknown>)[uriKey]),
                uris,
              );
              assert.equal(out.length + failures.length, given.length);
            }
            seen += out.length;
          }),
          { numRuns: 300 },
        );
        assert.ok(seen > 10, `${seen} entries`);
      });
    }
  }
});
