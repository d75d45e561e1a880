// Starts a VS Code server that shares nothing with the machine: data, HOME and extensions live in a temporary folder.
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atExit } from './atExit.mjs';
import { installHost } from './install.mjs';
import { quietSettings } from './quietSettings.mjs';

const startLimitMs = 60_000;
const stopLimitMs = 5_000;

/** Lines of the stack traces that the server prints for a native module it does not find. */
const unbuiltModule = /bindings file|\.node'?,?$|^\s+at |^\s+tries: \[|^\s*[\]}]$|build\/Release|Require stack|^- \//;

/**
 * @typedef {object} HostOptions
 * @property {string} [version] One of `hostVersions`; the newest unless said.
 * @property {Record<string, unknown>} [settings] User settings, over the quiet ones.
 * @property {string} [vsix] An extension to install before the start.
 * @property {string} [extensions] A folder with installed extensions, of which this host gets a copy: see `extensionsDir`.
 * @property {boolean} [testDriver] Lets the address load extensions under development and test suites (`payload`).
 *   VS Code shows neither notifications nor dialogs then, so windows that people or page tests look at go without.
 */

/** A server and the temporary folder it lives in. */
export class Host {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #server;
  #options;
  #forget;

  /** @param {HostOptions} [options] */
  constructor(options = {}) {
    this.#options = options;
    this.installed = installHost(options.version);
    this.version = this.installed.version;
    /** Everything of this host; gone after `stop`. Tests may put workspaces into it. */
    this.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-resources-host-')));
    this.dataDir = path.join(this.folder, 'data');
    /** Where VS Code keeps `settings.json` and `mcp.json` of the user. */
    this.userDir = path.join(this.dataDir, 'data/User');
    /** Where VS Code keeps what is installed. */
    this.extensionsDir = path.join(this.dataDir, 'extensions');
    this.logFile = path.join(this.folder, 'server.log');
    this.port = 0;
    this.#forget = atExit(() => this.#end());

    mkdirSync(this.userDir, { recursive: true });
    const settings = { ...quietSettings, ...options.settings };
    writeFileSync(path.join(this.userDir, 'settings.json'), JSON.stringify(settings, undefined, 2));
  }

  /** The last lines of what the server printed, without its complaints about native modules that are left unbuilt. */
  log(lines = 40) {
    const printed = readFileSync(this.logFile, 'utf8').split('\n');
    return printed
      .filter((line) => line.trim() !== '' && !unbuiltModule.test(line))
      .slice(-lines)
      .join('\n');
  }

  /**
   * The address of a window.
   * @param {{ folder?: string, workspace?: string, payload?: [string, string][] }} window
   */
  url({ folder, workspace, payload }) {
    const address = new URL(`http://127.0.0.1:${this.port}/`);
    if (folder !== undefined) address.searchParams.set('folder', folder);
    if (workspace !== undefined) address.searchParams.set('workspace', workspace);
    if (payload !== undefined) address.searchParams.set('payload', JSON.stringify(payload));
    return address.href;
  }

  /**
   * A file of this machine as the window names it.
   * @param {string} file
   */
  remoteUri(file) {
    return `vscode-remote://127.0.0.1:${this.port}${file}`;
  }

  /**
   * Starts the server and waits until it answers.
   * @param {Record<string, string>} [env] Environment of the server, and so of the extension host and all that it starts.
   */
  async start(env = {}) {
    const { vsix, extensions, testDriver } = this.#options;
    if (extensions !== undefined) {
      cpSync(extensions, this.extensionsDir, { recursive: true });
    }
    if (vsix !== undefined) {
      this.install(vsix);
    }
    const args = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
    const output = openSync(this.logFile, 'w');
    const server = spawn(
      this.installed.node,
      this.#arguments(testDriver ? [...args, '--enable-smoke-test-driver'] : args),
      {
        cwd: this.installed.serverDir,
        env: { ...this.#environment(), ...env },
        stdio: ['ignore', output, output],
        // A process group of its own: ending it ends extension hosts and MCP servers, too.
        detached: true,
      },
    );
    closeSync(output);
    this.#server = server;
    /** @type {Error | undefined} */
    let failure;
    server.once('error', (error) => (failure = error));
    server.once('exit', (code, signal) => (failure ??= new Error(`it ended (${signal ?? code})`)));

    const giveUp = Date.now() + startLimitMs;
    while (!(await this.#answers())) {
      if (Date.now() > giveUp) failure ??= new Error(`no answer within ${startLimitMs / 1000} s`);
      if (failure) throw new Error(`VS Code ${this.version} did not start: ${failure.message}\n${this.log()}`);
      await delay(50);
    }
  }

  /**
   * Installs an extension, as a person does by the command line.
   * @param {string} vsix
   */
  install(vsix) {
    const result = spawnSync(this.installed.node, this.#arguments(['--install-extension', vsix]), {
      cwd: this.installed.serverDir,
      env: this.#environment(),
      encoding: 'utf8',
    });
    if (result.status !== 0 || !result.stdout.includes('successfully installed')) {
      throw new Error(`${vsix} could not be installed:\n${result.stdout}${result.stderr}`);
    }
  }

  /** Waits until the server has ended by itself and says how. */
  async ended() {
    const server = this.#server;
    if (server && server.exitCode === null && server.signalCode === null) {
      await new Promise((resolve) => server.once('exit', resolve));
    }
    return server?.signalCode ?? `code ${server?.exitCode}`;
  }

  /** Ends the server with all it started and removes its folder. */
  async stop() {
    const server = this.#server;
    if (server?.pid !== undefined && server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      signalGroup(server.pid, 'SIGTERM');
      await Promise.race([ended, delay(stopLimitMs, undefined, { ref: false })]);
    }
    this.#forget();
    this.#end();
  }

  #end() {
    if (this.#server?.pid !== undefined) {
      signalGroup(this.#server.pid, 'SIGKILL');
    }
    // A process of the group may still be writing while it dies.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  async #answers() {
    const port = /Extension host agent listening on (\d+)/.exec(readFileSync(this.logFile, 'utf8'))?.[1];
    if (port === undefined) {
      return false;
    }
    this.port = Number(port);
    const response = await fetch(this.url({})).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.ok === true;
  }

  /** @param {string[]} args */
  #arguments(args) {
    return ['out/server-main.js', '--accept-server-license-terms', '--server-data-dir', this.dataDir, ...args];
  }

  #environment() {
    const home = path.join(this.folder, 'home');
    const temporary = path.join(this.folder, 'tmp');
    mkdirSync(home, { recursive: true });
    mkdirSync(temporary, { recursive: true });
    const inherited = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name));
    return {
      ...Object.fromEntries(inherited),
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      XDG_DATA_HOME: path.join(home, '.local/share'),
      XDG_CACHE_HOME: path.join(home, '.cache'),
      // VS Code leaves its sockets behind. (Elsewhere their paths would become too long for a socket.)
      ...(process.platform === 'linux' ? { XDG_RUNTIME_DIR: temporary, TMPDIR: temporary } : {}),
    };
  }
}

/**
 * @param {number} leader
 * @param {NodeJS.Signals} signal
 */
function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    // ESRCH: nobody is left, which is what is wanted.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
