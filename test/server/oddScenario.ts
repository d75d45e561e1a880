// Answers that break the rules in one way each, and what a client is to make of them.
import type { Json, Scenario } from './scenario';

/** What has to survive in their midst. */
export const goodEntries = {
  first: { uri: 'good://first', name: 'first', text: 'good' },
  last: { uri: 'good://last', name: 'last', text: 'good' },
};

/** Each oddity of a list entry, the name that it is listed by once mended (none: it failed), and what is logged of it. */
export const oddEntries: readonly { entry: Json; log?: RegExp; name?: string }[] = [
  { entry: { uri: 'odd://no-name' }, name: 'no-name', log: /"odd:\/\/no-name".*no name/ },
  { entry: { uri: 'odd://null-name', name: null }, name: 'null-name', log: /"odd:\/\/null-name".*name null/ },
  { entry: { uri: 'odd://p', name: 'p', annotations: { priority: 7 } }, name: 'p', log: /priority 7/ },
  { entry: { uri: 'odd://a', name: 'a', annotations: { audience: ['model'] } }, name: 'a', log: /audience "model"/ },
  { entry: { uri: 'odd://d', name: 'd', annotations: { lastModified: 'soon' } }, name: 'd', log: /"soon" is no date/ },
  { entry: { uri: 'odd://s', name: 's', size: -5 }, name: 's', log: /size -5/ },
  { entry: { uri: 'odd://t', name: 't', title: 5, mimeType: null }, name: 't', log: /title 5/ },
  { entry: { uri: 'odd://i', name: 'i', icons: [{ href: 'x' }] }, name: 'i', log: /icons/ },
  { entry: { uri: 'odd://m', name: 'm', _meta: 'x' }, name: 'm', log: /_meta "x"/ },
  { entry: { uri: 'odd://u', name: 'u', more: { unknown: [null] } }, name: 'u' },
  { entry: null, log: /entry 12: cannot be shown: it is null/ },
  { entry: { name: 'lost' }, log: /entry 13: cannot be shown: it has no URI/ },
];

/** Each oddity of a read's answer, what comes of it, and what is logged. Read as `odd://<name>`. */
export const oddReads: readonly {
  name: string;
  contents: Json[];
  expected: { text?: string; blob?: string; mimeType?: string; uri?: string; failure?: string }[];
  log?: RegExp;
}[] = [
  { name: 'no-uri', contents: [{ text: 'x' }], expected: [{ uri: 'odd://no-uri', text: 'x' }], log: /no uri/ },
  { name: 'object', contents: [{ uri: 'u', text: { a: 1 } }], expected: [{ text: '{"a":1}' }], log: /became a string/ },
  {
    name: 'prefix',
    contents: [{ uri: 'u', blob: 'data:image/png;base64,AQI=' }],
    expected: [{ blob: 'AQI=' }],
    log: /prefix/,
  },
  { name: 'url-safe', contents: [{ uri: 'u', blob: '_-\n8' }], expected: [{ blob: '/+8=' }], log: /URL-safe/ },
  {
    name: 'good-blob',
    contents: [{ uri: 'u', blob: 'AQI=', mimeType: 'a/b' }],
    expected: [{ blob: 'AQI=', mimeType: 'a/b' }],
  },
  {
    name: 'bad-blob',
    contents: [
      { uri: 'u', blob: 'no!' },
      { uri: 'u', text: 'x' },
    ],
    expected: [{ failure: 'its blob is not base64: "!" stands at 3' }, { text: 'x' }],
    log: /cannot be shown/,
  },
  {
    name: 'neither',
    contents: [{ uri: 'u', mimeType: 'text/plain' }],
    expected: [{ failure: 'it holds neither text nor binary data' }],
    log: /neither/,
  },
  { name: 'null', contents: [null], expected: [{ uri: 'odd://null', failure: 'it is null' }], log: /it is null/ },
  {
    name: 'both',
    contents: [{ uri: 'odd://both', mimeType: 'image/png', text: 'a picture', blob: 'AQI=' }],
    expected: [{ text: 'a picture' }, { blob: 'AQI=', mimeType: 'image/png' }],
    log: /both text and blob/,
  },
  { name: 'empty', contents: [], expected: [] },
];

/** One list with every odd entry between two good ones, then one resource for each odd answer. */
export const oddScenario: Scenario = {
  resources: [
    goodEntries.first,
    ...oddEntries.map(({ entry }, index) => ({ uri: `entry:${index}`, entry })),
    goodEntries.last,
    ...oddReads.map(({ name, contents }) => ({
      uri: `odd://${name}`,
      contents: contents.map((raw) => ({ raw })),
    })),
  ],
};
