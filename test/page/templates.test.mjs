import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { root } from '../host/bootstrap.mjs';
import { openWindow } from '../host/pageWindow.mjs';
import { fixtureServers } from './fixtureServers.mjs';
import { until } from './until.mjs';

const issues = Array.from({ length: 1234 }, (_, index) => `issue-${index}`);
const repos = {
  templates: [
    {
      uriTemplate: 'repo://{owner}/{name}{?issue,label}',
      title: 'Issue',
      description: 'An issue of a repository.',
      mimeType: 'text/plain',
      text: 'the text of {uri}',
      completions: {
        // Not in the order of the alphabet: the server knows best.
        owner: ['grace', 'alan', 'ada', 'ada-2'],
        name: { dependsOn: 'owner', values: { ada: ['engine', 'notes'], alan: ['machine'] } },
        issue: issues,
      },
    },
    {
      uriTemplate: 'files://{+path}',
      title: 'File',
      text: 'the text of {uri}',
      completions: { path: ['src/', 'src/b c/', 'src/b c/日.txt', 'README.md'] },
    },
    { uriTemplate: 'nowhere://{topic}', title: 'Nowhere' },
    { uriTemplate: 'bad://{id:abc}', title: 'Broken' },
  ],
};
const plain = {
  templates: [
    { uriTemplate: 'plain://e/{topic}', title: 'Plain', text: 'plain {uri}', annotations: { audience: ['user'] } },
  ],
  capabilities: { resources: {}, completions: {} },
  methods: { 'completion/complete': { error: { code: -32601, message: 'Method not found' } } },
};

