import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { extensionFor, isTextType, parseMediaType, typeOfFileName } from '../../../src/base/mediaType';

describe('media type', () => {
  it('reads types in any case, with parameters and stray space', () => {
    const type = parseMediaType(' Text/HTML ; Charset="UTF-8"; q=1;;x');
    assert.equal(type?.essence, 'text/html');
    assert.deepEqual(
      [...(type?.parameters ?? [])],
      [
        ['charset', 'UTF-8'],
        ['q', '1'],
      ],
    );
  });

  it('takes a bare word for an extension and refuses nonsense', () => {
    assert.equal(parseMediaType('text')?.essence, 'text/plain');
    assert.equal(parseMediaType('json')?.essence, 'application/json');
    assert.equal(parseMediaType('PNG')?.essence, 'image/png');
    for (const text of ['', '/', 'a/', '/b', 'image', 'a b/c', 'a/b/c', ';', 'constructor', '__proto__']) {
      assert.equal(parseMediaType(text), undefined, text);
    }
  });

  it('knows the extension that an editor expects', () => {
    const extensions = {
      txt: ['text/plain', 'text/plain; charset=utf-8', 'text/x-unheard-of'],
      md: ['text/markdown', 'text/x-markdown', 'TEXT/MARKDOWN'],
      json: ['application/json', 'text/json', 'application/vnd.api+json', 'application/problem+json'],
      geojson: ['application/geo+json'],
      xml: ['application/xml', 'text/xml', 'application/x-unheard-of+xml'],
      svg: ['image/svg+xml'],
      html: ['text/html'],
      yaml: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
      toml: ['application/toml'],
      py: ['text/x-python', 'application/x-python'],
      ts: ['text/typescript', 'application/typescript'],
      js: ['text/javascript', 'application/javascript'],
      rs: ['text/x-rust'],
      go: ['text/x-go'],
      sql: ['application/sql', 'text/x-sql'],
      graphql: ['application/graphql'],
      csv: ['text/csv'],
      jpg: ['image/jpeg', 'image/jpg'],
      png: ['image/png'],
      webp: ['image/webp'],
      mp3: ['audio/mpeg'],
      wav: ['audio/wav', 'audio/x-wav'],
      ogg: ['audio/ogg'],
      mp4: ['video/mp4'],
      pdf: ['application/pdf'],
      bin: ['application/octet-stream'],
      docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    };
    for (const [extension, types] of Object.entries(extensions)) {
      for (const type of types) {
        assert.equal(extensionFor(type), extension, type);
      }
    }
    for (const type of ['', 'nonsense', 'inode/directory', 'application/x-unheard-of', 'constructor']) {
      assert.equal(extensionFor(type), undefined, type);
    }
  });

  it('knows the type of a file name', () => {
    const types = {
      'a.md': 'text/markdown',
      'A.TS': 'text/typescript',
      'a.b.yml': 'application/yaml',
      'a.rs': 'text/x-rust',
      'a.zip': 'application/zip',
    };
    for (const [name, type] of Object.entries(types)) {
      assert.equal(typeOfFileName(name), type);
    }
    for (const name of ['', 'a', 'a.', '.', 'md', 'a.unheardof', 'a.__proto__', 'a.constructor']) {
      assert.equal(typeOfFileName(name), undefined, name);
    }
  });

  it('tells text from binary', () => {
    const texts = ['text/plain', 'text', 'text/x-anything', 'application/json', 'application/ld+json', 'image/svg+xml'];
    const more = ['application/xml', 'application/atom+xml', 'application/javascript', 'application/x-typescript'];
    const others = [
      'application/x-yaml',
      'application/toml',
      'application/sql',
      'application/graphql',
      'application/x-sh',
    ];
    for (const type of [...texts, ...more, ...others, 'application/x-ndjson', 'message/rfc822']) {
      assert.ok(isTextType(type), type);
    }
    for (const type of [
      'image/png',
      'application/octet-stream',
      'application/pdf',
      'audio/mpeg',
      'application/zip',
      '',
    ]) {
      assert.ok(!isTextType(type), type);
    }
    assert.ok(!isTextType('application/vnd.openxmlformats-officedocument.wordprocessingml.document'));
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', 'text/', 'a.', 'x/y;'), (text, start) => {
        for (const answer of [extensionFor(start + text), typeOfFileName(start + text)]) {
          assert.ok(answer === undefined || answer.length > 0);
        }
        isTextType(start + text);
      }),
      { numRuns: 2_000 },
    );
  });
});
