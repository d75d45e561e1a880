import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HumanError } from '../../../src/base/errors';
import { addServer } from '../../../src/config/addServer';
import { parseServersFile } from '../../../src/config/dialect';

describe('addServer', () => {
  it('makes a whole file out of nothing', () => {
    const { text, name, offset } = addServer('');
    assert.equal(
      text,
      '{\n\t"servers": {\n\t\t"my-server": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "npx",\n\t\t\t"args": [\n' +
        '\t\t\t\t"-y",\n\t\t\t\t"@modelcontextprotocol/server-everything"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    );
    assert.equal(text.slice(offset, offset + name.length), 'my-server');
  });

  const kept = [
    '// only a comment\n',
    '{}',
    '{ "inputs": [] }',
    '{\n  // why\n  "servers": {\n    "a": { "command": "x" }, // here\n    /* last */\n  },\n}\n',
    '{\r\n    "mcpServers": {\r\n        "a": { "command": "x" }\r\n    }\r\n}\r\n',
    '{ "servers": { // none yet\n } }',
    '\uFEFF{\n\t"servers": {}\n}',
    '{ "mcpServers": {}, "servers": { "my-server": { "command": "x" } } }',
  ];
  for (const before of kept) {
    it(`C4: keeps everything of ${JSON.stringify(before)}`, () => {
      const { text, name, offset } = addServer(before);
      const body = text.replace(/^\uFEFF/, '');
      assert.equal(body.slice(offset - 1, offset + name.length + 1), `"${name}"`);
      const { entries, error } = parseServersFile(text);
      assert.equal(error, undefined);
      const old = parseServersFile(before).entries.map((entry) => entry.name);
      assert.deepEqual(entries.map((entry) => entry.name).sort(), [...old, name].sort());
      for (const comment of before.match(/\/\/.*|\/\*.*?\*\//g) ?? []) {
        assert.ok(text.includes(comment.trimEnd()), comment);
      }
      assert.equal(text.startsWith('\uFEFF'), before.startsWith('\uFEFF'));
      assert.equal(/[^\r]\n/.test(text), !before.includes('\r\n'));
    });
  }

  it('indents as the file does', () => {
    assert.match(addServer('{\n  "servers": {\n  }\n}').text, /\n {4}"my-server": \{\n {6}"type"/);
  });

  it('takes a name that is free', () => {
    let text = '';
    for (let count = 0; count < 3; count++) {
      text = addServer(text).text;
    }
    assert.deepEqual(
      parseServersFile(text).entries.map(({ name }) => name),
      ['my-server', 'my-server-2', 'my-server-3'],
    );
  });

  for (const text of ['{', '[]', '"x"', '{ "servers": [] }', '{ "servers": { "a": } }', '{} {}']) {
    it(`refuses ${text} rather than spoil it`, () => {
      assert.throws(() => addServer(text), HumanError);
    });
  }

  it('adds exactly one entry to any valid file', () => {
    const servers = fc.dictionary(fc.string({ minLength: 1 }), fc.constant({ command: 'x' }));
    const space = fc.constantFrom(undefined, 2, 4, '\t');
    fc.assert(
      fc.property(servers, space, (list, indent) => {
        const before = JSON.stringify({ servers: list, inputs: [] }, null, indent);
        const { text, name } = addServer(before);
        const found = parseServersFile(text);
        assert.equal(found.error, undefined);
        assert.deepEqual(new Set(found.entries.map((entry) => entry.name)), new Set([...Object.keys(list), name]));
      }),
    );
  });
});