describe('templates, by the keyboard', () => {
  /** @type {import('../host/pageWindow.mjs').PageWindow} */
  let window;
  /** @type {import('../host/workbench.mjs').Workbench} */
  let workbench;
  const fixtures = fixtureServers({
    repos: { era: 'modern', scenario: repos },
    plain: { era: 'legacy', scenario: plain },
  });
  const { control } = fixtures.servers.repos;

  before(async () => {
    window = await openWindow({
      settings: { 'workbench.editor.enablePreview': false },
      prepare: (workspace) => fixtures.configure(workspace),
    });
    workbench = window.workbench;
    await workbench.openView('MCP Resources');
    await workbench.expand('plain');
    await workbench.waitForRow('Templates');
    await workbench.expand('Templates');
    await workbench.waitForRow('Plain');
  });

  after(async () => {
    await window?.close();
    await fixtures.dispose();
  });

  const title = () => window.page.locator('.quick-input-title').innerText();
  const typed = () => window.page.locator('.quick-input-widget input[type=text]').first();
  const shot = (/** @type {string} */ name) => workbench.screenshot(path.join(root, `dist-test/templates-${name}.png`));
  const hidden = () => window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  const asked = async () => (await control.requests('completion/complete')).map(({ params }) => params);
  /** @param {string[]} wanted */
  const rows = (wanted) =>
    until(`the rows ${wanted.join(' | ')}`, async () => {
      const now = await workbench.choices();
      return now.join('\n').startsWith(wanted.join('\n')) && now;
    });
  /** @param {string} wanted */
  const placeholder = (wanted) =>
    until(`the placeholder ${wanted}`, async () => (await typed().getAttribute('placeholder'))?.startsWith(wanted));
  /** @param {string} label */
  const row = async (label) => (await workbench.rows()).find((each) => each.label === label);

  it('T9: a server that does not know completion takes plain input, without a word', async () => {
    await workbench.clickRow('Plain');
    await rows(['Type a value for topic']);
    await workbench.press('Enter');
    await window.page.keyboard.type('a/b');
    await rows(['Use “a/b”']);
    await workbench.press('Enter');
    await workbench.waitForEditorText('plain plain://e/a%2Fb');
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.waitForRow('a/b');
    // What the template is meant for, its instances are.
    await workbench.clickInlineAction('a/b', 'Attach to Chat');
    assert.match((await until('the question', () => workbench.dialogText())) ?? '', /Meant for the user.*plain:/);
    await workbench.answerDialog('Cancel');
    // Away from the other server, whose group has the same name.
    await workbench.clickRow('plain');
    await workbench.press('ArrowLeft');
  });

  it('T11: a template is a node with its parameters; a bad one says why', async () => {
    await workbench.expand('repos');
    await workbench.waitForRow('Templates');
    await workbench.expand('Templates');
    await workbench.waitForRow('Issue');
    assert.equal((await row('Issue'))?.description, '4 parameters: owner, name, issue, label');
    assert.equal((await row('File'))?.description, '1 parameter: path');
    assert.match((await row('Broken'))?.description ?? '', /cannot be used: Character \d+: in \{id:abc\}/);
    assert.deepEqual(await workbench.inlineActions('Issue'), ['Open From Template…']);
    assert.deepEqual(await workbench.inlineActions('Broken'), []);
    const tooltip = await workbench.tooltip('Issue');
    assert.match(tooltip, /Parameters: owner, name, issue \(optional\), label \(optional\)/);
    await shot('tree');
    await workbench.clickRow('Broken');
    assert.equal(await window.page.locator('.quick-input-widget').isVisible(), false);
  });

  it('T8, T9: values are suggested, by those chosen before; optional ones are skipped; the URI is shown', async () => {
    await workbench.clickRow('Nowhere');
    await rows(['Type a value for topic']);
    await workbench.press('Escape');
    await hidden();
    // Enter on the node, as a person without a mouse.
    for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) {
      await workbench.press(key);
    }
    await rows(['Type a value for owner', 'grace', 'alan', 'ada', 'ada-2']);
    assert.equal(await title(), 'Issue: repo://{owner}/{name} (1/4)');
    await placeholder('Value for {owner}');
    await shot('first');
    await window.page.keyboard.type('a');
    await rows(['Use “a”', 'alan', 'ada', 'ada-2']);
    await window.page.keyboard.type('d');
    await rows(['Use “ad”', 'ada', 'ada-2']);
    assert.equal((await workbench.choices()).length, 3);
    await workbench.press('ArrowDown');
    await until('the preview', async () => (await title()).includes('repo://ada/{name}'));
    await shot('typed');
    await workbench.press('Enter');

    await rows(['Type a value for name', 'engine', 'notes']);
    assert.equal(await title(), 'Issue: repo://ada/{name} (2/4)');
    await workbench.press('ArrowDown');
    await workbench.press('Enter');

    await placeholder('Value for {issue} (optional: leave empty to skip)');
    await rows(['Leave Out', 'issue-0', 'issue-1']);
    const words = window.page.locator('.quick-input-widget .quick-input-list-separator');
    await until('the number of all', async () =>
      (await words.allInnerTexts()).includes('Showing 100 of 1,234. Type to narrow.'),
    );
    await shot('more');
    await window.page.keyboard.type('issue-77');
    await rows(['Use “issue-77”', 'issue-770']);
    assert.equal(await title(), 'Issue: repo://ada/engine?issue=issue-77 (3/4)');
    await workbench.press('Enter');

    await placeholder('Value for {label}');
    await rows(['Leave Out']);
    await window.page.locator('.quick-input-titlebar .action-label[aria-label^="Back"]').click();
    await placeholder('Value for {issue}');
    assert.equal(await typed().inputValue(), 'issue-77');
    await workbench.press('Enter');
    await placeholder('Value for {label}');
    await workbench.press('Enter');
    await workbench.waitForEditorText('the text of repo://ada/engine?issue=issue-77');
    await workbench.waitForRow('ada, engine, issue-77');
    const contexts = (await asked()).map((params) => [params?.argument.name, params?.context?.arguments]);
    assert.deepEqual(contexts.find(([name]) => name === 'name')?.[1], { owner: 'ada' });
    assert.deepEqual(contexts.find(([name]) => name === 'label')?.[1], {
      owner: 'ada',
      name: 'engine',
      issue: 'issue-77',
    });
    const texts = (await asked()).flatMap(({ argument }) => (argument.name === 'owner' ? argument.value : []));
    // Not for what was taken before the typing had paused.
    const isTyped = texts.every((text) => 'ad'.startsWith(text));
    assert.ok(texts.length > 0 && texts.length <= 4 && isTyped, `asked when the typing paused: ${texts.join('|')}`);
    await shot('filled');
  });

  it('T9: the one suggestion that a text can mean is gone to; the text itself is one key away', async () => {
    await workbench.clickRow('Issue');
    await rows(['Type a value for owner', 'grace']);
    await window.page.keyboard.type('a');
    await rows(['Use “a”', 'alan', 'ada', 'ada-2']);
    assert.equal(await title(), 'Issue: repo://a/{name} (1/4)');
    await window.page.keyboard.type('l');
    await until('the one that is meant', async () => (await title()) === 'Issue: repo://alan/{name} (1/4)');
    await rows(['Use “al”', 'alan']);
    await workbench.press('ArrowUp');
    await until('the text', async () => (await title()) === 'Issue: repo://al/{name} (1/4)');
    await workbench.press('Backspace');
    await rows(['Use “a”', 'alan', 'ada', 'ada-2']);
    await until('none of several', async () => (await title()) === 'Issue: repo://a/{name} (1/4)');
    await window.page.keyboard.type('l');
    await until('again', async () => (await title()) === 'Issue: repo://alan/{name} (1/4)');
    await workbench.press('Backspace');
    await rows(['Use “a”', 'alan', 'ada', 'ada-2']);
    await until('none was gone to by the person', async () => (await title()) === 'Issue: repo://a/{name} (1/4)');
    await window.page.keyboard.type('l');
    await until('once more', async () => (await title()) === 'Issue: repo://alan/{name} (1/4)');
    await workbench.press('Enter');
    await rows(['Type a value for name', 'machine']);
    assert.equal(await title(), 'Issue: repo://alan/{name} (2/4)');
    await workbench.press('Escape');
    await hidden();
  });

  it('T9: a late answer for an old text never shows', async () => {
    await workbench.clickRow('Issue');
    await rows(['Type a value for owner', 'grace']);
    await control.hold('completion/complete');
    const mark = await control.mark();
    await window.page.keyboard.type('a');
    await control.waitForRequest('completion/complete', { after: mark });
    await window.page.keyboard.type('lan');
    await control.waitForRequest('completion/complete', { after: mark, count: 2 });
    await control.release('completion/complete');
    await rows(['Use “alan”']);
    await until(
      'the bar rests',
      async () => (await window.page.locator('.quick-input-widget .monaco-progress-container.active').count()) === 0,
    );
    assert.deepEqual(await workbench.choices(), ['Use “alan”']);
    await workbench.press('Escape');
    await hidden();
  });

  it('T7: a value that ends in a slash leads on, and slashes stay where the template says so', async () => {
    await workbench.clickRow('File');
    await rows(['Type a value for path', 'src/', 'src/b c/', 'src/b c/日.txt', 'README.md']);
    await workbench.choose('src/');
    await rows(['Use “src/”', 'src/b c/', 'src/b c/日.txt']);
    await workbench.press('ArrowDown');
    await workbench.press('Enter');
    await rows(['Use “src/b c/”', 'src/b c/日.txt']);
    await shot('folder');
    await workbench.press('ArrowDown');
    await workbench.press('Enter');
    await workbench.waitForEditorText('the text of files://src/b%20c/%E6%97%A5.txt');
  });

  it('T3, T5: where nothing is found the exact URI is told, and the values can be edited', async () => {
    await workbench.clickRow('Nowhere');
    await rows(['Type a value for topic']);
    await window.page.keyboard.type('a b#c?d%');
    await rows(['Use “a b#c?d%”']);
    await workbench.press('Enter');
    const { message, buttons } = await workbench.waitForNotification('found nothing at');
    assert.equal(message, 'The server "repos" found nothing at nowhere://a%20b%23c%3Fd%25');
    assert.deepEqual(buttons, ['Edit Values', 'Show Log']);
    // Until it stands still.
    await window.page.locator('.notification-list-item').first().hover();
    await shot('missing');
    await workbench.answerNotification('found nothing at', 'Edit Values');
    await rows(['Use “a b#c?d%”']);
    await workbench.press('Escape');
    await hidden();
    assert.equal((await row('Nowhere'))?.expanded, undefined, 'what was not found is not kept');
  });

  it('T1, T2: only what was given stands in the query', async () => {
    await workbench.runCommand('MCP Resources: Open From Template…');
    await workbench.choose('Issue');
    await rows(['Type a value for owner']);
    for (const text of ['x', 'y', '', 'a/b']) {
      await until('the next question', async () => (await typed().inputValue()) === '');
      const step = await title();
      if (text !== '') {
        await window.page.keyboard.type(text);
        await rows([`Use “${text}”`]);
      }
      await workbench.press('Enter');
      await until('an answer', async () => !(await typed().isVisible()) || (await title()) !== step);
    }
    await workbench.waitForEditorText('the text of repo://x/y?label=a%2Fb');
  });

  it('T11: an instance behaves like a resource, with values to edit and a name', async () => {
    const label = 'ada, engine, issue-77';
    assert.deepEqual(await workbench.inlineActions(label), ['Open Resource', 'Attach to Chat', 'Refresh']);
    const menu = (await workbench.contextMenu(label)).filter(Boolean);
    assert.deepEqual(menu, [
      'Open Resource',
      'Open to the Side',
      'Show Changes',
      'Attach to Chat',
      'Copy as Context',
      'Pin',
      'Refresh',
      'Search in Contents…',
      'Copy URI',
      'Copy as Markdown Link',
      'Copy Reference',
      'Save Resource As…',
      'Save Snapshot to Workspace…',
      'Edit Values…',
      'Rename…',
      'Remove',
    ]);
    await shot('menu');
    await workbench.chooseFromMenu('Rename…');
    await workbench.enter('My issue');
    await workbench.waitForRow('My issue');
    await workbench.contextMenu('My issue');
    await workbench.chooseFromMenu('Edit Values…');
    await rows(['Use “ada”']);
    await workbench.press('Enter');
    await rows(['Use “engine”']);
    await typed().fill('notes');
    await rows(['Use “notes”']);
    await workbench.press('Enter');
    await rows(['Use “issue-77”']);
    await workbench.press('Enter');
    await rows(['Leave Out']);
    await workbench.press('Enter');
    await workbench.waitForEditorText('the text of repo://ada/notes?issue=issue-77');
    assert.match(await workbench.tooltip('My issue'), /repo:\/\/ada\/notes\?issue=issue-77/);
    await workbench.contextMenu('src/b c/日.txt');
    await workbench.chooseFromMenu('Remove');
    await until('it is gone', async () => (await row('src/b c/日.txt')) === undefined);
    assert.equal((await row('File'))?.expanded, undefined);
  });

  it('T11: after a reload the instances are there, and open', async () => {
    await workbench.reload();
    await workbench.expand('repos');
    await workbench.waitForRow('Templates');
    await workbench.expand('Templates');
    await workbench.waitForRow('My issue');
    await workbench.waitForRow('x, y, a/b');
    await workbench.closeEditors();
    await workbench.clickRow('My issue');
    await workbench.waitForEditorText('the text of repo://ada/notes?issue=issue-77');
    await shot('reloaded');
  });

  it('T11: an instance is found by “Browse…”, which says what it was made from', async () => {
    await workbench.closeEditors();
    await until('no editor takes the focus any more', async () => (await workbench.tabs()).length === 0);
    await workbench.runCommand('MCP Resources: Browse…');
    await window.page.locator('.quick-input-title').getByText('Resources of').waitFor();
    await typed().fill('repos my issue');
    const found = window.page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'My issue' });
    await found.first().waitFor();
    assert.equal(await found.count(), 1);
    const words = (await found.locator('.label-description').innerText()).replaceAll('\u00a0', ' ');
    assert.equal(words, 'repos · repo://ada/notes?issue=issue-77 · from the template Issue');
    await shot('browse');
    await workbench.press('Enter');
    await workbench.waitForEditorText('the text of repo://ada/notes?issue=issue-77');
  });

  it('V1: the filter keeps templates by their words and by those of instances, and says how many', async () => {
    await workbench.runCommand('MCP Resources: Filter Resources…');
    await window.page.locator('.quick-input-title').getByText('Filter Resources').waitFor();
    await window.page.keyboard.type('my issue');
    await window.page.locator('.part.sidebar').getByText('Templates: 1 of 4.').waitFor();
    await until('the others are gone', async () => {
      const labels = (await workbench.rows()).map(({ label }) => label);
      return labels.includes('My issue') && !labels.includes('File') && !labels.includes('x, y, a/b');
    });
    assert.equal((await row('Templates'))?.description, '1 of 4 shown');
    await shot('filter');
    await typed().fill('nowhere');
    await until('another one', async () => (await row('Nowhere')) && !(await row('Issue')));
    await workbench.press('Escape');
    await workbench.waitForRow('My issue');
    assert.equal((await row('Templates'))?.description, '4');
  });

  it('V1: what the filter keeps of templates shows, a group without any does not, and all is as before after it', async () => {
    /** Each row with its depth, and a sign where it is folded. */
    const tree = async () =>
      (await workbench.rows()).map(
        ({ label, level, expanded }) => `${level} ${label}${expanded === false ? ' +' : ''}`,
      );
    const fold = async () => {
      await workbench.clickRow('Templates');
      await workbench.press('ArrowLeft');
    };
    await workbench.expand('plain');
    await workbench.waitForRow('Plain');
    await until('one group is folded', async () => {
      await fold();
      return (await tree()).includes('2 Templates +');
    });
    const before = await tree();
    await workbench.runCommand('MCP Resources: Filter Resources…');
    await window.page.locator('.quick-input-title').getByText('Filter Resources').waitFor();
    // Only an instance has this word.
    await window.page.keyboard.type('my issue');
    const found = '1 repos|2 Templates|3 Issue|4 My issue|1 plain|2 The filter hides all its templates (1).';
    await until(found, async () => (await tree()).join('|') === found).catch(async (error) => {
      throw new Error(`${error.message}; there are ${(await tree()).join('|')}`);
    });
    const sidebar = window.page.locator('.part.sidebar');
    await sidebar.getByText('Filtered by "my issue": 0 of 0 resources shown. Templates: 1 of 5.').waitFor();
    await typed().fill('a text of more than thirty characters');
    await sidebar.getByText(/Filtered by "a text of more than thirty c?h?…"/).waitFor();
    await workbench.press('Escape');
    await until('all is as before', async () => (await tree()).join('|') === before.join('|')).catch(async (error) => {
      throw new Error(`${error.message}; there were ${before.join('|')}, there are ${(await tree()).join('|')}`);
    });
    await workbench.expand('Templates');
    await workbench.waitForRow('My issue');
  });

  it('T5, T11: an instance that is no longer found can be edited', async () => {
    const [issue, ...others] = repos.templates;
    const { text, ...empty } = issue;
    assert.ok(text);
    await control.change({ templates: [empty, ...others] });
    await workbench.clickInlineAction('My issue', 'Refresh');
    await workbench.waitForNotification('repo://ada/notes?issue=issue-77');
    await workbench.clearNotifications();
    const gone = await until('its look', async () =>
      (await workbench.rows()).find(({ description }) => description.startsWith('not found')),
    );
    assert.deepEqual(await workbench.inlineActions(gone.label), ['Open Resource', 'Attach to Chat', 'Edit Values…']);
    await shot('gone');
    await workbench.clickRow(gone.label);
    const { message, buttons } = await workbench.waitForNotification('found nothing at');
    assert.equal(message, 'The server "repos" found nothing at repo://ada/notes?issue=issue-77');
    assert.deepEqual(buttons, ['Edit Values', 'Show Log']);
    await workbench.clearNotifications();
  });

  it('T11: instances of a template that is no longer listed wait for it', async () => {
    await control.change({ templates: repos.templates.slice(1) });
    await control.notify('notifications/resources/list_changed');
    await until('it is gone', async () => (await row('Issue')) === undefined);
    assert.equal(await row('x, y, a/b'), undefined);
    await control.change({ templates: repos.templates });
    await control.notify('notifications/resources/list_changed');
    await workbench.waitForRow('Issue');
    await workbench.waitForRow('x, y, a/b');
  });
});
