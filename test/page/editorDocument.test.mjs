import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';

describe('VS Code’s own document of a resource', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const { servers, configure, dispose } = fixtureServers({
    docs: {
      era: 'legacy',
      scenario: { resources: [{ uri: 'docs://guide', name: 'Guide', text: 'the first text', mimeType: 'text/plain' }] },
    },
  });

  before(async () => {
    window = await openWindow({ prepare: configure });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.waitForRow('docs');
    await workbench.expand('docs');
    await workbench.waitForRow('Guide');
  });

  after(async () => {
    await window?.close();
    await dispose();
  });

  it('has a button in its title that opens ours, which stays current', async () => {
    await workbench.runCommand('MCP: List Servers');
    await workbench.choose('docs');
    await workbench.choose('Start Server');
    await workbench.runCommand('MCP: Browse Resources...');
    await workbench.choose('Guide');
    await workbench.waitForEditorText('the first text');
    await workbench.screenshot(path.join(root, 'dist-test/editor-document.png'));
    await window.page.locator('.editor-actions .action-label[aria-label^="Open in MCP Resources"]').click();
    await window.page.locator('.part.editor .tab').nth(1).waitFor();
    await servers.docs.control.set('docs://guide', 'the second text');
    await workbench.waitForEditorText('the second text');
  });
});
