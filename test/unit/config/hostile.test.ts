import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { HumanError } from '../../../src/base/errors';
import { locations } from '../../../src/config/locations';
import { mergeDefinitions } from '../../../src/config/merge';
import { readLocations } from '../../../src/config/readLocations';
import type { ServerDefinition } from '../../../src/config/serverDefinition';
import { resolveLaunch } from '../../../src/config/variables';

/** The same files in each run: what fails can be looked at. */
const SEED = 20_250_618;
const FILES = 200;
const label = '.vscode/mcp.json';

/** What the random numbers of one file decide. */
interface Dice {
  readonly kind: Kind;
  /** Servers without a fault, before and behind the one with it. */
  readonly before: number;
  readonly behind: number;
  readonly eol: '\n' | '\r\n';
  readonly root: 'servers' | 'mcpServers';
  readonly name: string;
  readonly wrong: unknown;
  readonly pick: number;
}

/** A file, and what has to be said of it. */
interface Made {
  /** Absent: no file of its own is written, `place` does it. */
  readonly bytes?: string | Buffer;
  readonly place?: (file: string) => void;
  /** Absent: nothing is wrong with it. */
  readonly fault?: { readonly message: RegExp; readonly line?: number };
  /** How many servers can be started. */
  readonly good: number;
  /** What resolving the last server has to say. */
  readonly unresolved?: RegExp;
}

/** The text of a file with one entry in the midst of good ones; `line` is the 1-based line of that entry. */
function fileWith({ before, behind, eol, root }: Dice, entry: string, tail = ''): { text: string; line: number } {
  const good = (name: string) => `    ${JSON.stringify(name)}: { "command": "x", "args": ["a // b", "/* c */"] },`;
  const lines = [
    '// a comment with "quotes" and { braces',
    '{',
    `  "${root}": {`,
    ...Array.from({ length: before }, (_, index) => good(`before ${index}`)),
    `    ${entry},`,
    ...Array.from({ length: behind }, (_, index) => good(`behind ${index}`)),
    `  },${tail}`,
    '}',
  ];
  return { text: lines.join(eol), line: before + 4 };
}

