import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const profile = {
  message: 'Tell us who you are. [Read this](command:workbench.action.closeWindow) $(flame)',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As on your badge', minLength: 2 },
      mail: { type: 'string', title: 'E-mail', format: 'email' },
      age: { type: 'integer', title: 'Age', minimum: 18, maximum: 120, default: 30 },
      colour: {
        type: 'string',
        title: 'Colour',
        oneOf: [
          { const: '#f00', title: 'Red' },
          { const: '#0f0', title: 'Green' },
        ],
      },
      topics: {
        type: 'array',
        title: 'Topics',
        items: { type: 'string', enum: ['Stars', 'Birds', 'Tea'] },
        minItems: 2,
      },
      news: { type: 'boolean', title: 'Newsletter', default: false },
    },
    required: ['name', 'colour', 'topics'],
  },
};
const question = {
  message: 'Which day?',
  requestedSchema: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
};
const address = 'https://sign-in.example/start?back=%2Fa%26b';
const visit = { mode: 'url', message: 'Sign in to see your files.', url: address, elicitationId: 'visit-1' };

const scenario = {
  resources: [
    { uri: 'ask://profile', name: 'Profile', text: 'profile {input}', input: { requests: [profile] } },
    { uri: 'ask://day', name: 'Day', text: 'day {input}', input: { requests: [question] } },
    { uri: 'ask://files', name: 'Files', text: 'files {input}', input: { requests: [visit], byError: true } },
    {
      uri: 'ask://local',
      name: 'Local',
      text: 'local',
      input: { requests: [{ ...visit, url: 'file:///etc/passwd' }] },
    },
    {
      uri: 'slow://export',
      name: 'Export',
      text: 'exported',
      delay: 60_000,
      progress: [
        { progress: 0, total: 2, message: 'Gathering' },
        ...Array(20).fill({ progress: 1, total: 2, message: 'Packing' }),
      ],
    },
  ],
};

