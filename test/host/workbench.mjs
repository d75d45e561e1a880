// What a person does in the workbench, as functions: page tests, screenshots and (through the page driver) editor tests use them.
// Every function waits for what it needs, takes and gives plain JSON values, and fails after the page's time limit.

/** How long one step may take. */
const stepLimitMs = 15_000;

const treeRow = '.part.sidebar .monaco-list-row';
const hover = '.workbench-hover-container .monaco-hover';
const tab = '.part.editor .tabs-container .tab';
const activeEditor = '.part.editor .editor-group-container.active';
const quickInput = '.quick-input-widget';
const notification = '.notification-list-item';
const dialog = '.monaco-dialog-box';
// Not the suggestion of the active editor, which nobody attached.
const chatAnswer = '.interactive-session .interactive-response';
const chatChip = '.interactive-input-part .chat-attached-context-attachment:not(.implicit)';

/**
 * @typedef {{ label: string, description: string, level: number, expanded: boolean | undefined, selected: boolean }} Row
 *   A row of the tree; `expanded` is undefined for a leaf.
 */

export class Workbench {
  #page;

  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.#page = page;
    page.setDefaultTimeout(stepLimitMs);
  }

  /**
   * Opens an address of `Host.url` and waits until the workbench can be used.
   * @param {string} address
   */
  async open(address) {
    // The first window of a host compiles some 20 MB of JavaScript.
    await this.#page.goto(address, { timeout: 60_000 });
    await this.#ready();
  }

  /**
   * Reloads the window as a person does: tabs are restored and the extension host starts again. (A reload of the page
   * would lose what the window has not stored yet.)
   */
  async reload() {
    const loaded = this.#page.waitForEvent('load', { timeout: 60_000 });
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.#ready();
  }

  /** @param {string} file */
  async screenshot(file) {
    await this.#page.screenshot({ path: file });
  }

  /** Trusts the folder that is open in Restricted Mode. */
  async grantTrust() {
    await this.runCommand('Workspaces: Manage Workspace Trust');
    await this.#page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
  }

  // ── Commands, quick picks, dialogs, notifications ──────────────────────────────────────────────────────────────────

  /**
   * Runs a command from the palette.
   * @param {string} title As the palette shows it: `Category: Title`.
   */
  async runCommand(title) {
    const input = this.#page.locator(`${quickInput} input[type=text]`);
    const item = this.#withLabel(`${quickInput} .monaco-list-row`, title);
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      if (!(await input.isVisible())) {
        await this.#page.keyboard.press('F1');
      }
      try {
        await input.fill(`>${title}`, { timeout: 2000 });
        await item.click({ timeout: 2000 });
        return;
      } catch (error) {
        // An editor that shows late takes the focus, and the palette closes; one that was opened early knows no commands
        // that came later: as a person would, it is opened again.
        if (Date.now() > deadline) {
          throw error;
        }
        await this.#page.keyboard.press('Escape');
      }
    }
  }

  /**
   * Chooses an item of the open quick pick.
   * @param {string} label
   */
  async choose(label) {
    await this.#withLabel(`${quickInput} .monaco-list-row`, label).click();
  }

  /** The labels in the open quick pick that are scrolled into view. */
  async choices() {
    // Rows are used again: what is hidden in one is of another.
    const labels = this.#page.locator(`${quickInput} .monaco-list-row .label-name:visible`);
    await labels.first().waitFor();
    return texts(labels);
  }

  /** All that the open quick pick says, in lines, with its title and its placeholder; undefined when none is open. */
  async pickerText() {
    const open = this.#page.locator(quickInput);
    if (!(await open.isVisible())) {
      return undefined;
    }
    const placeholder = await open.locator('input[type=text]').first().getAttribute('placeholder');
    return `${placeholder}\n${clean(await open.innerText())}`;
  }

  /**
   * Types into the open input box and accepts it.
   * @param {string} text
   */
  async enter(text) {
    const input = this.#page.locator(`${quickInput} input`).first();
    await input.fill(text);
    await input.press('Enter');
  }

  /**
   * Presses a key, or several at once (`Control+Shift+P`).
   * @param {string} key
   */
  async press(key) {
    await this.#page.keyboard.press(key);
  }

  /** The messages of the notifications that show now. */
  async notifications() {
    return texts(this.#page.locator(`${notification} .notification-list-item-message`));
  }

  /**
   * Waits for a notification with this text in it and gives its message and buttons.
   * @param {string} text
   */
  async waitForNotification(text) {
    const item = this.#page.locator(notification).filter({ hasText: text }).first();
    await item.waitFor();
    return {
      message: clean(await item.locator('.notification-list-item-message').innerText()),
      buttons: await texts(item.locator('.notification-list-item-buttons-container .monaco-button')),
    };
  }

  /**
   * Presses a button of a notification with this text in it.
   * @param {string} text
   * @param {string} button
   */
  async answerNotification(text, button) {
    const item = this.#page.locator(notification).filter({ hasText: text }).first();
    await item.locator('.monaco-button').getByText(button, { exact: true }).click();
  }

  /** The text of the modal dialog that is open, or undefined. */
  async dialogText() {
    const open = this.#page.locator(dialog);
    return (await open.count()) > 0 ? clean(await open.first().innerText()) : undefined;
  }

  /** @param {string} button */
  async answerDialog(button) {
    await this.#page.locator(`${dialog} .monaco-button`).getByText(button, { exact: true }).click();
  }

  /** Closes the notifications that show. */
  async clearNotifications() {
    const shown = this.#page.locator(notification);
    if ((await shown.count()) > 0) {
      await this.runCommand('Notifications: Clear All Notifications');
      await shown.first().waitFor({ state: 'detached' });
    }
  }

  /** Closes what hides the rest: notifications, and the chat's sidebar. */
  async dismissNoise() {
    await this.clearNotifications();
    await this.hideChat();
  }

  // ── Sidebar ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The titles in the activity bar. */
  async activityBar() {
    return this.#page
      .locator('.part.activitybar .composite-bar .action-label')
      .evaluateAll((icons) => icons.map((icon) => icon.getAttribute('aria-label') ?? ''));
  }

  /**
   * Shows a view container.
   * @param {string} title Its title in the activity bar.
   */
  async openView(title) {
    const icon = this.#page.locator(`.action-label[aria-label^=${quote(title)}]`);
    const item = this.#page.locator('.part.activitybar .composite-bar .action-item').filter({ has: icon });
    await item.waitFor();
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      // A click on the icon of the open container would hide it.
      if ((await item.getAttribute('aria-expanded')) === 'true') {
        return;
      }
      await item.click();
      try {
        await item.and(this.#page.locator('[aria-expanded=true]')).waitFor({ timeout: 2000 });
        return;
      } catch (error) {
        // A window just reloaded may have opened it before the click.
        if (Date.now() > deadline) {
          throw error;
        }
      }
    }
  }

  /**
   * The rows of the sidebar's tree that are scrolled into view.
   * @returns {Promise<Row[]>}
   */
  async rows() {
    const rows = await this.#page.locator(treeRow).evaluateAll((elements) =>
      elements.map((element) => ({
        index: Number(element.getAttribute('data-index')),
        row: {
          label: element.querySelector('.label-name')?.textContent ?? '',
          description: element.querySelector('.label-description')?.textContent ?? '',
          level: Number(element.getAttribute('aria-level')),
          expanded: element.hasAttribute('aria-expanded')
            ? element.getAttribute('aria-expanded') === 'true'
            : undefined,
          selected: element.classList.contains('selected'),
        },
      })),
    );
    return rows.sort((a, b) => a.index - b.index).map(({ row }) => row);
  }

  /** @param {string} label */
  async waitForRow(label) {
    await this.#row(label).waitFor();
  }

  /** @param {string} label */
  async expand(label) {
    const row = await this.#uncoveredRow(label);
    if ((await row.getAttribute('aria-expanded')) === 'false') {
      await row.locator('.monaco-tl-twistie').click();
      await this.#page.locator(`${treeRow}[aria-expanded=true]`).and(row).waitFor();
    }
  }

  /**
   * Clicks a row, by itself or to add it to the selection.
   * @param {string} label
   * @param {{ add?: boolean }} [options]
   */
  async clickRow(label, { add = false } = {}) {
    const row = await this.#uncoveredRow(label);
    await row.click(add ? { modifiers: ['ControlOrMeta'] } : {});
  }

  /**
   * The titles of a row's inline actions, from left to right.
   * @param {string} label
   */
  async inlineActions(label) {
    const row = await this.#uncoveredRow(label);
    await row.hover();
    return row
      .locator('.actions .action-label')
      .evaluateAll((actions) => actions.map((action) => action.getAttribute('aria-label') ?? ''));
  }

  /**
   * Points at a row and clicks one of the actions that show there.
   * @param {string} label
   * @param {string} action
   */
  async clickInlineAction(label, action) {
    const row = await this.#uncoveredRow(label);
    const button = row.locator(`.actions .action-label[aria-label=${quote(action)}]`);
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      try {
        await row.hover();
        await button.click({ timeout: 1000 });
        return;
      } catch (error) {
        // A row that moved on after the pointer had come to it shows no actions: the pointer follows, as a hand does.
        if (Date.now() > deadline) {
          throw error;
        }
      }
    }
  }

  /**
   * Opens a row's context menu and gives its items.
   * @param {string} label
   */
  async contextMenu(label) {
    const items = this.#page.locator('.monaco-menu .action-menu-item .action-label');
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      const row = await this.#uncoveredRow(label);
      await row.click({ button: 'right' });
      try {
        await items.first().waitFor({ timeout: 3000 });
        return await texts(items);
      } catch (error) {
        // An editor that opens takes the focus, and a menu closes: as a person would, it is opened again.
        if (Date.now() > deadline) {
          throw error;
        }
      }
    }
  }

  /** @param {string} item */
  async chooseFromMenu(item) {
    const menu = this.#page.locator('.monaco-menu').last();
    const label = menu.locator('.action-menu-item').getByText(item, { exact: true });
    await label.hover();
    await label.locator('xpath=ancestor::li[contains(@class, "focused")]').waitFor();
    // By key: a menu takes no click in the first moments after it opened.
    await this.#page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
  }

  /**
   * Points at a row and gives the text of its tooltip.
   * @param {string} label
   */
  async tooltip(label) {
    const tip = this.#page.locator(hover).first();
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      const row = await this.#uncoveredRow(label);
      await row.locator('.label-name').hover();
      try {
        // A tooltip is made when it is looked at.
        await tip.filter({ hasNotText: /^Loading/ }).waitFor({ timeout: 3000 });
        return clean(await tip.innerText());
      } catch (error) {
        // A row that is drawn anew has lost the pointer: as a person would, it is pointed at again.
        if (Date.now() > deadline) {
          throw error;
        }
        await this.#page.mouse.move(0, 0);
      }
    }
  }

  /** What the view says instead of a tree. */
  async welcome() {
    const content = this.#page.locator('.part.sidebar .welcome-view-content').first();
    await content.waitFor();
    return clean(await content.innerText());
  }

  /**
   * Presses a button or link of the view's welcome content.
   * @param {string} label
   */
  async clickWelcome(label) {
    await this.#page.locator('.part.sidebar .welcome-view-content').getByText(label, { exact: true }).click();
  }

  // ── Editors ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The names of the open tabs. */
  async tabs() {
    return this.#page
      .locator(tab)
      .evaluateAll((tabs) => tabs.map((one) => one.getAttribute('data-resource-name') ?? ''));
  }

  /** Closes all editors that can be closed without a question. */
  async closeEditors() {
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      await this.#page.keyboard.press('ControlOrMeta+K');
      await this.#page.keyboard.press('ControlOrMeta+W');
      try {
        await this.#page.locator(tab).first().waitFor({ state: 'detached', timeout: 2000 });
        return;
      } catch (error) {
        // A viewer that just shows may have swallowed the keys.
        if (Date.now() > deadline) {
          throw error;
        }
      }
    }
  }

  /** @param {string} name */
  async waitForTab(name) {
    await this.#page
      .locator(`${tab}[data-resource-name=${quote(name)}]`)
      .first()
      .waitFor();
  }

  /** The text of the active editor as far as it is scrolled into view, or the message that stands there instead. */
  async editorText() {
    return this.#page.evaluate(visibleText, { selector: activeEditor, wanted: '' });
  }

  /**
   * Waits until the active editor shows this text and gives all that shows.
   * @param {string} wanted
   */
  async waitForEditorText(wanted) {
    const shown = await this.#page.waitForFunction(visibleText, { selector: activeEditor, wanted });
    return shown.jsonValue();
  }

  /** Follows the first link in the text of the active editor, as a person does: by Ctrl and a click. */
  async followFirstLink() {
    const link = this.#page.locator(`${activeEditor} .detected-link, ${activeEditor} .detected-link-active`).first();
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      await link.waitFor();
      // By the place it has: a line is drawn anew when it gets its colours and when Ctrl is held, and no element of it stays.
      const box = await link.boundingBox();
      await this.#page.keyboard.down('ControlOrMeta');
      try {
        await this.#page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 5);
        await this.#page.locator(`${activeEditor} .detected-link-active`).first().waitFor({ timeout: 3000 });
        await this.#page.mouse.down();
        await this.#page.mouse.up();
        return;
      } catch (error) {
        if (Date.now() > deadline) {
          throw error;
        }
        await this.#page.mouse.move(0, 0);
      } finally {
        await this.#page.keyboard.up('ControlOrMeta');
      }
    }
  }

  /** The titles of the actions at the active editor's top right. */
  async editorActions() {
    return this.#page
      .locator(`${activeEditor} .editor-actions .action-label`)
      .evaluateAll((actions) => actions.map((action) => action.getAttribute('aria-label') ?? ''));
  }

  /** @param {string} title */
  async clickEditorAction(title) {
    await this.#page.locator(`${activeEditor} .editor-actions .action-label[aria-label^=${quote(title)}]`).click();
  }

  // ── Chat ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The names of what is attached to the chat's input. */
  async chatChips() {
    return texts(this.#page.locator(`${chatChip} .label-name`));
  }

  /** @param {string} name */
  async waitForChatChip(name) {
    await this.#withLabel(chatChip, name).waitFor();
  }

  /** @param {string} name */
  async removeChatChip(name) {
    const chip = this.#withLabel(chatChip, name);
    await chip.locator('.monaco-button').first().click();
    await chip.waitFor({ state: 'detached' });
  }

  /** The complete answers of the chat that is open, oldest first, as they are read; until then words are missing. */
  async chatAnswers() {
    const complete = this.#page.locator('.interactive-item-container:not(.chat-response-loading)');
    return texts(this.#page.locator(chatAnswer).and(complete));
  }

  /** The links in the last answer of the chat, with where each leads. */
  async chatLinks() {
    return this.#page
      .locator(chatAnswer)
      .last()
      .locator('a.chat-inline-anchor-widget, .rendered-markdown a')
      .evaluateAll((links) =>
        links.map((link) => ({
          text: (link.textContent ?? '').trim(),
          href: link.getAttribute('data-href') ?? link.getAttribute('href') ?? '',
        })),
      );
  }

  /** @param {string} label */
  async clickChatLink(label) {
    await this.#page.locator(chatAnswer).last().locator('a').getByText(label, { exact: true }).click();
  }

  /** Closes the sidebar on the right, where the chat lives. */
  async hideChat() {
    const sidebar = this.#page.locator('.part.auxiliarybar');
    if (await sidebar.isVisible()) {
      await this.runCommand('View: Hide Secondary Side Bar');
      await sidebar.waitFor({ state: 'hidden' });
    }
  }

  async #ready() {
    await this.#page.locator('.monaco-workbench .part.activitybar .action-label').first().waitFor({ timeout: 60_000 });
    await this.#page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor();
  }

  /**
   * A row that no tooltip of another row lies upon.
   * @param {string} label
   */
  async #uncoveredRow(label) {
    // The empty left end of the title bar: nothing there has a tooltip.
    await this.#page.mouse.move(150, 4);
    const tip = this.#page.locator(hover).first();
    const deadline = Date.now() + stepLimitMs;
    for (;;) {
      try {
        await tip.waitFor({ state: 'hidden', timeout: 2000 });
        return this.#row(label);
      } catch (error) {
        if (Date.now() > deadline) {
          throw error;
        }
        // One that came up after the pointer had left its place stays: it goes when the pointer enters and leaves it.
        await tip.hover({ timeout: 1000 }).catch(() => undefined);
        await this.#page.mouse.move(150, 4, { steps: 5 });
      }
    }
  }

  /** @param {string} label */
  #row(label) {
    return this.#withLabel(treeRow, label);
  }

  /**
   * The first element of a kind whose label is exactly this text.
   * @param {string} selector
   * @param {string} label
   */
  #withLabel(selector, label) {
    const exact = this.#page.locator('.label-name').getByText(label, { exact: true });
    return this.#page.locator(selector).filter({ has: exact }).first();
  }
}

/**
 * Runs in the page: what the editor shows, or undefined as long as the wanted text is not there.
 * @param {{ selector: string, wanted: string }} argument
 */
function visibleText({ selector, wanted }) {
  const group = document.querySelector(selector);
  const placeholder = group?.querySelector('.monaco-editor-pane-placeholder');
  const lines = [...(group?.querySelectorAll('.monaco-editor .view-lines > .view-line') ?? [])];
  const sorted = lines
    .map((line) => ({
      top: Number.parseInt(/** @type {HTMLElement} */ (line).style.top, 10),
      text: line.textContent ?? '',
    }))
    .sort((a, b) => a.top - b.top);
  const text = (placeholder?.textContent ?? sorted.map((line) => line.text).join('\n')).replaceAll('\u00a0', ' ');
  return text.includes(wanted) ? text : undefined;
}

/** @param {import('playwright-core').Locator} locator */
async function texts(locator) {
  return (await locator.allInnerTexts()).map(clean);
}

/** @param {string} text */
const clean = (text) => text.replaceAll('\u00a0', ' ').trim();

/** @param {string} text */
const quote = (text) => JSON.stringify(text);
