import assert from 'node:assert/strict';
import { parseServersFile } from '../../../src/config/dialect';
import { locations } from '../../../src/config/locations';
import { mergeDefinitions } from '../../../src/config/merge';

const file = (inputs: string): string => `{ "servers": {},\n"inputs": ${inputs} }`;

describe('inputs of a file', () => {
  it('are read in all three kinds', () => {
    const { inputs, error } = parseServersFile(
      file(`[
        { "id": "a", "type": "promptString", "description": "A", "default": "x", "password": true },
        { "id": "b", "type": "pickString", "options": ["one", { "label": "Two", "value": "2" }] },
        { "id": "c", "type": "command", "command": "ext.pick", "args": { "deep": { "er": [1] } } },
        { "id": "d", "type": "promptString" },
      ]`),
    );
    assert.equal(error, undefined);
    assert.deepEqual(
      [...(inputs?.values() ?? [])],
      [
        { id: 'a', type: 'promptString', description: 'A', default: 'x', password: true },
        {
          id: 'b',
          type: 'pickString',
          options: [
            { label: 'one', value: 'one' },
            { label: 'Two', value: '2' },
          ],
        },
        { id: 'c', type: 'command', command: 'ext.pick', args: { deep: { er: [1] } } },
        { id: 'd', type: 'promptString', password: false },
      ],
    );
  });

  const faults: [string, RegExp][] = [
    ['{}', /"inputs" must be an array, but it is an object/],
    ['[5]', /"inputs\[0\]" must be an object, but it is a number/],
    ['[{ "type": "promptString" }]', /"inputs\[0\]" needs an "id", which is a string, but it is missing/],
    ['[{ "id": "", "type": "promptString" }]', /"id".*but it is empty/],
    ['[{ "id": "a" }]', /\("a"\) has a "type" that must be .* but it is missing/],
    ['[{ "id": "a", "type": "ask" }]', /but it is "ask"/],
    [
      '[{ "id": "a", "type": "promptString", "default": 5 }]',
      /\("a"\) has a "default" that must be a string, but it is a n/,
    ],
    ['[{ "id": "a", "type": "promptString", "password": "yes" }]', /"password" that must be true or false/],
    ['[{ "id": "a", "type": "pickString", "options": [] }]', /needs "options", an array of choices, but it is empty/],
    ['[{ "id": "a", "type": "pickString", "options": [{}] }]', /one is neither a string nor an object with "value"/],
    ['[{ "id": "a", "type": "command" }]', /needs a "command", which is a string, but it is missing/],
    ['[{ "id": "a", "type": "command", "command": "c" }, { "id": "a", "type": "promptString" }]', /"a" stands twice/],
  ];
  for (const [text, message] of faults) {
    it(`${text} is a fault with a line`, () => {
      const { error } = parseServersFile(file(text));
      assert.match(error?.message ?? '', message);
      assert.equal(error?.line, 2);
    });
  }

  it('belong to the servers that name them, and to no other', () => {
    const list = parseServersFile(`{
      "servers": { "a": { "command": "\${input:x}\${userHome}" }, "b": { "command": "b" } },
      "inputs": [{ "id": "x", "type": "promptString" }, { "id": "userHome", "type": "promptString" }]
    }`);
    const [place] = locations({ folders: [{ name: 'w', path: '/w' }], multiRoot: false, userFile: undefined }).filter(
      ({ source }) => source.label === '.vscode/mcp.json',
    );
    assert.deepEqual(
      mergeDefinitions([{ location: place!, list }]).map(({ id, inputs }) => [id, inputs?.map((input) => input.id)]),
      [
        ['a', ['x']],
        ['b', undefined],
      ],
    );
  });
});
