import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { page } from './page';

describe('the host', () => {
  it('is the version that was asked for', () => {
    assert.equal(vscode.version, process.env.MCP_RESOURCES_TEST_VERSION);
  });

  it('owns the scheme mcp-resource unless it was freed', () => {
    const free = process.env.MCP_RESOURCES_TEST_FREE_SCHEME === '1';
    // Where it is free, VS Code's own file system goes by this name instead (`test/host/freeScheme.mjs`).
    assert.equal(vscode.workspace.fs.isWritableFileSystem('mcp-resource-own'), free ? false : undefined);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('mcp-resource'), false);
  });

  it('can be driven from inside', async function () {
    if (page === undefined) {
      this.skip();
    }
    const file = await vscode.workspace.openTextDocument({ content: 'seen on the page' });
    await vscode.window.showTextDocument(file);
    assert.equal(await page.call('waitForEditorText', 'seen on'), 'seen on the page');
  });
});
