import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const require = createRequire(import.meta.url);
/** @type {typeof import('../server/fixtureClient')} */
const { startFixture } = require(path.join(root, 'dist-test/server/fixtureClient.js'));
/** @type {typeof import('../server/processGroups')} */
const { allProcesses, groupsWith } = require(path.join(root, 'dist-test/server/processGroups.js'));

/** One for each way in which a server is given a secret. */
const secrets = {
  env: 'SECRET-of-env-4711',
  header: 'SECRET-of-header-4712',
  address: 'SECRET-of-address-4713',
  input: 'SECRET-of-input-4714',
};
const anySecret = /SECRET-of-(env|header|address|input)-\d+/;

describe('what is left of servers in an editor', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  /** @type {import('../server/fixtureClient').HttpFixture} */
  let web;
  const words = `denied for ${secrets.env}`;
  const fixtures = fixtureServers({
    // Ends by SIGKILL only, and has a child in its group.
    local: {
      era: 'legacy',
      scenario: {
        resources: [{ uri: 'a://denied', name: 'Denied', error: { code: -32603, message: words } }],
        stdio: { stderr: [words], ignoreEnd: true, ignoreTerm: true, grandchild: 'attached' },
      },
    },
  });
  const { local } = fixtures.servers;

  before(async () => {
    const refusal = `refused for ${secrets.header}, ${secrets.address} and ${secrets.input}`;
    web = await startFixture({
      era: 'modern',
      scenario: {
        resources: [
          { uri: 'a://fine', name: 'Fine', text: 'fine' },
          { uri: 'a://refused', name: 'Refused', error: { code: -32603, message: refusal } },
        ],
      },
    });
    window = await openWindow({
      prepare: ({ host }) => {
        const { command, args, env } = local;
        writeFileSync(
          path.join(host.userDir, 'mcp.json'),
          JSON.stringify({
            inputs: [{ id: 'password', type: 'promptString', description: 'The password', password: true }],
            servers: {
              local: { command, args, env: { ...env, TOKEN: secrets.env } },
              web: {
                type: 'http',
                url: `${web.url}?api_key=${secrets.address}`,
                headers: { Authorization: `Bearer ${secrets.header}`, 'x-password': '${input:password}' },
              },
            },
          }),
        );
      },
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
  });

  after(async () => {
    await window?.close();
    await web?.stop();
    await fixtures.dispose();
  });

  /** Everything that the window keeps in the browser, one line an entry. */
  const kept = () =>
    window.page.evaluate(async () => {
      const lines = Object.entries({ ...localStorage }).map((entry) => `localStorage ${entry.join(' ')}`);
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await new Promise((resolve, reject) => {
          const request = indexedDB.open(name);
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        for (const store of database.objectStoreNames) {
          const cursor = database.transaction(store).objectStore(store).openCursor();
          await new Promise((resolve, reject) => {
            cursor.onerror = () => reject(cursor.error);
            cursor.onsuccess = () => {
              const at = cursor.result;
              if (!at) return resolve(undefined);
              const value =
                at.value instanceof Uint8Array ? new TextDecoder().decode(at.value) : JSON.stringify(at.value);
              lines.push(`${name} ${store} ${String(at.key)} ${value}`);
              at.continue();
            };
          });
        }
        database.close();
      }
      return lines;
    });

  /** The files of this VS Code, its workspace included, in which one of the secrets stands. */
  const filesWithSecrets = () =>
    readdirSync(window.host.folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(path.join(window.host.folder, file), { throwIfNoEntry: false })?.isFile())
      .filter((file) => anySecret.test(readFileSync(path.join(window.host.folder, file), 'latin1')));

  /** The server's process group, and the extension host that started it with the reaper beside it. */
  const running = async () => {
    const group = await until('its group', () => groupsWith(local.folder)[0]);
    const host = allProcesses().find(({ pid }) => pid === group)?.parent;
    const reaper = allProcesses().find(({ parent, command }) => parent === host && command.includes('reaper.js'));
    assert.ok(host && reaper, `${host} ${reaper?.pid}`);
    return { group, host, reaper: reaper.pid };
  };
  /** @param {{ group: number, host: number, reaper: number }} before */
  const gone = ({ group, host, reaper }) =>
    until(
      'the group, the extension host and the reaper are gone',
      () => !allProcesses().some((one) => one.group === group || [host, reaper].includes(one.pid)),
      5000,
    );

  it('X5: no secret stands in any file, log or memory of the editor', async () => {
    await workbench.waitForRow('local');
    const reapers = () =>
      allProcesses().filter(({ command }) => command.includes(window.host.folder) && command.includes('reaper.js'));
    assert.equal(reapers().length, 0, 'no process before the first server');
    await workbench.expand('local');
    await workbench.clickRow('Denied');
    assert.match((await workbench.waitForNotification('denied for')).message, /denied for •+/);
    await workbench.clickInlineAction('web', 'Start Server');
    await workbench.enter(secrets.input);
    await workbench.expand('web');
    await workbench.clickRow('Refused');
    assert.match((await workbench.waitForNotification('refused for')).message, /refused for •+, •+ and •+/);
    await workbench.clickRow('Fine');
    await workbench.waitForEditorText('fine');
    assert.ok((await web.log()).some(({ http }) => http?.headers['x-password'] === secrets.input));
    assert.equal(reapers().length, 1);
    // What the extension remembers has arrived, so that what is searched is where it writes to.
    const memory = await until('the memory', async () => (await kept()).find((line) => line.includes('eraVerdicts')));
    assert.match(memory, /legacy.*modern|modern.*legacy/);
    assert.deepEqual(
      (await kept()).filter((line) => anySecret.test(line)),
      [],
    );
    // VS Code reads the same file, and keeps a copy of its own. (SecretStorage is kept in the page's memory by this host.)
    const others = filesWithSecrets().filter((file) => !file.includes('CachedConfigurations'));
    const { folder, userDir } = window.host;
    assert.deepEqual(others, [path.relative(folder, path.join(userDir, 'mcp.json'))]);
  });

  it('C7: a reload of the window leaves nothing, though the server hears neither the end of stdin nor SIGTERM', async () => {
    const before = await running();
    await workbench.reload();
    await gone(before);
  });

  it('C7: an extension host that is killed leaves nothing', async () => {
    // The node was expanded, so its server is started again.
    await workbench.waitForRow('Denied');
    const before = await running();
    process.kill(before.host, 'SIGKILL');
    await gone(before);
  });
});
