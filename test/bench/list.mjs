// `npm run bench -- list`: how long lists take, ours beside a bare walk of the SDK's client and beside VS Code's own picker.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPageDriver } from '../host/pageDriver.mjs';
import { BenchHost, buildForBench } from './benchHost.mjs';
import { ListPage } from './listPage.mjs';
import { printList } from './listPrint.mjs';

/** What VS Code's own picker and ours are opened by; see `listWindow.ts`. */
const keybindings = [
  { key: 'f8', command: 'mcpResources.browse' },
  { key: 'f9', command: 'workbench.mcp.browseResources' },
];

/**
 * Resolves with whether every gate was passed.
 * @param {{ rounds?: number }} options
 */
export async function run({ rounds = 5 }) {
  await buildForBench();
  console.log(`Lists: ${rounds} rounds …`);
  const host = new BenchHost();
  const driver = await startPageDriver(new ListPage(() => host.page));
  const folder = path.join(host.folder, '.bench');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(host.userDir, 'keybindings.json'), JSON.stringify(keybindings));
    await host.start({
      MCP_RESOURCES_BENCH_FOLDER: folder,
      MCP_RESOURCES_BENCH_ROUNDS: String(rounds),
      MCP_RESOURCES_TEST_WORKSPACE: host.folder,
      MCP_RESOURCES_TEST_PAGE: driver.url,
    });
    const result = await host.run('listWindow', (240 + rounds * 120) * 1000);
    return printList(result, host.version);
  } finally {
    driver.close();
    await host.stop();
  }
}
