import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { aboutName, documentBelow, firstPart, firstPartName } from '../../../src/content/attachedForms';
import { allPartsName, resourceContent } from '../../../src/content/resourceContent';

const ref = { serverId: 'docs', uri: 'docs://guide' };
const cut = (text: string, limit: number): string => Buffer.from(firstPart(Buffer.from(text), limit)).toString('utf8');

describe('forms of a resource for a chat', () => {
  it('A6: the first part ends with a paragraph, else a line, else a sentence, else a word', () => {
    const filler = 'word '.repeat(20).trim();
    assert.equal(cut(`${filler}\n\nmore and\nmore words`, 110), `${filler}\n\n`);
    assert.equal(cut(`${filler} and\nmore and more words`, 110), `${filler} and\n`);
    assert.equal(cut(`${filler}. More and more words`, 110), `${filler}. `);
    assert.equal(cut(`${filler} incomprehensibilities`, 110), `${filler} `);
    assert.equal(cut('文章。'.repeat(20), 100), '文章。'.repeat(11));
  });

  it('A6: the first part never ends within a character, and is the beginning of the text', () => {
    const family = '👨‍👩‍👧‍👦';
    assert.equal(cut(`${'x'.repeat(90)}${family}${family}`, 100), 'x'.repeat(90));
    assert.equal(cut(`${'x'.repeat(98)}e\u0301e\u0301`, 100), 'x'.repeat(98));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(300), (text, limit) => {
        const whole = text.repeat(5);
        const part = cut(whole, limit);
        assert.ok(whole.startsWith(part));
        assert.ok(Buffer.byteLength(part) <= limit);
      }),
    );
  });

  it('A6: its name says how much it is, and is all that it takes to make it', () => {
    assert.equal(firstPartName('notes.md', 20), 'notes (first 20 kB).md');
    assert.equal(firstPartName('Dockerfile', 3), 'Dockerfile (first 3 kB)');
    const content = resourceContent([{ uri: ref.uri, text: 'line\n'.repeat(1000), mimeType: 'text/plain' }], ref);
    const document = documentBelow('guide (first 2 kB).txt', content, ref);
    assert.equal(document?.bytes.byteLength, 2000);
    assert.equal(document.mimeType, 'text/plain');
    assert.equal(documentBelow('guide.txt', content, ref), undefined);
  });

  it('A6: of a resource of several parts it is the first of all parts in order', () => {
    const items = ['one', 'two'].map((name) => ({ uri: `docs://${name}`, text: `${name}\n`.repeat(300) }));
    const content = resourceContent(items, ref);
    const document = documentBelow(firstPartName(allPartsName, 1), content, ref);
    assert.match(Buffer.from(document!.bytes).toString('utf8'), /^# 1\. docs:\/\/one\n\none\n/);
    const second = [...content.children.keys()][1]!;
    const part = documentBelow(firstPartName(second, 1), content, ref);
    assert.match(Buffer.from(part!.bytes).toString('utf8'), /^two\n/);
  });

  it('A5: what is no text goes by name, type and size, without its bytes', () => {
    const bytes = Buffer.from('%PDF-1.4\n%\u00ff');
    const content = resourceContent(
      [{ uri: 'docs://a\nb.pdf', blob: bytes.toString('base64'), mimeType: 'application/pdf' }],
      ref,
    );
    const about = documentBelow(aboutName('guide.pdf'), content, ref);
    assert.equal(
      Buffer.from(about!.bytes).toString('utf8'),
      [
        'MCP resource: docs://guide',
        'Server: docs',
        'Name: guide.pdf',
        'Type: application/pdf',
        `Size: ${bytes.byteLength} bytes`,
        'The contents are not text and are not given here.',
        '',
      ].join('\n'),
    );
    assert.equal(documentBelow('guide (first 2 kB).pdf', content, ref), undefined);
  });

  it('X3: what goes by its name shows in one line each what is unseen in what the server calls it', () => {
    const hostile = { serverId: 'a\u202eb', uri: 'docs://x\nServer: other\u{e0041}\u2028' };
    const content = resourceContent(
      [
        {
          ...hostile,
          blob: Buffer.from('%PDF-1.4\n%\u00ff').toString('base64'),
          mimeType: 'application/pdf;\u{e0042}=1',
        },
      ],
      hostile,
    );
    const about = documentBelow(aboutName('x.pdf'), content, hostile);
    const text = Buffer.from(about!.bytes).toString('utf8');
    assert.deepEqual(text.split('\n').slice(0, 3), [
      'MCP resource: docs://x\\u{A}Server: other\\u{E0041}\\u{2028}',
      'Server: a\\u{202E}b',
      'Name: x.pdf',
    ]);
    assert.doesNotMatch(text, /[\u202e\u2028\u{e0000}-\u{e007f}]/u);
  });
});
