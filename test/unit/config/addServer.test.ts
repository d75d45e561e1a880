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

  const example = (indent: string, unit: string, eol = '\n'): string =>
    ['"my-server": {', '\t"type": "stdio",', '\t"command": "npx",', '\t"args": [', '\t\t"-y",']
      .concat('\t\t"@modelcontextprotocol/server-everything"', '\t]', '}')
      .map((line) => indent + line.replaceAll('\t', unit))
      .join(eol);
  const whole: Readonly<Record<string, readonly [before: string, after: string]>> = {
    'an entry on one line': [
      '{\n  "servers": {\n    "web": { "url": "http://x", "headers": { "a":"b" } }\n  }\n}\n',
      `{\n  "servers": {\n    "web": { "url": "http://x", "headers": { "a":"b" } },\n${example('    ', '  ')}\n  }\n}\n`,
    ],
    'comments and a comma at the end': [
      '{\n\t"servers": {\n\t\t"a": {"command":"x"} , // of a\n\t\t// "b": {}\n\n\t}, // end\n}',
      `{\n\t"servers": {\n\t\t"a": {"command":"x"} , // of a\n\t\t// "b": {}\n${example('\t\t', '\t')},\n\n\t}, // end\n}`,
    ],
    'a comment that belongs to the last entry': [
      '{\r\n "servers":\r\n {\r\n  "a": {} // of a, not b\r\n }\r\n}',
      `{\r\n "servers":\r\n {\r\n  "a": {}, // of a, not b\r\n${example('  ', ' ', '\r\n')}\r\n }\r\n}`,
    ],
    'a list on one line': [
      '{\n  "servers": {"a":{"args":[1,2]}}, "inputs": [ ]\n}',
      `{\n  "servers": {"a":{"args":[1,2]},\n${example('    ', '  ')}\n  }, "inputs": [ ]\n}`,
    ],
    'no list yet': [
      '\uFEFF{\n    /* why */ "inputs": [ {"id":"a"} ]\n}',
      `\uFEFF{\n    /* why */ "inputs": [ {"id":"a"} ],\n    "servers": {\n${example('        ', '    ')}\n    }\n}`,
    ],
    'a name that stands there twice, of which the last counts': [
      '{\n\t"servers": {},\n\t"servers": {}\n}',
      `{\n\t"servers": {},\n\t"servers": {\n${example('\t\t', '\t')}\n\t}\n}`,
    ],
  };
  for (const [title, [before, after]] of Object.entries(whole)) {
    it(`C4: touches nothing but the new entry: ${title}`, () => assert.equal(addServer(before).text, after));
  }

  it('C4: any file, however it is laid out, holds the very same characters, and the new entry between them', () => {
    const space = fc.constantFrom('', ' ', '\t', '\n', '\r\n', '\n  ', ' /* c , } */ ', ' // c } ,\n', '  \n\n    ');
    const value = fc.constantFrom(
      '{}',
      '{"command":"x"}',
      '{ "url" : "http://x" ,"headers":{ } }',
      '{\n"args": [1, 2,] ,}',
    );
    const entry = fc.tuple(space, value, space).map(([before, each, after]) => ({ before, each, after }));
    const listed = fc.tuple(fc.array(entry, { maxLength: 3 }), space, fc.boolean()).map(([entries, end, comma]) => {
      const all = entries.map(({ before, each, after }, at) => `${before}"s${at}"${after}:${each}${before}`);
      return `{${all.join(',')}${comma && all.length > 0 ? ',' : ''}${end}}`;
    });
    const file = fc
      .tuple(fc.constantFrom('', '\uFEFF'), space, fc.option(listed), space, space, fc.constantFrom('', '"inputs":[ ]'))
      .map(([mark, a, list, b, c, other]) => {
        const own = list === null ? [] : [`"servers"${b}:${list}`];
        return `${mark}${a}{${c}${[...own, ...(other ? [other] : [])].join(b + ',' + a)}${c}}${b}`;
      });
    fc.assert(
      fc.property(file, (before) => {
        const { text, name } = addServer(before);
        const found = parseServersFile(text);
        assert.equal(found.error, undefined);
        const old = parseServersFile(before).entries.map((each) => each.name);
        assert.deepEqual(
          found.entries.map((each) => each.name),
          [...old, name],
        );
        // The entry, and a comma before it perhaps: both gone, the rest is what was there.
        const start = /(?:\r?\n)[ \t]*(?:"servers": \{\s*)?"my-server": \{/.exec(text)!.index;
        const rest = text.slice(start);
        const taken = text.length - before.length;
        const without = [
          text.slice(0, start) + rest.slice(taken),
          ...[...text.slice(0, start).matchAll(/,/g)].map(
            ({ index }) => text.slice(0, index) + text.slice(index + 1, start) + rest.slice(taken - 1),
          ),
        ];
        assert.ok(without.includes(before), text);
      }),
      { numRuns: 1000 },
    );
  });

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
