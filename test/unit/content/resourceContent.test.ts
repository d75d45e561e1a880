import assert from 'node:assert/strict';
import { resourceContent } from '../../../src/content/resourceContent';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const textOf = (content: { bytes: Uint8Array }): string => Buffer.from(content.bytes).toString();

describe('resourceContent', () => {
  it('R3: text in a blob is text', () => {
    const content = resourceContent([{ uri: 'a', blob: base64('hé'), mimeType: 'text/plain' }], undefined);
    assert.equal(content.isText, true);
    assert.equal(textOf(content), 'hé');
  });

  it('R5: a type of the read that says nothing gives way to the list’s', () => {
    const typeOf = (read: string | undefined, listed: string | undefined) =>
      resourceContent([{ uri: 'a', blob: base64('x'), mimeType: read }], listed).mimeType;
    assert.equal(typeOf('application/octet-stream', 'image/png'), 'image/png');
    assert.equal(typeOf('text/plain', 'image/png'), 'image/png');
    assert.equal(typeOf(undefined, 'image/png'), 'image/png');
    assert.equal(typeOf('image/jpeg', 'image/png'), 'image/jpeg');
    assert.equal(typeOf('application/octet-stream', undefined), 'application/octet-stream');
  });

  it('text stays text whatever the list says', () => {
    const content = resourceContent([{ uri: 'a', text: 'x', mimeType: 'text/plain' }], 'image/png');
    assert.deepEqual([content.isText, content.mimeType], [true, 'text/plain']);
  });

  it('several parts become one text in order, binary ones stay reachable', () => {
    const content = resourceContent(
      [
        { uri: 'a/1', text: 'one', mimeType: 'text/markdown' },
        { uri: 'a/2', blob: base64('\u0000'), mimeType: 'image/png' },
        { uri: 'a/3', text: 'two', mimeType: 'text/markdown' },
      ],
      undefined,
    );
    assert.equal(textOf(content), 'one\n\ntwo');
    assert.equal(content.mimeType, 'text/markdown');
    assert.equal(content.parts.length, 3);
  });

  it('R11: nothing is an empty text; an item without contents is an error with its place', () => {
    assert.equal(textOf(resourceContent([], undefined)), '');
    assert.throws(() => resourceContent([{ uri: 'a' }], undefined), /Part 1 of the answer/);
  });
});
