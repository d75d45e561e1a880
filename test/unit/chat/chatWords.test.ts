import assert from 'node:assert/strict';
import { anchorLabel, inertMarkdown } from '../../../src/chat/chatWords';

describe('words in the chat', () => {
  it('X2: a server’s Markdown, HTML, icons, addresses and unseen characters do nothing', () => {
    assert.equal(inertMarkdown('[x](command:quit)'), '\\[x\\]\\(command\\:quit\\)');
    assert.equal(
      inertMarkdown('<b>$(zap) `a` *b* https://x.y'),
      '\\<b\\>\\$\\(zap\\) \\`a\\` \\*b\\* https\\:\\/\\/x\\.y',
    );
    assert.equal(inertMarkdown('one\n# two\u202e\u200bthree'), 'one \\# two three');
    assert.equal(inertMarkdown('漢字 and Füße'), '漢字 and Füße');
  });

  it('X2: nothing in a label ends the link that the editor makes of it', () => {
    assert.equal(anchorLabel('](command:quit) <b>$(zap) [x\\'), '(command:quit) b (zap) x');
    assert.equal(anchorLabel('[`\u200b]'), '…');
  });
});
