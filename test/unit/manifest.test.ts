import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readerName } from '../../src/chat/referenceText';
import { commandIds, contextKeys, extensionId, schemes, settingIds, toolNames, viewIds } from '../../src/ids';

interface Manifest {
  name: string;
  publisher: string;
  activationEvents: string[];
  engines: { vscode: string };
  enabledApiProposals?: unknown;
  contributes: {
    commands: { command: string; title: string; category: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    views: Record<string, { id: string; name: string }[]>;
    viewsWelcome: { contents: string; when: string }[];
    languageModelTools: {
      name: string;
      toolReferenceName: string;
      modelDescription: string;
      userDescription: string;
    }[];
    configuration: { properties: Record<string, unknown> };
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const strings = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
const { contributes } = manifest;

describe('the manifest', () => {
  it('declares each command of ids.ts and no other', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), Object.values(commandIds).sort());
  });

  it('declares each view and setting of ids.ts and no other', () => {
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(views, Object.values(viewIds));
    assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), Object.values(settingIds).sort());
  });

  it('declares each tool of ids.ts and no other; references name the one that reads', () => {
    const tools = contributes.languageModelTools;
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.values(toolNames).sort());
    const reader = tools.find(({ name }) => name === toolNames.read);
    assert.equal(reader?.toolReferenceName, readerName);
    assert.ok(reader.modelDescription.includes(`#${readerName} {"server"`));
    // Without it VS Code does not let a prompt refer to the tool.
    assert.ok(tools.every(({ userDescription }) => userDescription !== ''));
  });

  it('uses only context keys of ids.ts and views that exist', () => {
    const known = new Set<string>([...Object.values(contextKeys), ...Object.values(viewIds)]);
    const whens = [...Object.values(contributes.menus).flat(), ...contributes.viewsWelcome].map(
      ({ when }) => when ?? '',
    );
    const used = whens.flatMap((when) => when.match(/mcpResources\.\w+/g) ?? []);
    assert.ok(used.length > 0);
    assert.deepEqual(
      used.filter((key) => !known.has(key)),
      [],
    );
  });

  it('A11: offers references only where a chat can resolve them', () => {
    const items = Object.values(contributes.menus)
      .flat()
      .filter(({ command }) => command === commandIds.copyReference);
    assert.ok(items.some(({ when }) => when !== 'false'));
    for (const { when = '' } of items) {
      assert.ok(when === 'false' || when.split(' && ').includes(contextKeys.referencesRead), when);
    }
  });

  it('hides commands that need an item from the palette', () => {
    const hidden = contributes.menus
      .commandPalette!.filter(({ when }) => when === 'false')
      .map(({ command }) => command);
    for (const command of [commandIds.open, commandIds.attach, commandIds.refresh, commandIds.editValues]) {
      assert.ok(hidden.includes(command), command);
    }
  });

  it('shows at most three inline actions on a node', () => {
    const inline = contributes.menus['view/item/context']!.filter((item) =>
      (item as { group?: string }).group?.startsWith('inline'),
    );
    const kinds = ['resource', 'startable', 'stoppable', 'listable', 'failed'];
    const countFor = (words: string) => {
      const context = { words };
      return inline.filter(({ when }) => {
        const pattern = /viewItem =~ \/(.+?)\/(?:$| )/.exec(when ?? '')?.[1];
        return pattern !== undefined && new RegExp(pattern).test(context.words);
      }).length;
    };
    assert.ok(kinds.length > 0 && countFor('resource') === 3);
    for (const words of [
      'pin',
      'lost',
      'pinned resource',
      'pinned filled resource missing',
      'template',
      'filled resource',
      'filled resource missing',
      'server startable defined',
      'server stoppable listable defined',
      'server startable failed defined',
      'server failed signIn defined',
      'server failed input defined',
      'server stoppable listable signIn defined',
    ]) {
      assert.ok(countFor(words) <= 3, words);
    }
  });

  it('has a string for every placeholder, and no string too many', () => {
    const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]!));
    assert.deepEqual([...used].sort(), Object.keys(strings).sort());
  });

  it('is activated for both schemes, proposes nothing, and is the extension that ids.ts names', () => {
    for (const scheme of Object.values(schemes)) {
      assert.ok(manifest.activationEvents.includes(`onFileSystem:${scheme}`));
    }
    assert.equal(manifest.enabledApiProposals, undefined);
    assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
    assert.equal(manifest.engines.vscode, '^1.103.0');
  });
});