function makers() {
  const inEntry = (dice: Dice, value: string, message: RegExp): Made => {
    const { text, line } = fileWith(dice, `${JSON.stringify(dice.name)}: ${value}`);
    return { bytes: text, fault: { message, line }, good: dice.before + dice.behind };
  };
  const one = (dice: Dice, variable: string) =>
    fileWith(dice, `${JSON.stringify(dice.name)}: { "command": "x", "args": ${JSON.stringify([variable])} }`);
  const fields = ['command', 'args', 'cwd', 'env', 'envFile'] as const;
  return {
    wrongType(dice: Dice) {
      const field = fields[dice.pick % fields.length]!;
      const wrong = JSON.stringify(field === 'env' || field === 'args' ? 'text' : dice.wrong);
      return inEntry(dice, `{ "command": "x", "${field}": ${wrong} }`, new RegExp(`"${field}" must be`));
    },
    notAnObject: (dice: Dice) => inEntry(dice, JSON.stringify(dice.wrong), /must be an object with "command" or "url"/),
    unknownType: (dice: Dice) =>
      inEntry(dice, '{ "type": "pigeon", "url": 5 }', /"type" must be .* but it is "pigeon"/),
    brokenHeaders: (dice: Dice) =>
      inEntry(
        dice,
        `{ "url": "https://h", "headers": { "A": ${JSON.stringify(dice.wrong)} } }`,
        /"A" in "headers" must be/,
      ),
    brokenSyntax: (dice: Dice) => {
      const values = ['{ "command" "x" }', '{ "command": }', '{ "command": "x" "args": [] }', '{ command: "x" }'];
      const made = inEntry(dice, values[dice.pick % values.length]!, /is not valid JSON/);
      // What stands behind it cannot be told from what it tore apart.
      return { ...made, good: dice.before };
    },
    nulCharacter: (dice: Dice) =>
      inEntry(dice, '{ "command": "x", "args": ["a\\u0000b"] }', /contains a NUL character/),
    latin1(dice: Dice) {
      const { text, line } = fileWith(dice, `"umlaut": { "command": "\u00fc" }`);
      return {
        bytes: Buffer.from(text, 'latin1'),
        fault: { message: /is not UTF-8/, line },
        good: dice.before + dice.behind,
      };
    },
    duplicate(dice: Dice) {
      const { text } = fileWith(dice, `"twice": { "command": "y" }, ${dice.eol} "twice": { "command": "x" }`);
      const fault = { message: /The server "twice" stands twice; this one counts/, line: dice.before + 5 };
      return { bytes: text, fault, good: dice.before + dice.behind + 1 };
    },
    emptyName(dice: Dice) {
      const { text, line } = fileWith(dice, '"": { "command": "x" }');
      return { bytes: text, fault: { message: /A server has an empty name/, line }, good: dice.before + dice.behind };
    },
    brokenInputs(dice: Dice) {
      const tail = `${dice.eol}  "inputs": [{ "id": ${JSON.stringify(dice.wrong)}, "type": "promptString" }],`;
      const { text, line } = fileWith(dice, '"a": { "command": "x" }', tail);
      const fault = { message: /"inputs\[0\]" needs an "id"/, line: line + dice.behind + 2 };
      return { bytes: text, fault, good: dice.before + dice.behind + 1 };
    },
    wrongRoot: (dice: Dice) => ({
      bytes: `{${dice.eol}"${dice.root}": ${JSON.stringify(dice.wrong)} }`,
      fault: { message: new RegExp(`"${dice.root}" must be an object`), line: 2 },
      good: 0,
    }),
    stray: ({ eol }: Dice) => ({
      bytes: `{${eol}${eol}"here": { "command": "x" } }`,
      fault: { message: /"here" stands at the top of the file/, line: 3 },
      good: 0,
    }),
    cutOff(dice: Dice) {
      const { text, line } = fileWith({ ...dice, behind: 0 }, '"cut": { "command": "x", "args": ["--safe');
      const bytes = text.slice(0, text.indexOf('--safe') + 3);
      return { bytes, fault: { message: /a string is not closed/, line }, good: dice.before };
    },
    oddName(dice: Dice) {
      const names = ['__proto__', 'constructor', 'a/b', '\u202e\u0000', '💥'.repeat(500), '${env:HOME}', ' '];
      const { text } = fileWith(dice, `${JSON.stringify(names[dice.pick % names.length])}: { "command": "x" }`);
      return { bytes: text, good: dice.before + dice.behind + 1 };
    },
    deep: ({ eol }: Dice) => ({
      bytes: `${eol}{ "servers": ${'['.repeat(100_000)}`,
      fault: { message: /nested too deeply/, line: 1 },
      good: 0,
    }),
    huge: () => ({ bytes: ' '.repeat(5 * 1024 * 1024), fault: { message: /larger than 4 MB/ }, good: 0 }),
    hugeValue(dice: Dice) {
      const { text } = fileWith(dice, `"big": { "command": "x", "args": ["${'${'.repeat(200_000)}"] }`);
      return { bytes: text, good: dice.before + dice.behind + 1 };
    },
    cycle(dice: Dice) {
      const { text } = one({ ...dice, behind: 0 }, '${env:A}${config:c}');
      return { bytes: text, good: dice.before + 1 };
    },
    nested(dice: Dice) {
      const { text } = one({ ...dice, behind: 0 }, '${input:${input:${env:A}}}');
      return { bytes: text, good: dice.before + 1, unresolved: /a variable within a variable in args\[0\]/ };
    },
    inputCycle(dice: Dice) {
      const inputs = '"inputs": [{ "id": "a", "type": "promptString", "default": "${input:a}" }],';
      const { text } = one({ ...dice, behind: 0 }, '${input:a}');
      const bytes = text.replace(`  },${dice.eol}}`, `  }, ${inputs}${dice.eol}}`);
      return { bytes, good: dice.before + 1, unresolved: /\$\{input:a\} in args\[0\] has no value/ };
    },
    unknownVariable(dice: Dice) {
      const { text } = one({ ...dice, behind: 0 }, '${nothing:x}');
      return { bytes: text, good: dice.before + 1, unresolved: /\$\{nothing:x\} in args\[0\] is not known/ };
    },
    utf8Mark: (dice: Dice) => encoded(dice, (text) => Buffer.from(`\uFEFF${text}`)),
    utf16Little: (dice: Dice) => encoded(dice, (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')),
    utf16Big: (dice: Dice) => encoded(dice, (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()),
    utf16Unmarked: ({ eol }: Dice) => ({
      bytes: Buffer.from(`{ "servers": {${eol}} }`, 'utf16le'),
      fault: { message: /not valid JSON/, line: 1 },
      good: 0,
    }),
    link(dice: Dice) {
      const { text } = fileWith(dice, '"ä": { "command": "x" }');
      const place = (file: string): void => {
        writeFileSync(`${file}.elsewhere`, text);
        symlinkSync(`${file}.elsewhere`, file);
      };
      return { place, good: dice.before + dice.behind + 1 };
    },
    linkInCircles: () => ({
      place: (file: string) => symlinkSync(file, file),
      fault: { message: /a symbolic link that leads back to itself/ },
      good: 0,
    }),
    linkToNothing: () => ({ place: (file: string) => symlinkSync(`${file}.gone`, file), good: 0 }),
    linkToFolder: () => ({
      place: (file: string) => symlinkSync(dirname(file), file),
      fault: { message: /not a regular file/ },
      good: 0,
    }),
  } satisfies Record<string, (dice: Dice) => Made>;
}

function encoded(dice: Dice, encode: (text: string) => Buffer): Made {
  return { bytes: encode(fileWith(dice, '"ä 💥": { "command": "x" }').text), good: dice.before + dice.behind + 1 };
}

type Kind = keyof ReturnType<typeof makers>;
const make: Record<Kind, (dice: Dice) => Made> = makers();
const kinds = Object.keys(make) as Kind[];

const dice: fc.Arbitrary<Dice> = fc.record({
  kind: fc.constantFrom(...kinds),
  before: fc.nat(5),
  behind: fc.nat(5),
  eol: fc.constantFrom('\n' as const, '\r\n' as const),
  root: fc.constantFrom('servers' as const, 'mcpServers' as const),
  name: fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
  wrong: fc.constantFrom<unknown>(null, 5, -0.5, true, [], ['x'], 1e300),
  pick: fc.nat(100),
});

describe('200 hostile files', () => {
  let root: string;
  before(() => (root = mkdtempSync(join(tmpdir(), 'mcp-hostile-'))));
  after(() => rmSync(root, { recursive: true }));

  const read = async (folder: string): Promise<ServerDefinition[]> => {
    const places = locations({ folders: [{ name: 'w', path: folder }], multiRoot: false, userFile: undefined });
    return mergeDefinitions(await readLocations(places, undefined, new AbortController().signal));
  };

  const samples = fc.sample(dice, { seed: SEED, numRuns: FILES });

  it('hold every kind of fault', () => {
    assert.equal(samples.length, FILES);
    assert.deepEqual(new Set(samples.map(({ kind }) => kind)), new Set(kinds));
  });

  for (const kind of kinds) {
    const own = samples.flatMap((sample, index) => (sample.kind === kind ? [[sample, index] as const] : []));
    it(`${own.length} × ${kind}: no crash, each fault named with file and line, the good servers are kept`, async function () {
      if (process.platform === 'win32' && kind.startsWith('link')) {
        this.skip();
      }
      for (const [sample, index] of own) {
        const what = JSON.stringify({ ...sample, index });
        const folder = join(root, String(index));
        const file = join(folder, label);
        mkdirSync(dirname(file), { recursive: true });
        const { bytes, place, fault, good, unresolved } = make[kind](sample);
        if (bytes === undefined) {
          place?.(file);
        } else {
          writeFileSync(file, bytes);
        }
        const found = await read(folder);
        const errors = found.flatMap(({ error }) => error ?? []);
        assert.equal(found.filter(({ launch }) => launch).length, good, `${what}\n${errors.join('\n')}`);
        if (!fault) {
          assert.deepEqual(errors, [], what);
        } else {
          const where = fault.line === undefined ? `(${label}).` : `(${label}, line ${fault.line}).`;
          const named = errors.some((error) => fault.message.test(error) && error.endsWith(where));
          assert.ok(named, `${what} → ${where}\n${errors.join('\n')}`);
        }
        resolveAll(found, unresolved, what);
      }
    });
  }
});

/** Resolving says what is wrong or gives text; values that name variables are not looked at again. */
function resolveAll(found: readonly ServerDefinition[], unresolved: RegExp | undefined, what: string): void {
  const values = new Map([['config:c', { value: '${config:c}' }]]);
  const context = { userHome: '/h', env: { A: '${env:A}' }, platform: 'linux', values } as const;
  const said = found.flatMap((definition) => {
    try {
      resolveLaunch(definition, context);
      return [];
    } catch (error) {
      assert.ok(error instanceof HumanError, `${what}\n${String(error)}`);
      return definition.launch ? [error.message] : [];
    }
  });
  assert.ok(
    unresolved ? said.length === 1 && unresolved.test(said[0]!) : said.length === 0,
    `${what}\n${said.join('\n')}`,
  );
}
