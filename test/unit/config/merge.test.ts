import assert from 'node:assert/strict';
import { parseServersFile, parseServersSetting, type ServerList } from '../../../src/config/dialect';
import { folderLabels, type Folder, locations } from '../../../src/config/locations';
import { userFileOf } from '../../../src/config/places';
import { keepUnchanged, type LocatedServers, mergeDefinitions } from '../../../src/config/merge';
import type { ServerDefinition } from '../../../src/config/serverDefinition';

const docs: Folder = { name: 'docs', path: '/w/docs' };
const code: Folder = { name: 'code', path: '/w/code' };

/** The setting, `.vscode/mcp.json` and the user's file, with what stands in each of them, in the order of precedence. */
function places(
  lists: (Record<string, unknown> | ServerList)[],
  folders = [docs],
  multiRoot = false,
): LocatedServers[] {
  const all = locations({ folders, multiRoot, userFile: '/u/mcp.json' });
  const own = all.filter(({ source: { label } }) => !/\.mcp\.json$|\.cursor/.test(label));
  return own.map((location, index) => {
    const list = lists[index] ?? {};
    return { location, list: Array.isArray(list.entries) ? (list as ServerList) : parseServersSetting(list) };
  });
}

function commandOf({ launch }: ServerDefinition): string | undefined {
  return launch?.type === 'stdio' ? launch.command : undefined;
}

const x = { command: 'x' };

describe('locations', () => {
  it('are the setting, each folder’s file and the user’s file', () => {
    const found = locations({ folders: [docs, code], multiRoot: true, userFile: '/u/mcp.json' });
    assert.deepEqual(
      found.map(({ source, idPrefix }) => [source.kind, source.label, source.file, source.folder?.name, idPrefix]),
      [
        ['setting', 'setting mcpResources.servers', undefined, 'docs', ''],
        ['workspace', 'docs/.vscode/mcp.json', '/w/docs/.vscode/mcp.json', 'docs', 'docs/'],
        ['workspace', 'docs/.mcp.json', '/w/docs/.mcp.json', 'docs', 'docs/'],
        ['workspace', 'docs/.cursor/mcp.json', '/w/docs/.cursor/mcp.json', 'docs', 'docs/'],
        ['workspace', 'code/.vscode/mcp.json', '/w/code/.vscode/mcp.json', 'code', 'code/'],
        ['workspace', 'code/.mcp.json', '/w/code/.mcp.json', 'code', 'code/'],
        ['workspace', 'code/.cursor/mcp.json', '/w/code/.cursor/mcp.json', 'code', 'code/'],
        ['user', 'user mcp.json', '/u/mcp.json', 'docs', ''],
      ],
    );
  });

  it('need neither a folder nor a user file', () => {
    const found = locations({ folders: [], multiRoot: false, userFile: undefined });
    assert.deepEqual(
      found.map(({ source }) => [source.kind, source.folder]),
      [['setting', undefined]],
    );
  });

  it('find the user’s file beside the user’s settings', () => {
    assert.equal(userFileOf('/data/User/globalStorage/us.ext', { platform: 'linux' }), '/data/User/mcp.json');
  });
});

describe('folderLabels', () => {
  it('are the names', () => {
    assert.deepEqual(folderLabels([docs, code]), ['docs', 'code']);
  });

  it('tell folders of one name apart by their path, whatever their order', () => {
    const a = { name: 'docs', path: '/a/docs' };
    const b = { name: 'docs', path: '/b/docs' };
    const [first, second] = folderLabels([a, b]);
    assert.match(first ?? '', /^docs~[0-9a-f]{6}$/);
    assert.notEqual(first, second);
    assert.deepEqual(folderLabels([b, code, a]), [second, 'code', first]);
  });

  it('never contain a slash, so that a server’s name cannot reach into another folder', () => {
    const labels = folderLabels([
      { name: 'a', path: '/a' },
      { name: 'a/b', path: '/b' },
      { name: 'a~b', path: '/c' },
    ]);
    assert.equal(new Set(labels).size, 3);
    assert.ok(labels.every((label) => !label.includes('/')));
  });
});

