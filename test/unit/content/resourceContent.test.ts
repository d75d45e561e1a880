import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ContentItem } from '../../../src/connection/wire';
import { allPartsName, type ResourceContent, resourceContent, sameContent } from '../../../src/content/resourceContent';

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
const textOf = (document: { bytes: Uint8Array } | undefined): string => Buffer.from(document?.bytes ?? []).toString();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const read = (items: readonly ContentItem[], mimeType?: string): ResourceContent =>
  resourceContent(items, { uri: 'a', mimeType });
const namesOf = (content: ResourceContent): string[] => [...content.children.keys()];

describe('resourceContent', () => {
  it('R3: text in a blob is text', () => {
    const content = read([{ uri: 'a', blob: base64('hé'), mimeType: 'text/plain' }]);
    assert.equal(content.isText, true);
    assert.equal(textOf(content), 'hé');
  });

  it('R3: a charset is decoded for the editor, and the original bytes are kept', () => {
    const latin = Buffer.from('café', 'latin1');
    const content = read([{ uri: 'a', blob: latin.toString('base64'), mimeType: 'text/plain; charset=ISO-8859-1' }]);
    assert.equal(textOf(content), 'café');
    assert.deepEqual(Buffer.from(content.part!.bytes), latin);
  });

  it('R5: a type of the read that says nothing, or lies, gives way to the list and to the contents', () => {
    const typeOf = (bytes: string | Uint8Array, readType: string | undefined, listed: string | undefined) =>
      read([{ uri: 'a', blob: base64(bytes), mimeType: readType }], listed).mimeType;
    assert.equal(typeOf('\u0001', 'application/octet-stream', 'image/png'), 'image/png');
    assert.equal(typeOf('\u0001', 'text/plain', 'image/png'), 'image/png');
    assert.equal(typeOf('\u0001', undefined, 'image/png'), 'image/png');
    assert.equal(typeOf(PNG, 'text/plain', undefined), 'image/png');
    assert.equal(typeOf(PNG, undefined, undefined), 'image/png');
    assert.equal(typeOf(PNG, 'image/jpeg', 'image/png'), 'image/png');
    assert.equal(typeOf('\u0001\u0002', undefined, undefined), 'application/octet-stream');
    assert.equal(typeOf('plain words', undefined, undefined), 'text/plain');
    assert.equal(typeOf('BM is how this text begins', 'text/plain', undefined), 'text/plain');
  });

  it('text stays text whatever the list says', () => {
    const content = read([{ uri: 'a', text: 'x', mimeType: 'text/plain' }], 'image/png');
    assert.deepEqual([content.isText, content.mimeType], [true, 'text/plain']);
  });

  it('R1: several parts are a directory of documents, and one that shows them in order', () => {
    const content = read([
      { uri: 'a/one.md', text: 'one', mimeType: 'text/markdown' },
      { uri: 'a/pic', blob: base64(PNG), mimeType: 'image/png' },
      { uri: 'a/one.md', text: 'two', mimeType: 'text/markdown' },
    ]);
    assert.equal(content.shape, 'directory');
    assert.deepEqual(namesOf(content), ['one.md', 'pic.png', 'one (2).md', allPartsName]);
    assert.match(
      textOf(content.children.get(allPartsName)),
      /^# 1\. a\/one\.md\n\none\n\n# 2\. a\/pic\n\n\(image\/png, 16 bytes\)\n\n# 3\. a\/one\.md\n\ntwo\n$/,
    );
    assert.equal(textOf(content.children.get('one (2).md')), 'two');
  });

  it('R1: thousands of parts of one name are named in a time that grows with their number', function () {
    // Ten times as long where each is compared with all before it.
    this.timeout(20_000);
    const items = Array.from({ length: 10_000 }, () => ({ uri: 'a/one.md', text: 'one', mimeType: 'text/markdown' }));
    const names = namesOf(read(items));
    assert.equal(new Set(names).size, 10_001);
    assert.equal(names.at(9_999), 'one (10000).md');
  });

  it('R1: a control character in the URI of one part does not make the overview binary', () => {
    const content = read([
      { uri: 'a\u0000b', text: 'one' },
      { uri: 'c', text: 'two' },
    ]);
    assert.ok(!textOf(content.children.get(allPartsName)).includes('\u0000'));
  });

  it('R1: one URI in two types: the text is the document, the other stands beside it', () => {
    const content = read([
      { uri: 'a', blob: base64(PNG), mimeType: 'image/png' },
      { uri: 'a', text: 'words', mimeType: 'text/plain' },
    ]);
    assert.equal(content.shape, 'file');
    assert.equal(textOf(content), 'words');
    assert.deepEqual(namesOf(content), ['a.png']);
  });

  it('R2: inode/directory is a directory, also with one part or none', () => {
    assert.equal(read([{ uri: 'a', text: 'x' }], 'inode/directory').shape, 'directory');
    assert.equal(read([], 'inode/directory').shape, 'directory');
  });

  it('R11: nothing is an empty text; an item without contents is an error by itself and a failed part among others', () => {
    assert.equal(textOf(read([])), '');
    assert.throws(() => read([{ uri: 'a' }]), /neither text nor binary/);
    const content = read([
      { uri: 'a/1', text: 'x' },
      { uri: 'a/2', failure: 'bad base64' },
    ]);
    assert.match(textOf(content.children.get(allPartsName)), /could not be read: bad base64/);
  });

  it('R19: JSON of one long line has a formatted form beside it, and stays as it is', () => {
    const json = JSON.stringify({ list: Array.from({ length: 50 }, (_, index) => index), big: 0 }).replace(
      '0}',
      '1e400}',
    );
    const content = read([{ uri: 'a', text: json, mimeType: 'application/json' }]);
    assert.equal(textOf(content), json);
    const formatted = textOf(content.children.get('Formatted.json'));
    assert.ok(formatted.split('\n').length > 50 && formatted.includes('1e400'));
    assert.equal(read([{ uri: 'a', text: '{}', mimeType: 'application/json' }]).children.size, 0);
  });

  it('F8: a text past what VS Code shows has its beginning beside it, cut between two lines', () => {
    const line = `${'ü'.repeat(60)}\n`;
    const text = line.repeat(Math.ceil((51 * 1024 * 1024) / Buffer.byteLength(line)));
    const content = read([{ uri: 'a', text }]);
    const beginning = textOf(content.children.get('First 10 MB.txt'));
    assert.ok(beginning.endsWith('ü\n') && Buffer.byteLength(beginning) <= 10 * 1024 * 1024);
  });

  it('every byte of every part is reachable, in order and unchanged', () => {
    const types = fc.constantFrom(
      undefined,
      'text/plain',
      'image/png',
      'application/json',
      'text/x-python',
      'nonsense',
    );
    const item = fc.record({
      uri: fc.constantFrom('a', 'a/b', 'a/b.txt', '../x', ''),
      bytes: fc.uint8Array({ maxLength: 50 }),
      asText: fc.boolean(),
      mimeType: types,
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), types, (items, listed) => {
        const wire = items.map(({ uri, bytes, asText, mimeType }): ContentItem =>
          asText
            ? { uri, mimeType, text: Buffer.from(bytes).toString('latin1') }
            : { uri, mimeType, blob: base64(bytes) },
        );
        const content = read(wire, listed);
        const originals = items.map(({ bytes, asText }) =>
          Buffer.from(asText ? Buffer.from(bytes).toString('latin1') : bytes),
        );
        assert.deepEqual(
          content.parts.map(({ bytes }) => Buffer.from(bytes)),
          originals,
        );
        // Each part is a document: the resource itself, or one of its children.
        const documents = [content, ...content.children.values()].flatMap(({ part }) => (part ? [part] : []));
        for (const part of content.parts) {
          assert.ok(documents.includes(part), 'every part has a document');
        }
        assert.ok(namesOf(content).every((name) => name !== '' && !name.includes('/')));
        assert.ok(sameContent(content, read(wire, listed)));
      }),
    );
  });
});
