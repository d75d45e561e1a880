import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import * as fc from 'fast-check';
import { decodeDocumentUri, encodeDocumentUri, type DocumentIdentity } from '../../../src/content/documentUri';
import { documentFileName } from '../../../src/content/fileName';
import { anyIdentity, anyText, anyUri, knownUris } from './documentIdentities';

const runs = { numRuns: 5_000 };

function identity(uri: string, mimeType?: string, serverId = 'srv'): DocumentIdentity {
  return { serverId, uri, fileName: documentFileName({ uri, mimeType }) };
}

function pathOf(uri: string, mimeType?: string, serverId?: string): string {
  return encodeDocumentUri(identity(uri, mimeType, serverId)).path;
}

function assertDistinctAndExact(...uris: string[]): void {
  const paths = uris.map((uri) => {
    const parts = encodeDocumentUri(identity(uri));
    assert.equal(decodeDocumentUri(parts)?.uri, uri);
    return parts.path;
  });
  assert.equal(new Set(paths).size, uris.length, paths.join('\n'));
}

/** As loosely as any file system or editor compares two URIs. */
function looseKey(document: DocumentIdentity): string {
  const { authority, path } = encodeDocumentUri(document);
  return `${authority}${path}`.normalize('NFKC').toUpperCase().toLowerCase();
}

