import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { openWindow } from '../host/pageWindow.mjs';

describe('the packaged extension in a fresh VS Code', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;

  before(async () => {
    window = await openWindow();
  });

  after(() => window?.close());

  it('has its view in the activity bar', async () => {
    await window.workbench.openView('MCP Resources');
    assert.ok((await window.workbench.activityBar()).includes('MCP Resources'));
  });
});
