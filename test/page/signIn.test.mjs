import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { until } from './until.mjs';

const require = createRequire(import.meta.url);
/** @type {typeof import('../server/authServer')} */
const { AuthServer } = require(path.join(root, 'dist-test/server/authServer.js'));
/** @type {typeof import('../server/fixtureClient')} */
const { startFixture } = require(path.join(root, 'dist-test/server/fixtureClient.js'));

/**
 * Addresses of this machine are seen from the browser as `/proxy/PORT/…`: the whole code-server forwards them, the VS Code
 * in it that is started here does not.
 * @param {import('playwright-core').Route} route
 */
async function forward(route) {
  const { pathname, search } = new URL(route.request().url());
  const [, port, rest] = /^\/proxy\/(\d+)(\/.*)$/.exec(pathname) ?? [];
  await route.fulfill({ response: await route.fetch({ url: `http://127.0.0.1:${port}${rest}${search}` }) });
}

describe('signing in, in a window', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  /** @type {import('../server/authServer').AuthServer} */
  let auth;
  /** @type {import('../server/fixtureClient').HttpFixture} */
  let fixture;

  before(async () => {
    auth = await AuthServer.start({ page: true });
    const scenario = { resources: [{ uri: 'a://plan', name: 'Plan', text: 'for those who signed in' }] };
    fixture = await startFixture({ era: 'modern', scenario, guard: auth.guard });
    window = await openWindow({
      prepare: ({ host }) => {
        const servers = { cloud: { type: 'http', url: fixture.url } };
        writeFileSync(path.join(host.userDir, 'mcp.json'), JSON.stringify({ servers }));
      },
    });
    workbench = window.workbench;
    await window.page.context().route(/\/proxy\/\d+\//, forward);
    await workbench.openView('MCP Resources');
  });

  afterEach(() => workbench.clearNotifications());

  after(async () => {
    await window?.close();
    await fixture?.stop();
    await auth?.stop();
  });

  const cloud = async () => (await workbench.rows()).find(({ label }) => label === 'cloud');
  const waitForNeed = () =>
    until('the node says so', async () => (await cloud())?.description?.includes('Sign-in needed') ?? false);

  it('C8: expanding the server says that a sign-in is needed, and asks nothing', async () => {
    await workbench.expand('cloud');
    await waitForNeed();
    await workbench.waitForRow('Sign-in needed: the server asks who you are.');
    assert.deepEqual(await workbench.inlineActions('cloud'), ['Sign In…', 'Show Log']);
    assert.equal(await workbench.dialogText(), undefined);
    assert.deepEqual(auth.log, []);
  });

  it('one question, the browser, and the resources are there', async () => {
    await workbench.clickInlineAction('cloud', 'Sign In…');
    await until('the question', async () => (await workbench.dialogText()) !== undefined);
    const text = (await workbench.dialogText()) ?? '';
    assert.match(text, /Sign in to server "cloud"\?/);
    assert.ok(text.includes(auth.issuer) && text.includes(new URL(fixture.url).host), text);
    assert.match(text, /Rights it asks for: read/);
    const [page] = await Promise.all([
      window.page.context().waitForEvent('page'),
      workbench.answerDialog('Sign In in Browser'),
    ]);
    await workbench.waitForNotification('Waiting for you to sign in to "cloud" in the browser');
    await page.getByText('Allow').click();
    await page.getByText('You can close this page').waitFor();
    await page.close();
    await workbench.waitForRow('Plan');
    await workbench.clickRow('Plan');
    assert.match(await workbench.waitForEditorText('for those'), /for those who signed in/);
  });

  it('signing out is a state with the same remedy; a sign-in that is cancelled, too', async () => {
    assert.ok((await workbench.contextMenu('cloud')).includes('Sign Out…'));
    await workbench.chooseFromMenu('Sign Out…');
    await waitForNeed();
    await workbench.waitForRow('Sign-in needed: you signed out.');
    await until('the tokens are taken back', async () => auth.good.access + auth.good.refresh === 0);
    await workbench.clickRow('Sign-in needed: you signed out.');
    await until('the question', async () => (await workbench.dialogText()) !== undefined);
    const [page] = await Promise.all([
      window.page.context().waitForEvent('page'),
      workbench.answerDialog('Sign In in Browser'),
    ]);
    await page.close();
    await workbench.waitForNotification('Waiting for you to sign in');
    await workbench.answerNotification('Waiting for you to sign in', 'Cancel');
    await workbench.waitForNotification('Server "cloud": Sign-in needed: the last one was cancelled.');
    await workbench.waitForRow('Sign-in needed: the last one was cancelled.');
  });
});
