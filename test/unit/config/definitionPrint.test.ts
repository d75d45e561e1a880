import assert from 'node:assert/strict';
import { canonicalJson, changedParts, printOf, settingNamesOf } from '../../../src/config/definitionPrint';
import type { Launch, ServerDefinition, StdioLaunch } from '../../../src/config/serverDefinition';

const stdio: StdioLaunch = {
  type: 'stdio',
  command: 'node',
  args: ['server.js', '--port', '1'],
  cwd: '/w',
  env: { KEY: 's3cret', MODE: 'a' },
  envFile: '.env',
};
const http: Launch = { type: 'http', url: 'https://x.example/mcp', headers: { Authorization: 'Bearer s3cret' } };

function definition(launch: Launch, more: Partial<ServerDefinition> = {}): ServerDefinition {
  return { id: 'a', name: 'a', source: { kind: 'workspace', label: 'x' }, launch, shadows: [], ...more };
}

describe('the print of a definition', () => {
  const before = printOf(definition(stdio));
  const changes: [string, Launch, string[]][] = [
    ['command', { ...stdio, command: 'node2' }, ['command']],
    ['an argument', { ...stdio, args: ['server.js', '--port', '2'] }, ['args']],
    ['the order of arguments', { ...stdio, args: ['--port', '1', 'server.js'] }, ['args']],
    ['two arguments in one', { ...stdio, args: ['server.js', '--port 1'] }, ['args']],
    ['no arguments', { ...stdio, args: [] }, ['args']],
    ['the folder', { ...stdio, cwd: '/w/' }, ['cwd']],
    ['no folder', { ...stdio, cwd: undefined }, ['cwd']],
    ['the value of a variable', { ...stdio, env: { ...stdio.env, KEY: 's3cret2' } }, ['env']],
    ['a removed variable', { ...stdio, env: { ...stdio.env, KEY: null } }, ['env']],
    ['the environment file', { ...stdio, envFile: '.env2' }, ['envFile']],
    ['all of it', http, ['transport', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers']],
  ];
  for (const [what, launch, parts] of changes) {
    it(`is another with ${what}, and tells so`, () => {
      const now = printOf(definition(launch));
      assert.notEqual(now.exact, before.exact);
      assert.deepEqual(changedParts(before, now), parts);
    });
  }

  it('is another with another address, header, client id, input or way to read variables', () => {
    const print = printOf(definition(http));
    const others = [
      definition({ ...http, type: 'sse' }),
      definition({ ...http, url: 'https://x.example/mcp2' }),
      definition({ ...http, headers: { Authorization: 'Bearer other' } }),
      definition({ ...http, oauth: { clientId: 'x' } }),
      definition(http, { inputs: [{ id: 'i', type: 'command', command: 'c' }] }),
      definition(http, { source: { kind: 'workspace', label: 'x', dialect: 'claude' } }),
    ];
    assert.equal(new Set([print, ...others.map((each) => printOf(each))].map(({ exact }) => exact)).size, 7);
    assert.deepEqual(
      others.map((each) => changedParts(print, printOf(each))),
      [['transport'], ['url'], ['headers'], ['oauth'], ['inputs'], []],
    );
  });

  it('is the same whatever order the fields have, and whatever place it stands in', () => {
    const { KEY, MODE } = stdio.env;
    const same = definition({ ...stdio, env: { MODE: MODE!, KEY: KEY! } }, { id: 'b', name: 'b' });
    assert.deepEqual(printOf(same), before);
  });

  it('holds digests alone, no secret', () => {
    for (const launch of [stdio, http]) {
      const { exact, parts } = printOf(definition(launch));
      assert.match(exact, /^[0-9a-f]{64}$/);
      assert.ok(Object.values(parts).every((each) => /^[0-9a-f]{16}$/.test(each)));
    }
  });

  it('is another when a setting that it names says something else', () => {
    const named = definition({ ...stdio, command: '${config:my.tool}', args: ['${config:my.tool}', '${input:x}'] });
    assert.deepEqual(settingNamesOf(named), ['my.tool']);
    const print = (value: string | undefined) => printOf(named, { 'my.tool': { value, ofWorkspace: true } });
    assert.notEqual(print('a').exact, print('b').exact);
    assert.deepEqual(changedParts(print('a'), print('b')), ['settings']);
    assert.deepEqual(changedParts(print(undefined), print('b')), ['settings']);
  });

  it('tells when its file sets other names, whatever their order, or decides otherwise what runs; and is as exact without', () => {
    const print = (names: string[], deciding = {}) => printOf(definition(stdio), {}, { names, deciding });
    assert.deepEqual(changedParts(print(['A', 'B']), print(['B', 'A'])), []);
    assert.deepEqual(changedParts(print(['A']), print(['A', 'B'])), ['envNames']);
    assert.deepEqual(changedParts(print(['PATH'], { PATH: 'a' }), print(['PATH'], { PATH: 'b' })), ['envNames']);
    assert.equal(print(['A']).exact, before.exact);
  });

  it('no key of an object is lost', () => {
    const odd = JSON.parse('{"__proto__":"x","b":1,"a":[{"d":1,"c":2}]}') as unknown;
    assert.equal(canonicalJson(odd), '{"__proto__":"x","a":[{"c":2,"d":1}],"b":1}');
  });
});
