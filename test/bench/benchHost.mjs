// A real VS Code whose extension host runs a module of test/bench, window after window, with our extension built for production.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../host/bootstrap.mjs';
import { launchBrowser, newPage } from '../host/browser.mjs';
import { compileTests } from '../host/compileTests.mjs';
import { packageExtension } from '../host/package.mjs';
import { Host } from '../host/server.mjs';
import { Workbench } from '../host/workbench.mjs';
import { copyWorkspace } from '../host/workspace.mjs';

/** Builds what all benches need: the extension and its VSIX, and the programs of test/bench. */
export async function buildForBench() {
  await packageExtension();
  await compileTests('bench');
}

/**
 * The path of a compiled program of test/bench.
 * @param {string} name
 */
export const compiledBench = (name) => path.join(root, 'dist-test/bench', `${name}.js`);

/** Errors of every window here: native modules are left unbuilt, and nothing is reached on the network. */
const expected = /Could not locate the bindings file|Cannot find module '\.\/build|ENOTFOUND/;

export class BenchHost {
  #host = new Host({ testDriver: true });
  #workspace = copyWorkspace('main', this.#host.folder);
  #resultFile = path.join(this.#host.folder, 'result.json');
  /** @type {import('playwright-core').Browser | undefined} */
  #browser;
  /** @type {import('playwright-core').Page | undefined} */
  #page;
  /** @type {Workbench | undefined} */
  #workbench;
  /** @type {(reason: string | undefined) => void} */
  #ended = () => undefined;
  /** @type {string[]} */
  #errors = [];

  get version() {
    return this.#host.version;
  }

  /** The copy of the workspace that every window opens. */
  get folder() {
    return this.#workspace.folder;
  }

  /** Where VS Code keeps the user's settings and keybindings. */
  get userDir() {
    return this.#host.userDir;
  }

  /** The page that shows the windows. */
  get page() {
    if (!this.#page) throw new Error('No page was opened yet.');
    return this.#page;
  }

  /**
   * Configures our servers in the user's settings. They win over the workspace's file, which VS Code reads, too, and
   * need nobody's consent.
   * @param {Record<string, object>} servers
   */
  configure(servers) {
    const file = path.join(this.userDir, 'settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...settings, 'mcpResources.servers': servers }));
  }

  /** @param {Record<string, string>} [env] What the modules find in their environment. */
  async start(env = {}) {
    await this.#host.start({
      ...env,
      MCP_RESOURCES_BENCH_RESULT: this.#resultFile,
      MCP_RESOURCES_TEST_USER_DIR: this.userDir,
    });
    this.#browser = await launchBrowser();
    const page = await newPage(this.#browser);
    // VS Code calls these two functions of the page when it runs tests.
    await page.exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown} */ args) => {
      if (type === 'error' && !expected.test(String(args))) this.#errors.push(String(args).slice(0, 500));
    });
    await page.exposeFunction('codeAutomationExit', () => this.#ended(undefined));
    page.once('crash', () => this.#ended('the page crashed'));
    this.#page = page;
    this.#workbench = new Workbench(page);
  }

  /**
   * Opens a window, runs a module's `run()` in its extension host, and gives what the module wrote as its result.
   * @param {string} name A program of test/bench.
   * @param {number} limitMs
   */
  async run(name, limitMs) {
    this.#errors = [];
    /** @type {Promise<string | undefined>} */
    const end = new Promise((resolve) => (this.#ended = resolve));
    const limit = delay(limitMs, `no end within ${limitMs / 1000} s`, { ref: false });
    await this.#workbench?.open(
      this.#host.url({
        ...this.#workspace.window,
        payload: [
          ['extensionDevelopmentPath', this.#host.remoteUri(root)],
          ['extensionTestsPath', this.#host.remoteUri(compiledBench(name).replace(/\.js$/, ''))],
          ['skipWelcome', 'true'],
          ['skipReleaseNotes', 'true'],
        ],
      }),
    );
    const broken = await Promise.race([end, limit]);
    const result = broken === undefined ? JSON.parse(readFileSync(this.#resultFile, 'utf8')) : { error: broken };
    if (result.error !== undefined) {
      throw new Error(`${name}: ${result.error}\n${this.#errors.slice(-10).join('\n')}`);
    }
    return result;
  }

  async stop() {
    await this.#browser?.close();
    await this.#host.stop();
  }
}
