// A headless Chromium, and pages in it that show a workbench.
import { chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser; the caller closes it. */
export async function launchBrowser() {
  return chromium.launch({ executablePath: findChromium(), args: flags, headless: true });
}

/**
 * A page with storage of its own, in the size that screenshots have.
 * @param {import('playwright-core').Browser} browser
 * @param {{ width?: number, height?: number, deviceScaleFactor?: number }} [options]
 */
export async function newPage(browser, { width = 1280, height = 800, deviceScaleFactor = 1 } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return context.newPage();
}
