import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { documentFileName } from '../../../src/content/fileName';
import { encodeDocumentUri } from '../../../src/content/documentUri';
import { anyText, anyUri } from './documentIdentities';

function nameOf(uri: string, mimeType?: string): string {
  return documentFileName({ uri, mimeType });
}

describe('document file name', function () {
  this.timeout(20_000); // thousands of runs, on a busy machine

  it('F11: the extension fits the MIME type', () => {
    const names: [uri: string, mimeType: string | undefined, name: string][] = [
      ['x://h/src/app', 'text/x-python', 'app.py'],
      ['x://logo', 'image/png', 'logo.png'],
      ['x://logo.png', 'image/png', 'logo.png'],
      ['x://photo.jpeg', 'image/jpg', 'photo.jpeg'],
      ['x://PHOTO.JPG', 'image/jpeg', 'PHOTO.JPG'],
      ['x://photo.jpg', 'image/png', 'photo.jpg.png'],
      ['x://photo.png', 'text/plain', 'photo.png.txt'],
      ['x://logo.xml', 'image/svg+xml', 'logo.xml.svg'],
      ['x://readme.md', 'text/plain', 'readme.md'],
      ['x://notes', 'text/plain; charset=utf-8', 'notes.txt'],
      ['x://notes', 'text', 'notes.txt'],
      ['x://main.zig', 'text/plain', 'main.zig'],
      ['x://v1.2', 'text/plain', 'v1.2.txt'],
      ['x://v1.2', 'text/markdown', 'v1.2.md'],
      ['x://src/Dockerfile', 'text/plain', 'Dockerfile'],
      ['x://data.txt', 'application/json', 'data.txt.json'],
      ['x://users.me', 'application/json', 'users.me.json'],
      ['x://map.geojson', 'application/json', 'map.geojson'],
      ['x://tsconfig.jsonc', 'application/json', 'tsconfig.jsonc'],
      ['x://feed.xml', 'application/atom+xml', 'feed.xml'],
      ['x://a.yml', 'application/x-yaml', 'a.yml'],
      ['x://a.tsx', 'text/javascript', 'a.tsx'],
      ['x://a.h', 'text/x-c', 'a.h'],
      ['x://index.php', 'text/html', 'index.php.html'],
      ['x://thing', 'application/vnd.api+json', 'thing.json'],
      ['x://thing', 'text/x-unheard-of', 'thing.txt'],
    ];
    for (const [uri, mimeType, name] of names) {
      assert.equal(nameOf(uri, mimeType), name, `${uri} ${mimeType}`);
    }
  });

  it('R7: without a MIME type, or with one that says nothing, the name stays as it is', () => {
    assert.equal(nameOf('x://main.rs'), 'main.rs');
    assert.equal(nameOf('x://graphql'), 'graphql');
    for (const mimeType of ['application/octet-stream', 'nonsense', '', '/', 'inode/directory']) {
      assert.equal(nameOf('x://logo.png', mimeType), 'logo.png');
      assert.equal(nameOf('x://graphql', mimeType), 'graphql');
    }
  });

  it('F12: the last part of the URI is made readable', () => {
    const names: [uri: string, name: string][] = [
      ['docs://api/users/', 'users'],
      ['skill://d/setup%20guide.md', 'setup guide.md'],
      ['skill://d/caf%C3%A9.md', 'café.md'],
      ['skill://d/100%.md', '100-.md'],
      ['x://h/a%2Fb.md', 'a-b.md'],
      ['urn:isbn:123', 'isbn-123'],
      ['memo:today', 'today'],
      ['users/me', 'me'],
      ['x://h/search?q=a%20b&c=d', 'search-q=a b&c=d'],
      ['x://h/report.csv?year=2024', 'report-year=2024.csv'],
      ['x://h/what?/now', 'what-now'],
      ['http://127.0.0.1:9/graphql', 'graphql'],
      ['x://h/..', 'x'],
      ['x://', 'x'],
      ['', 'resource'],
    ];
    for (const [uri, name] of names) {
      assert.equal(nameOf(uri), name, uri);
    }
  });

  it('F12: name and title step in for a URI without a readable part', () => {
    assert.equal(documentFileName({ uri: 'overview://', name: 'Overview', mimeType: 'text/markdown' }), 'Overview.md');
    assert.equal(documentFileName({ uri: 'x://..', name: ' / ', title: 'The title' }), 'The title');
  });

  it('F12: odd names are sanitised', () => {
    const names: [last: string, name: string][] = [
      ['a\u202efdp.exe', 'a-fdp.exe'],
      ['zero\u200bwidth\ufeff.md', 'zero-width-.md'],
      ['line\nbreak', 'line-break'],
      ['half\ud800pair', 'half-pair'],
      ['a<b>"c"|d*e', 'a-b-c-d-e'],
      ['back\\slash', 'back-slash'],
      ['.env', '_.env'],
      ['...hidden', '_.hidden'],
      ['trailing. . ', 'trailing'],
      ['con', '_con'],
      ['NUL.txt', '_NUL.txt'],
      ['lpt1.md', '_lpt1.md'],
      ['console', 'console'],
    ];
    for (const [last, name] of names) {
      assert.equal(nameOf(`x://h/${last}`), name);
    }
  });

  it('F12: a long name is cut between characters and keeps its extension', () => {
    const long = nameOf(`x://${'a'.repeat(300)}.md`, 'text/plain');
    assert.equal(long, `${'a'.repeat(76)}….md`);
    const families = nameOf(`x://${'👩‍👩‍👧'.repeat(50)}`, 'text/markdown');
    assert.match(families, /^[^\p{Surrogate}]+….md$/u);
    assert.ok(nameOf(`x://e${'\u0301'.repeat(500)}`).length < 80);
    assert.match(nameOf(`x://${'x'.repeat(2_000)}.tsx`), /x….tsx$/);
  });

  it('is never empty, always safe, and stands in the path as it is', () => {
    fc.assert(
      fc.property(
        anyUri,
        anyText,
        fc.oneof(fc.constantFrom(undefined, 'text/markdown', 'image/png'), anyText),
        (uri, name, mimeType) => {
          const fileName = documentFileName({ uri, name, mimeType });
          assert.ok(fileName.length > 0 && fileName.length <= 80 && Buffer.byteLength(fileName) <= 200, fileName);
          assert.doesNotMatch(
            fileName,
            /^\.|[. ]$|[<>:"/\\|?*%~\p{Cc}\u200b-\u200f\u202a-\u202e\ufeff]|\p{Surrogate}/u,
          );
          assert.ok(encodeDocumentUri({ serverId: 's', uri, fileName }).path.endsWith(`/${fileName}`));
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