for (const era of /** @type {const} */ (['legacy', 'modern'])) {
  describe(`input that a server asks for (${era})`, () => {
    /** @type {import('../host/pageWindow.mjs').PageWindow} */
    let window;
    /** @type {import('../host/workbench.mjs').Workbench} */
    let workbench;
    const fixtures = fixtureServers({ [era]: { era, scenario } });

    before(async () => {
      window = await openWindow({ prepare: (workspace) => fixtures.configure(workspace) });
      workbench = window.workbench;
      await workbench.openView('MCP Resources');
      await workbench.expand(era);
      await workbench.waitForRow('Profile');
    });

    afterEach(() => workbench.clearNotifications());

    after(async () => {
      await window?.close();
      await fixtures.dispose();
    });

    const title = () => window.page.locator('.quick-input-title').innerText();
    const message = () => window.page.locator('.quick-input-widget .quick-input-message').innerText();
    const typed = () => window.page.locator('.quick-input-widget input[type=text]').first();
    /** @param {string} wanted */
    const step = (wanted) => until(`step ${wanted}`, async () => (await title()).includes(`(${wanted})`));
    /** @param {string} label */
    const button = (label) => window.page.locator(`.quick-input-titlebar .action-label[aria-label^="${label}"]`);
    const hidden = () => window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    const reads = async () => (await fixtures.servers[era].control.requests('resources/read')).length;

    it('a form is filled in by the keyboard: step by step, checked while typing, back and forth, reviewed, sent', async () => {
      await workbench.clickRow('Profile');
      await step('1/7');
      assert.match(await title(), new RegExp(`Server "${era}" asks, to read ask://profile`));
      // A server's words are words: no link, no icon.
      assert.match(
        await message(),
        /Tell us who you are\. \[Read this\] \(command:.*\) \$ \(flame\) Your name: As on your badge/,
      );
      assert.equal(await window.page.locator('.quick-input-message a').count(), 0);
      await typed().fill('A');
      await until('the check', async () => (await message()).includes('At least 2 characters'));
      await workbench.press('Enter');
      await step('1/7');
      await typed().fill('Ada');
      await workbench.press('Enter');

      await step('2/7');
      await typed().fill('ada@');
      await until('the check', async () => (await message()).includes('not an e-mail address'));
      await button('Back').click();
      await step('1/7');
      assert.equal(await typed().inputValue(), 'Ada');
      await workbench.press('Enter');
      await step('2/7');
      assert.equal(await typed().inputValue(), 'ada@');
      await typed().fill('');
      await workbench.press('Enter');

      await step('3/7');
      assert.equal(await typed().inputValue(), '30');
      await typed().fill('36.5');
      await until('the check', async () => (await message()).includes('whole number'));
      await typed().fill('36');
      await workbench.press('Enter');

      await step('4/7');
      assert.deepEqual(await workbench.choices(), ['Red', 'Green']);
      await workbench.press('ArrowDown');
      await workbench.press('Enter');

      await step('5/7');
      await workbench.press('Enter');
      await until('the check', async () => (await typed().getAttribute('placeholder'))?.includes('Choose at least 2'));
      for (const key of ['ArrowDown', 'Space', 'ArrowDown', 'ArrowDown', 'Space', 'Enter']) {
        await workbench.press(key);
      }

      await step('6/7');
      assert.deepEqual(await workbench.choices(), ['Yes', 'No', 'Leave Out']);
      await workbench.press('Enter');

      await step('7/7');
      assert.deepEqual(await workbench.choices(), [
        `Send to "${era}"`,
        'Your name',
        'E-mail',
        'Age',
        'Colour',
        'Topics',
        'Newsletter',
      ]);
      const values = window.page.locator('.quick-input-widget .monaco-list-row .label-description');
      assert.deepEqual(await values.allInnerTexts(), ['Ada', 'left out', '36', 'Green', 'Stars, Tea', 'No']);
      await workbench.choose('Your name');
      await step('1/7');
      await typed().fill('Ada L.');
      await workbench.press('Enter');
      await step('7/7');
      await workbench.press('Enter');
      const text = await workbench.waitForEditorText('profile');
      assert.ok(
        text?.includes('"content":{"name":"Ada L.","age":36,"colour":"#0f0","topics":["Stars","Tea"],"news":false}'),
        text,
      );
    });

    it('Escape gives up without a word, Decline is an answer', async () => {
      await workbench.clickRow('Day');
      await until('the question', async () => (await message()).includes('Which day?'));
      await workbench.press('Escape');
      await hidden();
      await workbench.clickRow('Day');
      await until('the question', async () => (await message()).includes('Which day?'));
      await button('Decline').click();
      await workbench.waitForNotification('No input: decline');
      assert.equal((await workbench.notifications()).length, 1);
      assert.ok(!(await workbench.tabs()).some((name) => name.startsWith('Day') || name.startsWith('day')));
    });

    it('an address is shown whole with its host, and opened as it is after consent', async () => {
      /** @type {string[]} */
      const opened = [];
      await window.page.context().route('https://sign-in.example/**', (route) => {
        opened.push(route.request().url());
        return route.fulfill({ body: 'signed in' });
      });
      const before = await reads();
      await workbench.clickRow('Files');
      const text = await until('the dialog', () => workbench.dialogText());
      for (const part of [
        `Server "${era}" asks you to visit sign-in.example`,
        'Sign in to see your files.',
        `Address: ${address}`,
      ]) {
        assert.ok(text.includes(part), text);
      }
      await workbench.answerDialog('Open in Browser');
      // VS Code asks once more, for every site that is not trusted.
      await until('its own question', async () => (await workbench.dialogText())?.includes('external website'));
      await workbench.answerDialog('Open');
      await until('the visit', () => opened.length > 0);
      assert.deepEqual(opened, [address]);
      assert.equal(await reads(), before + 1);
      await until('the wait', async () => (await title()).includes('waits for your visit'));
      await window.page.bringToFront();
      await workbench.choose('Continue');
      await workbench.waitForEditorText('files');
      assert.equal(await reads(), before + 2);
    });

    it('an address that is no web address is refused with the reason', async () => {
      await workbench.clickRow('Local');
      await workbench.waitForNotification('Only http and https addresses are opened.');
      assert.equal(await workbench.dialogText(), undefined);
    });

    it('a slow read tells its progress, and Cancel ends it on the wire', async () => {
      await workbench.clickRow('Export');
      const { buttons } = await workbench.waitForNotification('Gathering (0 %)');
      assert.deepEqual(buttons, ['Cancel']);
      await workbench.waitForNotification('Packing (50 %)');
      await workbench.answerNotification('Packing', 'Cancel');
      await fixtures.servers[era].control.waitForRequest(({ method }) => method === 'notifications/cancelled');
      await until('silence', async () => (await workbench.notifications()).length === 0);
    });

    it('after a reload nothing pops up for a restored tab: its status says “input needed”', async () => {
      const { control } = fixtures.servers[era];
      assert.deepEqual(await workbench.tabs(), ['files']);
      const after = await control.mark();
      await workbench.reload();
      await control.waitForRequest('resources/read', { after, timeout: 30_000 });
      const status = window.page.locator('.statusbar-item a[aria-label*="input needed: Sign in to see your files."]');
      await status.waitFor({ timeout: 30_000 });
      assert.equal(await window.page.locator('.quick-input-widget').isVisible(), false);
      assert.equal(await workbench.dialogText(), undefined);
    });
  });
}
