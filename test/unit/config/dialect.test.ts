import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseServersFile, parseServersSetting, type ServerEntry, type ServerList } from '../../../src/config/dialect';
import type { Launch } from '../../../src/config/serverDefinition';

function launches(list: ServerList): Record<string, Launch | undefined> {
  return Object.fromEntries(list.entries.map(({ name, launch }) => [name, launch]));
}

function entry(list: ServerList, name: string): ServerEntry {
  const found = list.entries.find((each) => each.name === name);
  assert.ok(found, `no entry ${name}`);
  return found;
}

const local: Launch = { type: 'stdio', command: 'x', args: [], cwd: undefined, env: {}, envFile: undefined };
const remote: Launch = { type: 'http', url: 'https://h/mcp', headers: {} };

describe('parseServersFile', () => {
  it('reads every field of both kinds', () => {
    const list = parseServersFile(`{ "servers": {
      "a": { "type": "stdio", "command": "npx", "args": ["-y", "p"], "cwd": "/w", "envFile": ".env",
             "env": { "S": "s", "N": 1, "R": null, "E": "" } },
      "b": { "type": "sse", "url": "https://h/sse?x=1", "headers": { "Authorization": "Bearer x" } } } }`);
    assert.equal(list.error, undefined);
    assert.deepEqual(launches(list), {
      a: {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'p'],
        cwd: '/w',
        env: { S: 's', N: 1, R: null, E: '' },
        envFile: '.env',
      },
      b: { type: 'sse', url: 'https://h/sse?x=1', headers: { Authorization: 'Bearer x' } },
    });
  });

  const types: [string, Launch][] = [
    ['{ "command": "x" }', local],
    ['{ "url": "https://h/mcp" }', remote],
    ['{ "command": "x", "url": "https://h/mcp" }', local],
    ['{ "type": "http", "command": "x", "url": "https://h/mcp" }', remote],
    ['{ "type": "streamable-http", "url": "https://h/mcp" }', remote],
    ['{ "type": "streamableHttp", "url": "https://h/mcp" }', remote],
    ['{ "type": "sse", "url": "https://h/mcp" }', { ...remote, type: 'sse' }],
    ['{ "url": "https://h/mcp", "oauth": { "clientId": "c" } }', { ...remote, oauth: { clientId: 'c' } }],
    ['{ "url": "https://h/mcp", "oauth": { "clientId": "", "enterpriseManaged": true } }', remote],
    ['{ "command": "x", "cwd": "", "envFile": "", "dev": { "watch": 1 } }', local],
  ];
  for (const [text, launch] of types) {
    it(`understands ${text}`, () => {
      assert.deepEqual(parseServersFile(`{ "servers": { "a": ${text} } }`).entries[0]?.launch, launch);
    });
  }

  it('C12: the root key may be servers or mcpServers, and servers counts where both have a name', () => {
    assert.deepEqual(launches(parseServersFile('{ "mcpServers": { "a": { "command": "x" } } }')), { a: local });
    const both = parseServersFile(
      '{ "mcpServers": { "a": { "command": "y" }, "b": { "url": "https://h/mcp" } }, "servers": { "a": { "command": "x" } } }',
    );
    assert.deepEqual(launches(both), { a: local, b: remote });
  });

  it('C12: servers at the top of the file are refused with the reason', () => {
    const list = parseServersFile('{\n  "files": { "command": "x" }\n}');
    assert.deepEqual(list.entries, []);
    assert.match(list.error?.message ?? '', /"files" stands at the top of the file; it belongs inside "servers"/);
    assert.equal(list.error?.line, 2);
  });

  it('C12: an unknown type is named', () => {
    const { error, launch } = entry(parseServersFile('{"servers":{"a":{"type":"websocket","url":"ws://h"}}}'), 'a');
    assert.equal(launch, undefined);
    assert.equal(error, 'Server "a": "type" must be "stdio", "http" or "sse", but it is "websocket"');
  });

  it('C4: comments and trailing commas are accepted', () => {
    const list = parseServersFile(`\uFEFF// a comment
      { /* another */ "servers": {
        // "gone": { "command": "y" },
        "a": { "command": "x", "args": [], }, // why
        "b": { "url": "https://h/mcp", },
      }, }`);
    assert.equal(list.error, undefined);
    assert.deepEqual(launches(list), { a: local, b: remote });
  });

  it('C4: one broken entry does not drop the others', () => {
    const list = parseServersFile(`{ "servers": {
      "good": { "command": "x" },
      "bad": { "command": 7, "args": "-y", "env": { "A": true }, "cwd": [] },
      "null": null,
      "empty": {},
      "also": { "url": "https://h/mcp" } } }`);
    assert.equal(list.error, undefined);
    assert.deepEqual(launches(list), { good: local, bad: undefined, null: undefined, empty: undefined, also: remote });
    assert.equal(
      entry(list, 'bad').error,
      'Server "bad": "command" must be a string, but it is a number; "args" must be an array of strings, but it is a ' +
        'string; "cwd" must be a string, but it is an array; and 1 more',
    );
    assert.match(entry(list, 'null').error ?? '', /must be an object with "command" or "url", but it is null/);
    assert.match(entry(list, 'empty').error ?? '', /needs "command" .* or "url"/);
  });

  const faulty: [string, string, Record<string, Launch>, string, number][] = [
    [
      'in an entry',
      '"good": { "command": "x" },\n"bad": { "command": "rm"\n"args": ["--dry-run" "-r"] },\n"b": { "url": "https://h" }',
      { good: local },
      'a comma is missing',
      4,
    ],
    ['between entries', '"a": { "command": "x" }\n"b": { "url": "https://h" }', { a: local }, 'a comma is missing', 3],
    ['behind a name', '"a" { "command": "x", "args": [] },\n"b": { "command": "x" }', {}, 'a colon is missing', 2],
    [
      'by a wrong bracket',
      '"a": { "command": "rm", "env": {} ],\n"b": { "command": "x" }',
      {},
      'a comma is missing',
      2,
    ],
  ];
  for (const [where, servers, known, fault, line] of faulty) {
    it(`C4: of a file with a syntax error ${where} only what stands before it counts`, () => {
      const list = parseServersFile(`{ "servers": {\n${servers} }, "inputs": [] }`);
      assert.deepEqual(launches(list), known);
      assert.deepEqual(list.error, { message: `The file is not valid JSON: ${fault}`, line });
      assert.equal(list.faulty, true);
    });
  }

  it('C4: inputs behind a syntax error are not guessed, those before it are known', () => {
    const inputs = '"inputs": [{ "id": "a", "type": "promptString" }]';
    assert.equal(parseServersFile(`{ "servers": {} ${inputs} }`).inputs, undefined);
    assert.ok(parseServersFile(`{ ${inputs} "servers": {} }`).inputs?.has('a'));
  });

  it('does not start half an entry of a file that is cut off', () => {
    const text =
      '{ "servers": {\n "a": { "command": "x" },\n "b": { "command": "rm", "args": ["--dry-run", "-r"], "env": {} } } }';
    for (let length = 0; length < text.length; length++) {
      const list = parseServersFile(text.slice(0, length));
      const { b } = launches(list);
      assert.ok(b === undefined || (b.type === 'stdio' && b.args.length === 2), text.slice(0, length));
      assert.ok((length === 0 || list.error) ?? list.entries.some(({ error }) => error), `${length}: told`);
    }
  });

  const files: [string, RegExp, number][] = [
    ['hello', /not valid JSON: there is something/, 1],
    ['\n\n[]', /must be an object with "servers", but it is an array/, 3],
    ['"x"', /must be an object with "servers", but it is a string/, 1],
    ['{\n"servers": []}', /"servers" must be an object, but it is an array/, 2],
    ['{"servers": null}', /"servers" must be an object, but it is null/, 1],
    ['{"servers": {}}\n{}', /text after the end/, 2],
    ['{"servers": {"": {"command": "x"}}}', /A server has an empty name/, 1],
    ['['.repeat(200_000), /nested too deeply/, 1],
  ];
  for (const [text, message, line] of files) {
    it(`refuses the whole of ${JSON.stringify(text.slice(0, 40))} with a line`, () => {
      const { entries, error } = parseServersFile(text);
      assert.deepEqual(entries, []);
      assert.match(error?.message ?? '', message);
      assert.equal(error?.line, line);
    });
  }

  for (const text of ['', ' \n', '\uFEFF', '// nothing yet\n', '{}', '{"inputs": []}', '{"servers": {}}']) {
    it(`finds no servers and no fault in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseServersFile(text), { entries: [], error: undefined });
    });
  }

  it('tells where an entry stands, as an editor counts', () => {
    const text = '{ "servers": {\r\n  "a": { "command": "x" },\r\n  "b": { "command": "y" } } }';
    const { offset, line } = entry(parseServersFile(`\uFEFF${text}`), 'b');
    assert.equal(offset, text.indexOf('"b"'));
    assert.equal(line, 3);
  });

  it('of a name that stands twice the last counts, as in VS Code', () => {
    const list = parseServersFile('{"servers":{"a":{"command":"y"},"b":{"url":"https://h/mcp"},"a":{"command":"x"}}}');
    assert.deepEqual(launches(list), { b: remote, a: local });
  });

  it('names like __proto__ are names like any other', () => {
    const list = parseServersFile(`{ "servers": { "__proto__": { "command": "x", "env": { "__proto__": "p" } },
      "constructor": { "command": "x" }, "a": { "__proto__": { "command": "x" } } } }`);
    assert.deepEqual(
      list.entries.map(({ name, error }) => [name, error !== undefined]),
      [
        ['__proto__', false],
        ['constructor', false],
        ['a', true],
      ],
    );
    const { launch } = entry(list, '__proto__');
    assert.ok(launch?.type === 'stdio');
    assert.deepEqual(Object.entries(launch.env), [['__proto__', 'p']]);
    assert.equal(Object.getPrototypeOf(launch.env), Object.prototype);
  });

  it('never repeats a value in an error, except an unknown type', () => {
    const list = parseServersFile(`{"servers":{"a":{"url":["S3CRET"],"headers":{"X":["S3CRET"],"Y":{"S":"S3CRET"}}},
      "b":{"command":["S3CRET"],"env":{"K":["S3CRET"]},"args":[["S3CRET"]]}}}`);
    assert.doesNotMatch(JSON.stringify(list), /S3CRET/);
  });

  it('reads a huge broken file in reasonable time', function () {
    this.timeout(5000);
    const text = `{"servers":{${Array.from({ length: 20_000 }, (_, i) => `"s${i}":{"command" "x",}`).join(' ')}}}`;
    assert.match(parseServersFile(text).error?.message ?? '', /is not valid JSON: a colon is missing/);
  });

  it('never throws and names every entry’s fault, whatever the values are', () => {
    fc.assert(
      fc.property(hostileServers(), (servers) => {
        const list = parseServersFile(JSON.stringify({ servers }));
        assert.ok(list.entries.every(({ launch, error }) => (launch === undefined) === (error !== undefined)));
        assert.equal(list.entries.length, Object.keys(servers).filter((name) => name !== '').length);
      }),
    );
  });

  it('never throws, whatever the text is', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '"servers"',
      '"a"',
      '"command"',
      '/*',
      '//',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }), (parts) => {
        parseServersFile(parts.join(''));
      }),
    );
  });
});

describe('parseServersSetting', () => {
  it('reads the same shape as a file, without a line', () => {
    const list = parseServersSetting({ a: { command: 'x' }, b: { type: 'nope' } });
    assert.deepEqual(list.entries[0], { name: 'a', launch: local });
    assert.match(entry(list, 'b').error ?? '', /but it is "nope"/);
    assert.equal(list.error, undefined);
  });

  it('has no servers where the setting is absent, and says what is wrong where it is no object', () => {
    assert.deepEqual(parseServersSetting(undefined), { entries: [] });
    assert.equal(parseServersSetting([]).error?.message, 'The setting must be an object, but it is an array');
    assert.equal(parseServersSetting({ '': {}, a: { command: 'x' } }).error?.message, 'A server has an empty name');
  });

  it('never throws, whatever the value is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), hostileServers()), (value) => {
        parseServersSetting(value);
      }),
    );
  });
});

/** Servers of roughly the right shape with anything in the places of the right values. */
function hostileServers(): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'a'));
  const any = fc.jsonValue({ maxDepth: 3 });
  const server = fc.record(
    {
      type: fc.oneof(any, fc.constantFrom('stdio', 'http', 'sse')),
      command: fc.oneof(any, fc.string()),
      args: fc.oneof(any, fc.array(fc.string())),
      cwd: any,
      env: fc.oneof(any, fc.dictionary(name, any)),
      envFile: any,
      url: fc.oneof(any, fc.webUrl()),
      headers: fc.oneof(any, fc.dictionary(name, any)),
    },
    { requiredKeys: [] },
  );
  return fc.dictionary(name, fc.oneof(server, any));
}
