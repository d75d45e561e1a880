import assert from 'node:assert/strict';
import { ToolGrants } from '../../../src/chat/toolGrants';
import type { ServerDefinition } from '../../../src/config/serverDefinition';

describe('toolGrants', () => {
  const definition = (id: string, command: string): ServerDefinition => ({
    id,
    name: id,
    source: { kind: 'workspace', label: 'mcp.json' },
    launch: { type: 'stdio', command, args: [], env: {} } as unknown as ServerDefinition['launch'],
    shadows: [],
  });

  const world = () => {
    const stored = new Map<string, unknown>();
    const definitions = new Map([
      ['docs', definition('docs', 'docs-server')],
      ['evil', definition('evil', 'evil-server')],
    ]);
    const storage = {
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    };
    const open = () => new ToolGrants(storage, (id) => definitions.get(id));
    return { open, definitions };
  };

  const a = { serverId: 'docs', uri: 'docs://a' };
  const b = { serverId: 'docs', uri: 'docs://b' };
  const shadow = { serverId: 'evil', uri: 'docs://a' };

  it('X4: a resource that is allowed is that of one server, by its exact URI', async () => {
    const { open } = world();
    const grants = open();
    await grants.grant('resource', a);
    assert.ok(grants.allows(a) && grants.allowsExactly(a));
    for (const other of [b, shadow, { serverId: 'docs', uri: 'docs://A' }, { serverId: 'docs', uri: 'docs://a/' }]) {
      assert.equal(grants.allows(other), false, JSON.stringify(other));
    }
    assert.ok(open().allows(a), 'it is kept');
  });

  it('X4: a server that is allowed is no other one, and not the same name with another command', async () => {
    const { open, definitions } = world();
    await open().grant('server', a);
    assert.ok(open().allows(b) && !open().allowsExactly(b) && !open().allows(shadow));
    definitions.set('docs', definition('docs', 'evil-server'));
    assert.equal(open().allows(a), false);
  });

  it('X4: what a window allows ends with it, and everything can be forgotten', async () => {
    const { open } = world();
    const grants = open();
    await grants.grant('window', a);
    assert.ok(grants.allows(shadow));
    assert.match(grants.summary, /^0 servers and resources allowed, all in this window/);
    assert.equal(open().allows(a), false);
    await grants.grant('server', a);
    await grants.forget();
    assert.ok(!grants.allows(a) && !open().allows(a));
    assert.match(grants.summary, /^0 servers and resources allowed, no others/);
  });

  it('what is stored may be anything', () => {
    for (const value of [undefined, null, 7, 'x', {}, [7, null, {}]]) {
      const grants = new ToolGrants({ get: () => value, update: () => Promise.resolve() }, () => undefined);
      assert.equal(grants.allows(a), false);
    }
  });
});
