// What page tests start from: a fresh host with the packaged extension, and a window of it.
import { launchBrowser, newPage } from './browser.mjs';
import { Host } from './server.mjs';
import { Workbench } from './workbench.mjs';
import { copyWorkspace } from './workspace.mjs';

/**
 * @typedef {object} PageWindow
 * @property {Workbench} workbench
 * @property {import('playwright-core').Page} page For what `workbench` has no function for.
 * @property {Host} host
 * @property {string} folder The copy of the workspace.
 * @property {() => Promise<void>} close Ends everything.
 */

/**
 * Opens a window of a fresh host that `mcp-resource-context.vsix` was installed into. Notifications and dialogs show as
 * they do for people. The version of VS Code is that of the test run.
 * @param {object} [options]
 * @param {string} [options.workspace] A folder of `test/workspace`.
 * @param {Record<string, unknown>} [options.settings] The user's.
 * @param {(prepared: { folder: string, host: Host }) => void} [options.prepare] Changes files before the window opens.
 * @returns {Promise<PageWindow>}
 */
export async function openWindow({ workspace: name = 'main', settings = {}, prepare } = {}) {
  const { MCP_RESOURCES_TEST_VERSION: version, MCP_RESOURCES_TEST_EXTENSIONS: extensions } = process.env;
  const host = new Host({ version, settings, extensions });
  try {
    const workspace = copyWorkspace(name, host.folder);
    prepare?.({ folder: workspace.folder, host });
    await host.start();
    const browser = await launchBrowser();
    const close = async () => {
      await browser.close();
      await host.stop();
    };
    try {
      const page = await newPage(browser);
      const workbench = new Workbench(page);
      await workbench.open(host.url(workspace.window));
      return { workbench, page, host, folder: workspace.folder, close };
    } catch (error) {
      await browser.close();
      throw error;
    }
  } catch (error) {
    await host.stop();
    throw error;
  }
}
