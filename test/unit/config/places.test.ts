import assert from 'node:assert/strict';
import { parseServersFile } from '../../../src/config/dialect';
import { locations } from '../../../src/config/locations';
import { mergeDefinitions } from '../../../src/config/merge';
import { type Machine, places, toolPlaces, userFileAt, userFileOf } from '../../../src/config/places';
import { ToolChoice } from '../../../src/config/toolChoice';
import { resolveLaunch } from '../../../src/config/variables';

const linux: Machine = { platform: 'linux', userHome: '/home/me', env: {} };
const mac: Machine = { platform: 'darwin', userHome: '/Users/me', env: { XDG_CONFIG_HOME: '/not/here' } };
const windows: Machine = { platform: 'win32', userHome: 'C:\\Users\\me', env: { APPDATA: 'D:\\Roaming' } };

describe('the places of other tools', () => {
  const table: [string, Machine, string][] = [
    ['cursor', linux, '/home/me/.cursor/mcp.json'],
    ['cursor', mac, '/Users/me/.cursor/mcp.json'],
    ['cursor', windows, 'C:\\Users\\me\\.cursor\\mcp.json'],
    ['windsurf', linux, '/home/me/.codeium/windsurf/mcp_config.json'],
    ['windsurf', mac, '/Users/me/.codeium/windsurf/mcp_config.json'],
    ['windsurf', windows, 'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json'],
    ['claudeDesktop', linux, '/home/me/.config/Claude/claude_desktop_config.json'],
    ['claudeDesktop', { ...linux, env: { XDG_CONFIG_HOME: '/cfg' } }, '/cfg/Claude/claude_desktop_config.json'],
    [
      'claudeDesktop',
      { ...linux, env: { XDG_CONFIG_HOME: 'x' } },
      '/home/me/.config/Claude/claude_desktop_config.json',
    ],
    ['claudeDesktop', mac, '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claudeDesktop', windows, 'D:\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claudeDesktop', { ...windows, env: {} }, 'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
  ];
  for (const [id, machine, path] of table) {
    it(`${id} on ${machine.platform}: ${path}`, () => {
      assert.equal(toolPlaces.find((place) => place.id === id)?.path(machine), path);
    });
  }

  it('have an id and a label of their own', () => {
    assert.equal(new Set(places.map(({ id }) => id)).size, places.length);
    assert.equal(new Set(places.map(({ label }) => label)).size, places.length);
  });
});

describe('the place of the user’s file', () => {
  it('is beside the user’s settings', () => {
    assert.equal(userFileOf('/data/User/globalStorage/us.ext', linux), '/data/User/mcp.json');
    assert.equal(userFileOf('C:\\Code\\User\\globalStorage\\us.ext', windows), 'C:\\Code\\User\\mcp.json');
  });

  const table: [unknown, Machine, string | undefined][] = [
    ['', linux, undefined],
    [undefined, linux, undefined],
    [5, linux, undefined],
    ['/etc/mcp.json', linux, '/etc/mcp.json'],
    [' ~/my/mcp.json ', linux, '/home/me/my/mcp.json'],
    ['${userHome}/mcp.json', mac, '/Users/me/mcp.json'],
    ['dot/mcp.json', linux, '/home/me/dot/mcp.json'],
    ['~user/mcp.json', linux, '/home/me/~user/mcp.json'],
    ['E:\\mcp.json', windows, 'E:\\mcp.json'],
    ['~\\mcp.json', windows, 'C:\\Users\\me\\mcp.json'],
  ];
  for (const [setting, machine, path] of table) {
    it(`is ${path} where ${JSON.stringify(setting)} is set on ${machine.platform}`, () => {
      assert.equal(userFileAt(setting, machine), path);
    });
  }
});

describe('locations of other tools', () => {
  const [cursor] = toolPlaces;
  const tools = [{ place: cursor!, file: '/home/me/.cursor/mcp.json' }];

  it('come last, in a remote window with the words that they are the remote machine’s', () => {
    const found = locations({ folders: [], multiRoot: false, userFile: '/u/mcp.json', tools, remote: 'ssh' });
    assert.deepEqual(
      found.map(({ source: { kind, label } }) => [kind, label]),
      [
        ['setting', 'setting mcpResources.servers'],
        ['user', 'user mcp.json of the remote machine (ssh)'],
        ['tool', 'Cursor’s configuration of the remote machine (ssh)'],
      ],
    );
  });

  it('are there once where the home folder is open as a workspace folder', () => {
    const home = { name: 'me', path: '/home/me' };
    const files = locations({ folders: [home], multiRoot: false, userFile: undefined, tools }).map(
      ({ source }) => source.file,
    );
    assert.equal(files.filter((file) => file === '/home/me/.cursor/mcp.json').length, 1);
  });

  it('count after the workspace’s and the user’s', () => {
    const folders = [{ name: 'w', path: '/w' }];
    const all = locations({ folders, multiRoot: false, userFile: '/u/mcp.json', tools });
    const list = parseServersFile('{ "mcpServers": { "a": { "command": "x" } } }');
    const [a] = mergeDefinitions(all.slice(1).map((location) => ({ location, list })));
    assert.deepEqual(
      [a?.source, ...(a?.shadows ?? [])].map((source) => source?.label),
      ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json', 'user mcp.json', 'Cursor’s configuration'],
    );
  });
});

describe('dialects', () => {
  const launchOf = (text: string, dialect: 'claude' | 'windsurf' | 'vscode') => {
    const [entry] = parseServersFile(text, dialect).entries;
    const source = { kind: 'tool', label: 'x', dialect } as const;
    const context = { ...linux, env: { KEY: 'k', EMPTY: '' } };
    return resolveLaunch({ id: 'a', name: 'a', source, launch: entry?.launch, shadows: [] }, context);
  };

  it('Claude: a bare name is a variable of the environment, and may have something in its stead', () => {
    const text =
      '{ "mcpServers": { "a": { "command": "x", "args": ["${KEY}", "${NO:-else}", "${EMPTY:-}", "${KEY:-else}"] } } }';
    const launch = launchOf(text, 'claude');
    assert.deepEqual(launch.type === 'stdio' && launch.args, ['k', 'else', '', 'k']);
    assert.throws(
      () => launchOf('{ "mcpServers": { "a": { "command": "${NO}" } } }', 'claude'),
      /\$\{NO\} in command has no/,
    );
    assert.throws(() => launchOf('{ "mcpServers": { "a": { "command": "${KEY}" } } }', 'vscode'), /is not known here/);
  });

  it('Windsurf: serverUrl is the url, and what is disabled is left out', () => {
    const launch = launchOf('{ "mcpServers": { "a": { "serverUrl": "https://h/mcp" } } }', 'windsurf');
    assert.equal(launch.type === 'http' && launch.url, 'https://h/mcp');
    const list = parseServersFile('{ "mcpServers": { "a": { "command": "x", "disabled": true } } }', 'windsurf');
    assert.deepEqual(list, { entries: [], error: undefined });
  });
});

describe('the choice of other tools', () => {
  it('is remembered, can be taken back, and is told', async () => {
    const kept = new Map<string, unknown>();
    const memory = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    const choice = new ToolChoice(memory);
    let told = 0;
    choice.onDidChange(() => (told += 1));
    assert.equal(choice.answer('cursor'), undefined);
    await choice.set({ cursor: true });
    await choice.set({ windsurf: false });
    assert.deepEqual(
      ['cursor', 'windsurf', 'other'].map((id) => new ToolChoice(memory).answer(id)),
      [true, false, undefined],
    );
    await choice.set({ cursor: false });
    assert.equal(choice.answer('cursor'), false);
    assert.equal(told, 3);
    assert.equal(new ToolChoice({ ...memory, get: () => 'broken' }).answer('cursor'), undefined);
  });
});
