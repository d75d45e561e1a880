// What `bench list` does in the page and times there, by the page's own clock: from a key to what is on the screen.

const limitMs = 30_000;

export class ListPage {
  /** @type {() => import('playwright-core').Page} */
  #page;

  /** @param {() => import('playwright-core').Page} page Asked for with each call: the window comes later. */
  constructor(page) {
    this.#page = page;
  }

  /** @param {string} key */
  async press(key) {
    await this.#page().keyboard.press(key);
  }

  /**
   * Types into the quick input that is open, or is about to.
   * @param {string} text
   */
  async type(text) {
    await this.#page().locator('.quick-input-widget input[type=text]').fill(text);
  }

  /**
   * Makes the tree's first row, a server that has just come, the one that keys are for.
   * @param {string} label
   */
  async focusServer(label) {
    const focused = this.#page()
      .locator('.part.sidebar .monaco-list:focus .monaco-list-row.focused .label-name')
      .getByText(label, { exact: true });
    const row = this.#page().locator('.part.sidebar .monaco-list-row .label-name').getByText(label, { exact: true });
    await row.waitFor();
    const list = this.#page().locator('.part.sidebar .monaco-list').first();
    for (const begun = Date.now(); Date.now() - begun < limitMs;) {
      // The view may have had no row yet when it got the focus.
      await list.focus();
      await this.press('Home');
      const there = await focused.waitFor({ timeout: 300 }).then(
        () => true,
        () => false,
      );
      if (there) return;
    }
    throw new Error(`The server ${label} got no focus.`);
  }

  /**
   * Presses a key and gives the milliseconds until the tree's first row below the server's has this label.
   * @param {string} key
   * @param {string} label
   */
  async untilFirst(key, label) {
    return this.#timed(key, firstRowShown, { label, limitMs });
  }

  /** @param {string} label */
  async waitForFirst(label) {
    await this.#page().evaluate(firstRowShown, { label, limitMs, atOnce: true });
  }

  /**
   * Opens a quick pick by a key, waits for the end of its list, and closes it.
   * @param {string} key
   * @param {string} end A regular expression: what title and count of results say once everything is listed.
   * @returns {Promise<import('./listCases').BrowseTimes>}
   */
  async browse(key, end) {
    const times = await this.#timed(key, pickFilled, { end, limitMs });
    await this.#page().keyboard.press('Escape');
    await this.#page().locator('.quick-input-widget').waitFor({ state: 'hidden' });
    return times;
  }

  /**
   * Lets the page wait for something, presses a key once it does, and gives what came of it.
   * @template A, T
   * @param {string} key
   * @param {(argument: A) => Promise<T>} wait Runs in the page.
   * @param {A} argument
   * @returns {Promise<T>}
   */
  async #timed(key, wait, argument) {
    const page = this.#page();
    // In an object of its own: a promise that is given back would be awaited.
    const waiting = await page.evaluateHandle(`({ shown: (${wait.toString()})(${JSON.stringify(argument)}) })`);
    await page.keyboard.press(key);
    const shown = await waiting.evaluate((/** @type {{ shown: Promise<T> }} */ { shown }) => shown);
    await waiting.dispose();
    return shown;
  }
}

/**
 * Runs in the page.
 * @param {{ label: string, limitMs: number, atOnce?: boolean }} options
 * @returns {Promise<number>}
 */
function firstRowShown({ label, limitMs, atOnce = false }) {
  return new Promise((resolve, reject) => {
    let begun = atOnce ? performance.now() : Number.NaN;
    addEventListener('keydown', () => (begun = performance.now()), { capture: true, once: true });
    const look = () => {
      const row = document.querySelector('.part.sidebar .monaco-list-row[data-index="1"] .label-name');
      if (row?.textContent !== label || Number.isNaN(begun)) return;
      observer.disconnect();
      clearTimeout(timer);
      resolve(performance.now() - begun);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['data-index'],
    });
    const timer = setTimeout(() => {
      observer.disconnect();
      const rows = [...document.querySelectorAll('.part.sidebar .monaco-list-row .label-name')];
      reject(
        new Error(
          `No first row "${label}": ${rows
            .slice(0, 3)
            .map((row) => row.textContent)
            .join(', ')}`,
        ),
      );
    }, limitMs);
    look();
  });
}

/**
 * Runs in the page. The progress bar tells no end: it shows only where something takes longer than 0.8 s.
 * @param {{ end: string, limitMs: number }} options
 * @returns {Promise<import('./listCases').BrowseTimes>}
 */
function pickFilled({ end, limitMs }) {
  return new Promise((resolve, reject) => {
    let begun = Number.NaN;
    let first = Number.NaN;
    addEventListener('keydown', () => (begun = performance.now()), { capture: true, once: true });
    const look = () => {
      const widget = document.querySelector('.quick-input-widget');
      if (!widget || Number.isNaN(begun) || /** @type {HTMLElement} */ (widget).style.display === 'none') return;
      if (Number.isNaN(first)) {
        const labels = [...widget.querySelectorAll('.monaco-list-row .label-name')];
        if (!labels.some((label) => label.textContent?.startsWith('book '))) return;
        first = performance.now() - begun;
      }
      const words = [...widget.querySelectorAll('.quick-input-title, .quick-input-visible-count')];
      if (!words.some(({ textContent }) => new RegExp(end).test(textContent ?? ''))) return;
      observer.disconnect();
      clearTimeout(timer);
      resolve({ first, all: performance.now() - begun });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['class', 'style'],
    });
    const timer = setTimeout(() => {
      observer.disconnect();
      const widget = document.querySelector('.quick-input-widget');
      const words = '.quick-input-title, .quick-input-visible-count, .label-name';
      const texts = [...(widget?.querySelectorAll(words) ?? [])].map(({ textContent }) => textContent);
      reject(new Error(`The pick says no ${end}: ${texts.slice(0, 6).join(', ')} …`));
    }, limitMs);
    look();
  });
}
