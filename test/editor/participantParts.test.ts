import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { earlierMessages } from '../../src/chat/participantPrompt';
import { referenceKey } from '../../src/chat/referenceKey';
import { participantId } from '../../src/ids';
import { api } from './ours';

describe('what the participant @mcp is made of', () => {
  it('of an earlier answer nothing is replayed of which it is not known who said it', () => {
    const said = (metadata: unknown) => {
      const response = [new vscode.ChatResponseMarkdownPart('ours '), new vscode.ChatResponseMarkdownPart('theirs')];
      const made: unknown = Reflect.construct(vscode.ChatResponseTurn, [response, { metadata }, participantId]);
      assert.ok(made instanceof vscode.ChatResponseTurn);
      return earlierMessages([made]).flatMap(({ content }) => content.map((part) => (part as { value: string }).value));
    };
    assert.deepEqual(said({ remark: 'ours ' }), ['theirs']);
    assert.deepEqual(said({ remark: '' }), ['ours theirs']);
    for (const unfit of [undefined, {}, { remark: 5 }, { remark: 'other ' }, { remark: 'ours theirs' }]) {
      assert.deepEqual(said(unfit), [], JSON.stringify(unfit));
    }
  });

  it('pictures that look alike from outside are each used, and what cannot be written out breaks nothing', async () => {
    const ours = await api();
    const at = (uri: string) => ours.documentUri('any', uri);
    const targetOf = (document: vscode.Uri) => {
      const ref = ours.resourceOf(document);
      return ref && { ref };
    };
    const key = (value: unknown) => referenceKey(value, { targetOf });
    const picture = () => ({ mimeType: 'image/png', data: () => Promise.resolve(new Uint8Array([1])) });
    const one = picture();
    assert.notEqual(key(one), key(picture()));
    assert.equal(key(one), key(one));
    const endless: { self?: unknown; big: bigint } = { big: 1n };
    endless.self = endless;
    assert.equal(key(endless), endless);
    assert.equal(key(at('ask://a')), key(at('ask://a').with({ query: 'again' })));
    const lines = () => new vscode.Location(at('ask://a'), new vscode.Range(0, 0, 1, 0));
    assert.equal(key(lines()), key(lines()));
    assert.notEqual(key(lines()), key(at('ask://a')));
    assert.equal(key('text'), key('text'));
    assert.notEqual(key(at('ask://a').toString()), key(at('ask://a')));
  });
});
