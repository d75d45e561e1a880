import * as fc from 'fast-check';
import type { DocumentIdentity } from '../../../src/content/documentUri';
import { documentFileName } from '../../../src/content/fileName';

/** URIs of the field cases and of published servers, each of which broke some client. */
export const knownUris: readonly string[] = [
  'foo:///a/b.txt',
  'foo://a/b.txt',
  'foo:/a/b.txt',
  'x://h/a%2Fb',
  'x://h/a%2fb',
  'x://h/a/b',
  'x://h/p?outer=a%3Db&c=d',
  'x://h/p?outer=a=b&c=d',
  'foo:///C:/Dir/File.md',
  'foo:///c:/Dir/File.md',
  'C:/Dir/File.md',
  '/C:/Dir/File.md',
  'users/me',
  'users://me',
  'users:me',
  'urn:x:y:1',
  'memo:today',
  'skill://d/setup%20guide.md',
  'skill://d/setup guide.md',
  'skill://d/setup%2520guide.md',
  'skill://d/caf%C3%A9.md',
  'skill://d/caf%c3%a9.md',
  'skill://d/café.md',
  'skill://d/cafe\u0301.md',
  'skill://d/100%.md',
  'x://h/README',
  'x://h/readme',
  'docs://root',
  'docs://root/',
  'docs://root//',
  'overview://',
  'sqlite:////tmp/a',
  '1password://vaults/{vaultId}',
  'https://nohost.invalid/d',
  'http://127.0.0.1:9/graphql',
  'file:///etc/hosts',
  'git:abc#def',
  'ui://Widget/*',
  'x://h/what?/now',
  'x://h/../../etc',
  'x://h/./a/..',
  'x://h/%2E%2E/a',
  'x://h/~user/~20/~',
  'x://h\\a\\b',
  'x://h/\u202efdp.exe',
  'x://h/\ud800/\udc00',
  'x://h/\ufffd',
  'x://h/👩‍👩‍👧/🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '://a',
  '//a',
  '/',
  '',
  ' ',
  '.',
  '..',
  ':',
  '~',
];

const hazards = [
  ...[
    '/',
    '//',
    '\\',
    '.',
    '..',
    '~',
    '~.',
    '~n',
    '~x',
    '~xr',
    '~20',
    '~u0041',
    '%',
    '%2F',
    '%2f',
    '%20',
    '%25',
    '%zz',
  ],
  ...[
    '%C3%A9',
    '%FF',
    '%E2%80%AE',
    '?',
    '#',
    '&',
    '=',
    ':',
    '://',
    'c:',
    'C:',
    ' ',
    '\t',
    '\n',
    '\0',
    '\x7f',
    'é',
    'e\u0301',
  ],
  ...[
    'É',
    'ß',
    'İ',
    'ı',
    'K',
    '\u202e',
    '\u200b',
    '\ufeff',
    '\u2028',
    '\ud800',
    '\udc00',
    '😀',
    '日本',
    'a',
    'A',
    'b.md',
    '{id}',
    '@',
    '+',
  ],
];
const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));

/** Any UTF-16 string, with a weight on what is hard to carry in a URI. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyUnit, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...hazards), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
);

const segment = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9._~-]{0,8}$/),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map(encodeURIComponent),
  fc.constantFrom(...hazards),
);

/** A URI as a server would list it: by the grammar, one of the known ones, or any text. */
export const anyUri: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...knownUris),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .tuple(
      fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9+.-]{0,6}$/),
      fc.constantFrom(':', ':/', '://', ':///', ''),
      fc.array(segment, { maxLength: 5 }),
      fc.constantFrom('', '', '?q=a%26b', '?a/b', '#part'),
    )
    .map(([scheme, slashes, segments, query]) => scheme + slashes + segments.join('/') + query),
  anyText,
);

const anyServerId = fc.oneof(
  fc.constantFrom('docs', 'Docs', 'folder/docs', '/', 'c:', 'C:/x', '', '~', 'a/', '%20'),
  anyText,
);

/** A resource under the name that we give it, under a name that resembles its URI, or under any name. */
export const anyIdentity: fc.Arbitrary<DocumentIdentity> = fc
  .tuple(
    anyServerId,
    anyUri,
    fc.option(anyText),
    fc.constantFrom(undefined, 'text/plain', 'text/markdown', 'image/png'),
    fc.nat(3),
  )
  .map(([serverId, uri, text, mimeType, kind]) => {
    const last = uri.slice(uri.lastIndexOf('/') + 1);
    const names = [documentFileName({ uri, mimeType }), last, `${last}.md`, text ?? ''];
    return { serverId, uri, fileName: names[kind] ?? '' };
  });
