import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const texts = files.map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));
const filesWith = (pattern: RegExp): string[] => texts.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

describe('the sources', () => {
  it('X7: no webview shows what a server says, and Markdown is never trusted', () => {
    assert.deepEqual(filesWith(/createWebview|WebviewView|\.webview\b/), []);
    assert.deepEqual(
      filesWith(/isTrusted(:| =) (?!false)|supportHtml(:| =) (?!false)|new vscode\.MarkdownString\([^)]*, true\)/),
      [],
    );
  });

  it('X7: addresses are opened outside in one place alone, which asks before', () => {
    assert.deepEqual(filesWith(/env\.openExternal/), ['ui/openAddress.ts']);
    assert.deepEqual(filesWith(/from '.*\/openAddress'/), ['ui/inputDialogs.ts', 'ui/signInDialogs.ts']);
  });

  it('the core knows no editor', () => {
    const core = texts.filter(({ file }) => /^(base|connection|catalog|content)\//.test(file));
    assert.ok(core.length > 20);
    assert.deepEqual(
      core.filter(({ text }) => text.includes("from 'vscode'")).map(({ file }) => file),
      [],
    );
  });

  it('files are of one duty: none is longer than 420 lines', () => {
    assert.deepEqual(
      texts.filter(({ text }) => text.split('\n').length > 420).map(({ file }) => file),
      [],
    );
  });
});