describe('mergeDefinitions', () => {
  it('the setting wins over the workspace, and that over the user; the winner names the others', () => {
    const merged = mergeDefinitions(
      places([
        { a: { command: 'setting' } },
        { a: { command: 'workspace' }, b: { command: 'workspace' } },
        { a: { command: 'user' }, b: { command: 'user' }, c: { command: 'user' } },
      ]),
    );
    assert.deepEqual(
      merged.map((definition) => [definition.id, commandOf(definition), definition.shadows.map(({ kind }) => kind)]),
      [
        ['a', 'setting', ['workspace', 'user']],
        ['b', 'workspace', ['user']],
        ['c', 'user', []],
      ],
    );
  });

  it('a broken entry wins by its place too and is shown with its reason', () => {
    const [a] = mergeDefinitions(places([{ a: { command: 1 } }, { a: x }]));
    assert.equal(a?.launch, undefined);
    assert.equal(
      a?.error,
      'Server "a": "command" must be a string, but it is a number (setting mcpResources.servers).',
    );
    assert.equal(a?.shadows.length, 1);
  });

  it('folders of a multi-root workspace never shadow each other', () => {
    const merged = mergeDefinitions(places([{}, { a: x }, { a: x }, { a: x }], [docs, code], true));
    assert.deepEqual(
      merged.map(({ id, name, shadows, source }) => [id, name, shadows.length, source.folder?.name]),
      [
        ['docs/a', 'a', 0, 'docs'],
        ['code/a', 'a', 0, 'code'],
        ['a', 'a', 0, 'docs'],
      ],
    );
  });

  it('an id does not depend on other entries: one folder of a multi-root workspace has its prefix as well', () => {
    assert.deepEqual(
      mergeDefinitions(places([{}, { a: x }], [docs], true)).map(({ id }) => id),
      ['docs/a'],
    );
  });

  it('a name with a slash that coincides with a folder’s id is that id: one server, by precedence', () => {
    const merged = mergeDefinitions(places([{ 'docs/a': { command: 'setting' } }, { a: x }], [docs, code], true));
    assert.deepEqual(
      merged.map((definition) => [definition.id, commandOf(definition), definition.shadows.length]),
      [['docs/a', 'setting', 1]],
    );
  });

  it('C4: a file’s own fault is a definition of its own beside the entries that stand before it', () => {
    const broken = parseServersFile('{ "servers": {\n"a": { "command": "x" }\n"b": { "command": "x" } } }');
    const merged = mergeDefinitions(places([{}, broken]));
    assert.deepEqual(
      merged.map(({ id, launch }) => [id, launch !== undefined]),
      [
        ['.vscode/mcp.json', false],
        ['a', true],
      ],
    );
    assert.equal(merged[0]?.error, 'The file is not valid JSON: a comma is missing (.vscode/mcp.json, line 3).');
  });

  it('samples come last: whatever is configured under their id wins', () => {
    const sample: ServerDefinition = {
      id: 'sample',
      name: 'sample',
      source: { kind: 'sample', label: 'sample server' },
      launch: { type: 'stdio', command: 'sample', args: [], env: {} },
      shadows: [],
    };
    assert.deepEqual(mergeDefinitions(places([{ a: x }]), [sample]).at(-1), sample);
    const [user] = mergeDefinitions(places([{}, {}, { sample: { command: 'user' } }]), [sample]);
    assert.equal(user && commandOf(user), 'user');
    assert.deepEqual(user?.shadows, [sample.source]);
  });

  it('a server may be called __proto__', () => {
    const list = parseServersFile('{"servers":{"__proto__":{"command":"x"}}}');
    assert.deepEqual(
      mergeDefinitions(places([{}, list])).map(({ id }) => id),
      ['__proto__'],
    );
  });
});

describe('keepUnchanged', () => {
  const read = (servers: Record<string, unknown>): ServerDefinition[] => mergeDefinitions(places([servers]));

  it('is the previous list itself where nothing changed', () => {
    const before = read({ a: x, b: x });
    assert.equal(keepUnchanged(before, read({ a: x, b: x })), before);
  });

  it('keeps the objects of what did not change', () => {
    const before = read({ a: x, b: x });
    const after = keepUnchanged(before, read({ a: x, b: { command: 'y' } }));
    assert.notEqual(after, before);
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
  });

  it('notices a removal, a new order and a change of what is shadowed', () => {
    const before = read({ a: x, b: x });
    assert.notEqual(keepUnchanged(before, read({ a: x })), before);
    assert.notEqual(keepUnchanged(before, read({ b: x, a: x })), before);
    assert.notEqual(keepUnchanged(before, mergeDefinitions(places([{ a: x, b: x }, { a: x }]))), before);
  });
});