describe('document URI', function () {
  this.timeout(20_000); // thousands of runs, on a busy machine

  it('U1: three slashes stay three', () => {
    assertDistinctAndExact('foo:///a/b.txt', 'foo://a/b.txt', 'foo:/a/b.txt', 'foo:////a/b.txt', 'foo:a/b.txt');
  });

  it('U2: an escaped slash stays escaped', () => {
    assertDistinctAndExact('x://h/a%2Fb', 'x://h/a%2fb', 'x://h/a/b', 'x://h/a%252Fb', 'x://h/a~2Fb');
  });

  it('U3: an escaped equals sign in a query stays escaped', () => {
    assertDistinctAndExact('x://h/p?outer=a%3Db&c=d', 'x://h/p?outer=a=b&c=d', 'x://h/p%3Fouter=a=b&c=d');
  });

  it('U4: slashes and a capital drive letter stay', () => {
    assertDistinctAndExact('foo:///C:/Dir/File.md', 'foo:///c:/Dir/File.md', 'C:/Dir/File.md', '/C:/Dir/File.md');
    assert.equal(encodeDocumentUri({ serverId: 'C:', uri: 'x', fileName: 'x' }).path, '/C~u003a/x');
  });

  it('U6: relative and opaque URIs are carried verbatim', () => {
    assertDistinctAndExact('users/me', 'users://me', 'users:me', '/users/me', 'urn:x:y:1', 'memo:today', 'today', '');
  });

  it('U8: spaces and accents, escaped once, twice or not at all, are distinct documents', () => {
    assertDistinctAndExact('skill://d/setup%20guide.md', 'skill://d/setup guide.md', 'skill://d/setup%2520guide.md');
    assertDistinctAndExact(
      'skill://d/caf%C3%A9.md',
      'skill://d/caf%c3%a9.md',
      'skill://d/café.md',
      'skill://d/cafe\u0301.md',
    );
  });

  it('U14: URIs that differ in case only have document URIs that differ in more than case', () => {
    assert.notEqual(looseKey(identity('x://h/README')), looseKey(identity('x://h/readme')));
    assert.notEqual(looseKey(identity('x://h/a', undefined, 'Docs')), looseKey(identity('x://h/a', undefined, 'docs')));
  });

  it('U12: the same URI on two servers has two document URIs', () => {
    const servers = ['a', 'b', 'A', 'a/b', 'a/', '/a', '', '~', '~.', 'a~', 'c:', 'C:', 'a%2Fb'];
    assert.equal(new Set(servers.map((server) => pathOf('info://x', undefined, server))).size, servers.length);
  });

  it('F11: an added extension never makes two resources share a path', () => {
    const python = pathOf('x://h/src/app', 'text/x-python');
    assert.match(python, /\/app\.py$/);
    assert.notEqual(python, pathOf('x://h/src/app.py', 'text/x-python'));
    assert.notEqual(python, pathOf('x://h/src/app/app.py', 'text/x-python'));
  });

  it('F12: the last segment is the file name, and ordinary URIs are read in the path as they are', () => {
    const paths: [path: string, uri: string, mimeType?: string, serverId?: string][] = [
      ['/srv/docs/api/users.md', 'docs://api/users.md', 'text/markdown'],
      ['/srv/docs:/api/users.md', 'docs://api/users', 'text/markdown'],
      ['/backend~/srv/docs/api/users.md', 'docs://api/users.md', 'text/markdown', 'backend/srv'],
      ['/srv/~p/skill/d/setup guide.md', 'skill://d/setup%20guide.md', 'text/markdown'],
      ['/srv/~xp/file/~/My Notes~/über uns.md', 'file:///My%20Notes/%C3%BCber%20uns', 'text/markdown'],
      ['/srv/~n/memo:today/today.txt', 'memo:today', 'text/plain'],
      ['/srv/~xr/users/me.json', 'users/me', 'application/json'],
      ['/srv/~n/x/h/a~2Fb/a-b', 'x://h/a%2Fb'],
      ['/srv/~n/docs/root/~/root.html', 'docs://root/', 'text/html'],
    ];
    for (const [path, uri, mimeType, serverId] of paths) {
      assert.equal(pathOf(uri, mimeType, serverId), path);
    }
  });

  it('gives back any server id, URI and file name', () => {
    fc.assert(
      fc.property(anyIdentity, (document) => {
        assert.deepEqual(decodeDocumentUri(encodeDocumentUri(document)), document);
      }),
      { numRuns: 10_000, examples: knownUris.map((uri) => [identity(uri)]) },
    );
  });

  it('makes paths that no editor, platform or browser rewrites', () => {
    fc.assert(
      fc.property(anyIdentity, ({ serverId, uri, fileName }) => {
        const { authority, path } = encodeDocumentUri({ serverId, uri, fileName });
        assert.match(authority, /^[a-z0-9]+$/);
        assert.equal(posix.normalize(path), path);
        assert.doesNotMatch(path, /\/\/|\/$|\/\.{1,2}(?:\/|$)|^\/[A-Za-z]:|[\\%\p{Cc}\u200b-\u200f\u202a-\u202e]/u);
        assert.match(path, /^\/(?!\p{Surrogate})/u);
        const browser = new URL(`https://h${path.replace(/[^/]+/g, encodeURIComponent)}`);
        assert.equal(decodeURIComponent(browser.pathname), path);
      }),
      runs,
    );
  });

  it('never gives two documents one URI, however loosely compared', () => {
    const known = new Map<string, string>();
    const add = (document: DocumentIdentity): void => {
      const text = JSON.stringify([document.serverId, document.uri, document.fileName]);
      const other = known.get(looseKey(document)) ?? text;
      assert.equal(text, other);
      known.set(looseKey(document), text);
    };
    const variants: ((text: string) => string)[] = [
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.normalize('NFC'),
      (text) => text.normalize('NFD'),
      (text) => text.normalize('NFKC'),
      (text) => `${text}/`,
      (text) => text.replace('://', '/'),
      (text) => encodeURI(text.replace(/\p{Surrogate}/gu, '')),
      (text) => text.replaceAll('%', '~'),
    ];
    fc.assert(
      fc.property(anyIdentity, fc.constantFrom(...variants), (document, vary) => {
        const { serverId, uri, fileName } = document;
        add(document);
        add({ serverId, uri: vary(uri), fileName });
        add({ serverId: vary(serverId), uri, fileName });
        add({ serverId, uri, fileName: vary(fileName) });
      }),
      runs,
    );
  });

  it('gives one resource under two names two documents', () => {
    fc.assert(
      fc.property(anyUri, anyText, anyText, (uri, one, two) => {
        fc.pre(one !== two);
        const documents = [one, two].map((fileName) => encodeDocumentUri({ serverId: 's', uri, fileName }));
        assert.notEqual(documents[0]?.path, documents[1]?.path);
        assert.deepEqual(new Set(documents.map((parts) => decodeDocumentUri(parts)?.uri)), new Set([uri]));
      }),
      runs,
    );
  });

  it('ignores the case of the authority', () => {
    const { authority, path } = encodeDocumentUri(identity('x://h/a'));
    assert.equal(decodeDocumentUri({ authority: authority.toUpperCase(), path })?.uri, 'x://h/a');
  });

  it('knows a path that an editor only guesses not to be ours', () => {
    const probes = ['package.json', 'tsconfig.json', '.vscode/settings.json', '.git', '.editorconfig', 'node_modules'];
    fc.assert(
      fc.property(anyIdentity, fc.oneof(fc.constantFrom(...probes), anyText), (document, guess) => {
        const { authority, path } = encodeDocumentUri(document);
        const guesses = [
          `${path}/${guess}`,
          `${path}${guess}`,
          path.slice(0, -1),
          path.toUpperCase(),
          path.normalize('NFD'),
          guess,
          '/',
          '',
        ];
        for (let parent = posix.dirname(path); parent !== '/'; parent = posix.dirname(parent)) {
          guesses.push(parent, `${parent}/`, `${parent}/${guess}`);
        }
        for (const guessed of guesses.filter((other) => other !== path)) {
          assert.equal(decodeDocumentUri({ authority, path: guessed }), undefined, guessed);
        }
        for (const other of ['', 'r', authority.slice(1), `${authority}0`, `d${authority.slice(1)}`]) {
          assert.equal(decodeDocumentUri({ authority: other, path }), undefined, other);
        }
      }),
      runs,
    );
  });

  it('never throws, even at a path with a forged check sum', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const path of [text, `/${text}`, `/s/~n/${text}`, `/s/${text}~/a`]) {
          const authority = `r${createHash('sha256').update(`r${path}`).digest('hex').slice(0, 20)}`;
          decodeDocumentUri({ authority, path });
        }
      }),
      runs,
    );
  });

  it('a URI of thousands of parts makes a path of few, since the editor draws each of them', () => {
    for (const unit of ['ab/', '/', 'a%20b/', '~x:/', '../']) {
      for (const count of [50, 64, 65, 66, 67, 32_000]) {
        for (const uri of [`docs://h/${unit.repeat(count)}end.txt`, unit.repeat(count), `a:${unit.repeat(count)}`]) {
          const document = encodeDocumentUri(identity(uri));
          assert.ok(document.path.split('/').length < 70, `${unit} ${count}`);
          assert.equal(decodeDocumentUri(document)?.uri, uri);
          assert.equal(posix.normalize(document.path), document.path);
        }
      }
    }
    const paths = ['a/b', 'a~u002fb', 'a%2Fb'].map((part) => pathOf(`docs://h/${'ab/'.repeat(100)}${part}/end`));
    assert.equal(new Set(paths).size, 3);
  });

  it('takes linear time: a URI of 1 MB does not hang', function () {
    this.timeout(30_000);
    for (const unit of ['a', '/', '%20', '-/é~']) {
      const uri = `docs://${unit.repeat(1_000_000 / unit.length)}`;
      const start = performance.now();
      assert.equal(decodeDocumentUri(encodeDocumentUri(identity(uri)))?.uri, uri);
      assert.ok(performance.now() - start < 6_000, `${unit}: ${performance.now() - start} ms`);
    }
  });
});
