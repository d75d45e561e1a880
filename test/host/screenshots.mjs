// `npm run screenshots`: the pictures of the README, made anew from the running extension.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureDependencies, root } from './bootstrap.mjs';

/**
 * The pictures, each made where the one before left off. `show` brings the window to what the picture is to show.
 * @type {{ file: string, show: (workbench: import('./workbench.mjs').Workbench, page: import('playwright-core').Page) => Promise<unknown> }[]}
 */
const scenes = [
  {
    file: 'tree.png',
    async show(workbench) {
      await workbench.openView('MCP Resources');
      await workbench.expand('everything');
      await workbench.answerDialog('Allow');
      await workbench.waitForRow('architecture.md');
      await workbench.expand('Sample');
      await workbench.waitForRow('Welcome');
      // The sample server's: its group is the upper one.
      await workbench.expand('Templates');
      await workbench.waitForRow('Planet');
      await workbench.tooltip('structure.md');
    },
  },
  {
    file: 'document.png',
    async show(workbench, page) {
      await workbench.clickRow('architecture.md');
      await workbench.waitForEditorText('Architecture');
      await isColoured(page);
    },
  },
  {
    file: 'counter.png',
    async show(workbench) {
      await workbench.clickRow('Counter');
      const first = await workbench.waitForEditorText('Counter: ');
      // The picture is to show a number that was not there when the document was opened.
      while ((await workbench.editorText()) === first) {
        await delay(50);
      }
      await workbench.waitForEditorText('Counter: ');
    },
  },
  {
    file: 'chat.png',
    async show(workbench, page) {
      await workbench.clickRow('Planets');
      await workbench.waitForEditorText('Mercury');
      await isColoured(page);
      await workbench.clickRow('Counter', { add: true });
      await workbench.clickInlineAction('Counter', 'Attach to Chat');
      await workbench.waitForChatChip('planets.json');
      await workbench.waitForChatChip('counter.txt');
    },
  },
  {
    file: 'pinned.png',
    async show(workbench, page) {
      await workbench.hideChat();
      for (const name of ['Planets', 'Counter']) {
        await workbench.clickRow(name);
        await workbench.contextMenu(name);
        await workbench.chooseFromMenu('Pin');
      }
      await page.keyboard.press('Control+Shift+Alt+P');
      await workbench.waitForChatChip('counter.txt');
      await page.locator('.part.sidebar').getByText('changed', { exact: false }).first().waitFor();
    },
  },
  {
    file: 'changed.png',
    async show(workbench, page) {
      await workbench.hideChat();
      for (const name of ['Planets', 'Counter']) {
        await workbench.clickRow(name);
        await workbench.contextMenu(name);
        await workbench.chooseFromMenu('Unpin');
      }
      await workbench.clickRow('Counter');
      await workbench.waitForEditorText('Counter: ');
      await workbench.runCommand('View: Keep Editor');
      await workbench.clickRow('Planets');
      await workbench.waitForEditorText('Mercury');
      await page.locator('.part.activitybar .badge-content').getByText('1', { exact: true }).waitFor();
    },
  },
  {
    file: 'diff.png',
    async show(workbench, page) {
      await workbench.clickRow('Counter');
      await workbench.waitForEditorText('Counter: ');
      await workbench.runCommand('MCP Resources: Show Changes');
      await page.locator('.monaco-diff-editor').waitFor();
      await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    },
  },
  {
    file: 'not-live.png',
    async show(workbench, page) {
      await workbench.closeEditors();
      await workbench.expand('wiki');
      await workbench.clickRow('Onboarding');
      await workbench.waitForEditorText('Welcome aboard.');
      await isColoured(page);
      const status = page.locator('.part.statusbar').getByText('wiki: not live');
      await status.hover();
      await page.getByText('Not live: refresh to see').waitFor();
    },
  },
  {
    file: 'reconnecting.png',
    async show(workbench, page) {
      // It ends, and cannot be started again.
      rmSync(program);
      await wiki.control.exit(1);
      const retry = page.locator('.part.sidebar').getByText('tried again').first();
      // The pauses grow: one that is long enough for the picture.
      const passes = () =>
        retry.waitFor({ state: 'hidden', timeout: 1500 }).then(
          () => true,
          () => false,
        );
      do {
        await retry.waitFor();
      } while (await passes());
    },
  },
];

/** A server that tells of no changes, and that is lost at last. */
const scenario = {
  capabilities: { resources: {} },
  resources: [
    {
      uri: 'wiki://handbook/onboarding',
      name: 'Onboarding',
      mimeType: 'text/markdown',
      text: '# Onboarding\n\nWelcome aboard.\n',
    },
    { uri: 'wiki://handbook/releases', name: 'Releases', mimeType: 'text/markdown', text: '# Releases\n' },
  ],
};

/**
 * Waits until the extensions that come with VS Code have started and have coloured the text.
 * @param {import('playwright-core').Page} page
 */
async function isColoured(page) {
  await page.waitForFunction(() => {
    const words = [...document.querySelectorAll('.part.editor .view-line span[class^=mtk]')];
    return new Set(words.map((word) => word.className)).size > 1;
  });
  await page.locator('.statusbar-item').filter({ hasText: 'Activating Extensions' }).waitFor({ state: 'hidden' });
}

ensureDependencies();
const { launchBrowser, newPage } = await import('./browser.mjs');
const { compileTests } = await import('./compileTests.mjs');
const { startDemo } = await import('./demoWindow.mjs');
const { Workbench } = await import('./workbench.mjs');

await compileTests('server');
const { fixtureLaunch } = createRequire(import.meta.url)(path.join(root, 'dist-test/server/fixtureClient.js'));
const wiki = fixtureLaunch({ era: 'legacy', scenario });
const program = path.join(mkdtempSync(path.join(tmpdir(), 'mcp-screenshots-')), 'wiki.js');
symlinkSync(wiki.args[0], program);
const { command, args, env } = wiki;
const { host, url } = await startDemo({ wiki: { command, args: [program, ...args.slice(1)], env } });
const browser = await launchBrowser();
try {
  // Twice the points, so that the text stays sharp; no higher than there is something to see.
  const page = await newPage(browser, { height: 640, deviceScaleFactor: 2 });
  const workbench = new Workbench(page);
  await workbench.open(url);
  mkdirSync(path.join(root, 'media'), { recursive: true });
  for (const { file, show } of scenes) {
    await show(workbench, page);
    await workbench.screenshot(path.join(root, 'media', file));
    console.log(`media/${file}`);
  }
} finally {
  await browser.close();
  await host.stop();
  await wiki.dispose();
  rmSync(path.dirname(program), { recursive: true });
}
