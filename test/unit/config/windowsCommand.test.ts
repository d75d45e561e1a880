import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HumanError } from '../../../src/base/errors';
import { findWindowsCommand, windowsSpawn } from '../../../src/config/windowsCommand';

const node = 'C:\\Program Files\\nodejs';
const files = new Set(
  [
    `${node}\\npx`,
    `${node}\\npx.cmd`,
    `${node}\\node.exe`,
    'D:\\tools\\uvx.exe',
    'D:\\tools\\odd.js',
    'D:\\tools\\my.tool.bat',
    'C:\\w\\npx.cmd',
    'C:\\w\\bin\\run.cmd',
  ].map((file) => file.toLowerCase()),
);

describe('findWindowsCommand', () => {
  const find = (command: string, PATHEXT?: string): Promise<string | undefined> =>
    findWindowsCommand(command, {
      PATH: `.;relative;;"${node}";D:\\tools\\`,
      PATHEXT,
      cwd: 'C:\\w',
      exists: (path) => Promise.resolve(files.has(path.toLowerCase())),
    });

  const cases: [string, string | undefined][] = [
    ['npx', `${node}\\npx.cmd`],
    ['NPX.CMD', `${node}\\NPX.CMD`],
    ['node', `${node}\\node.exe`],
    ['node.exe', `${node}\\node.exe`],
    ['uvx', 'D:\\tools\\uvx.exe'],
    ['my.tool', 'D:\\tools\\my.tool.bat'],
    ['odd', undefined],
    ['odd.js', undefined],
    ['missing', undefined],
    ['bin/run', 'C:\\w\\bin\\run.cmd'],
    ['.\\bin\\run.cmd', 'C:\\w\\bin\\run.cmd'],
    ['.\\npx', 'C:\\w\\npx.cmd'],
    ['D:\\tools\\uvx', 'D:\\tools\\uvx.exe'],
    ['', undefined],
  ];
  for (const [command, expected] of cases) {
    it(`C1: finds ${expected} for ${JSON.stringify(command)}`, async () => {
      assert.equal(await find(command), expected);
    });
  }

  it('keeps to the order of PATHEXT and to what can be started', async () => {
    assert.equal(await find('npx', '.JS; .Exe;.CMD'), `${node}\\npx.cmd`);
    assert.equal(await find('npx', '.EXE'), undefined);
    assert.equal(await find('npx', '.JS'), `${node}\\npx.cmd`);
  });
});

describe('windowsSpawn', () => {
  it('starts a program as it is', () => {
    const spawn = { file: 'C:\\x.exe', args: ['a b', '"'], windowsVerbatimArguments: false };
    assert.deepEqual(windowsSpawn(spawn.file, spawn.args), spawn);
  });

  const lines: [string[], string][] = [
    [[], ''],
    [['-y', 'pkg@^1.2'], ' ^"-y^" ^"pkg@^^1.2^"'],
    [['a&b|c'], ' ^"a^&b^|c^"'],
    [['%PATH%'], ' ^"^%PATH^%^"'],
    [[''], ' ^"^"'],
    [['dir\\'], ' ^"dir\\\\^"'],
    [['{"a":1}'], ' ^^^"{\\^^^"a\\^^^":1}^^^"'],
  ];
  for (const [args, expected] of lines) {
    it(`C1: passes ${JSON.stringify(args)} through cmd.exe`, () => {
      assert.deepEqual(windowsSpawn(`${node}\\npx.cmd`, args, 'C:\\Windows\\system32\\cmd.exe'), {
        file: 'C:\\Windows\\system32\\cmd.exe',
        args: ['/d', '/s', '/c', `"C:\\Program^ Files\\nodejs\\npx.cmd${expected}"`],
        windowsVerbatimArguments: true,
      });
    });
  }

  it('refuses a line break, which would end the command line', () => {
    assert.throws(() => windowsSpawn('x.cmd', ['a\nb']), HumanError);
    assert.throws(() => windowsSpawn('x.BAT', ['a\rb']), HumanError);
  });

  it('brings any argument through cmd.exe and a batch file’s %* to the program unchanged', () => {
    const character = fc.constantFrom(
      '"',
      '\\',
      '^',
      '&',
      '|',
      '<',
      '>',
      '(',
      ')',
      '%',
      '!',
      ' ',
      ',',
      ';',
      '=',
      'a',
      'ä',
    );
    const argument = fc.string({ unit: character, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
        const line = windowsSpawn('C:\\t\\npx.cmd', args).args[3] ?? '';
        const first = cmdParse(line.slice(1, -1));
        assert.equal(first.split(' ')[0], 'C:\\t\\npx.cmd');
        const rest = first.slice('C:\\t\\npx.cmd'.length);
        assert.deepEqual(programArguments(cmdParse(`node npx.js${rest}`)).slice(2), args);
      }),
      { numRuns: 2000 },
    );
  });
});

/** One pass of cmd.exe over a command line: carets escape outside of quotes; a special character there is a command's end. */
function cmdParse(line: string): string {
  let result = '';
  let quoted = false;
  for (let index = 0; index < line.length; index++) {
    let character = line[index] ?? '';
    if (character === '"') {
      quoted = !quoted;
    } else if (!quoted && character === '^') {
      index += 1;
      character = line[index] ?? '';
    } else if (!quoted) {
      assert.doesNotMatch(character, /[&|<>()]/, `unescaped in ${line}`);
    }
    result += character;
  }
  return result;
}

/** A command line as the C runtime of Windows takes it apart. */
function programArguments(line: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  let quoted = false;
  for (const [, slashes = '', character = ''] of line.matchAll(/(\\*)([^\\]|$)/gsu)) {
    if (character === '"') {
      current = (current ?? '') + '\\'.repeat(slashes.length >> 1);
      if (slashes.length % 2 === 1) {
        current += '"';
      } else {
        quoted = !quoted;
      }
      continue;
    }
    if (slashes !== '') {
      current = (current ?? '') + slashes;
    }
    if (character === ' ' && !quoted) {
      if (current !== undefined) {
        args.push(current);
      }
      current = undefined;
    } else if (character !== '') {
      current = (current ?? '') + character;
    }
  }
  return current === undefined ? args : [...args, current];
}
