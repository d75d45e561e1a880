// `npm run screenshots`: the pictures of the README, made anew from the running extension.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ensureDependencies, root } from './bootstrap.mjs';

/**
 * The pictures, each made where the one before left off. `show` brings the window to what the picture is to show.
 * @type {{ file: string, show: (workbench: import('./workbench.mjs').Workbench) => Promise<void> }[]}
 */
const scenes = [
  {
    file: 'tree.png',
    async show(workbench) {
      await workbench.openView('MCP Resources');
      await workbench.expand('Sample');
      await workbench.waitForRow('Welcome');
      await workbench.expand('everything');
      await workbench.waitForRow('architecture.md');
    },
  },
  {
    file: 'document.png',
    async show(workbench) {
      await workbench.clickRow('Welcome');
      await workbench.waitForEditorText('# Welcome');
    },
  },
  {
    file: 'counter.png',
    async show(workbench) {
      await workbench.clickRow('Counter');
      await workbench.waitForEditorText('Counter: 2');
    },
  },
  {
    file: 'chat.png',
    async show(workbench) {
      await workbench.clickRow('Welcome');
      await workbench.waitForEditorText('# Welcome');
      await workbench.clickInlineAction('Welcome', 'Attach to Chat');
      await workbench.waitForChatChip('welcome.md');
    },
  },
];

ensureDependencies();
const { launchBrowser, newPage } = await import('./browser.mjs');
const { startDemo } = await import('./demoWindow.mjs');
const { Workbench } = await import('./workbench.mjs');

const { host, url } = await startDemo();
const browser = await launchBrowser();
try {
  const workbench = new Workbench(await newPage(browser, { deviceScaleFactor: 2 }));
  await workbench.open(url);
  mkdirSync(path.join(root, 'media'), { recursive: true });
  for (const { file, show } of scenes) {
    await show(workbench);
    await workbench.screenshot(path.join(root, 'media', file));
    console.log(`media/${file}`);
  }
} finally {
  await browser.close();
  await host.stop();
}
