import type { Node } from 'jsonc-parser';
import { type InputProblem, parseInputs } from './inputs';
import { type JsonDocument, type JsonProperty, propertiesOf, readJson, valueOf } from './jsonDocument';
import { isObject, kindOf, type LaunchEntry, parseLaunchEntry, quoted } from './launchEntry';
import type { Dialect, InputDefinition } from './serverDefinition';

/** One entry of a configuration: a launch, or a sentence without full stop that says what is wrong with it. */
export type ServerEntry = LaunchEntry & {
  readonly name: string;
  /** UTF-16 offset of the entry's name in the file, as an editor counts. Absent for a setting. */
  readonly offset?: number;
  /** 1-based line of the entry, or of its fault. Absent for a setting. */
  readonly line?: number;
};

/** What a file or setting says. `error` is about the whole of it; readable entries are kept beside it. */
export interface ServerList {
  readonly entries: readonly ServerEntry[];
  /** By id; absent where there are none. */
  readonly inputs?: ReadonlyMap<string, InputDefinition>;
  readonly error?: { readonly message: string; readonly line?: number };
  /** The text has a syntax error: only what stands before it is here. */
  readonly faulty?: true;
}

const rootKeys = ['servers', 'mcpServers'];

/** Reads the text of an `mcp.json`, or of another tool's file. An empty text has no servers. Never throws. */
export function parseServersFile(text: string, dialect: Dialect = 'vscode'): ServerList {
  const document = readJson(text);
  const { lineOf } = document;
  const [fault] = document.faults;
  const entries = new Map<string, ServerEntry>();
  const problems: InputProblem[] = [];

  for (const property of serverLists(document, problems).flat()) {
    if (property.name === '') {
      problems.push({ message: 'A server has an empty name', line: lineOf(property.offset) });
    } else if (!entries.has(property.name) && isWhole(property, document) && !isSwitchedOff(property, dialect)) {
      if (property.repeated) {
        const message = `The server ${quoted(property.name)} stands twice; this one counts`;
        problems.push({ message, line: lineOf(property.offset) });
      }
      entries.set(property.name, fileEntry(property, lineOf(property.offset), dialect));
    }
  }

  const inputs = parseInputs(inputsOf(document), document, problems);
  const error = fault ? { message: `The file is not valid JSON: ${fault.message}`, line: fault.line } : problems[0];
  return {
    entries: [...entries.values()],
    error,
    ...(inputs.size > 0 ? { inputs } : {}),
    ...(fault ? { faulty: true } : {}),
  };
}

/** Reads the value of the setting `mcpResources.servers`. Never throws. */
export function parseServersSetting(value: unknown): ServerList {
  if (value === undefined || value === null) {
    return { entries: [] };
  }
  if (!isObject(value)) {
    return { entries: [], error: { message: `The setting must be an object, but it is ${kindOf(value)}` } };
  }
  const entries = Object.entries(value).filter(([name]) => name !== '');
  const nameless = entries.length < Object.keys(value).length;
  return {
    entries: entries.map(([name, item]) => ({ name, ...named(name, parseLaunchEntry(item)) })),
    error: nameless ? { message: 'A server has an empty name' } : undefined,
  };
}

/** The properties of `servers`, then those of `mcpServers`: where both have a name, the first one counts. */
function serverLists(document: JsonDocument, problems: InputProblem[]): JsonProperty[][] {
  const { root, lineOf } = document;
  if (!root) {
    return [];
  }
  if (root.type !== 'object') {
    problems.push({
      message: `The file must be an object with "servers", but it is ${kindOf(valueOf(root))}`,
      line: lineOf(root.offset),
    });
    return [];
  }
  const properties = propertiesOf(root);
  const lists: JsonProperty[][] = [];
  for (const key of rootKeys) {
    const property = properties.find(({ name }) => name === key);
    if (property?.value?.type === 'object') {
      lists.push(propertiesOf(property.value));
    } else if (property?.value) {
      problems.push({
        message: `"${key}" must be an object, but it is ${kindOf(valueOf(property.value))}`,
        line: lineOf(property.offset),
      });
    }
  }
  const stray = properties.find(({ name, value }) => !rootKeys.includes(name) && value && looksLikeServer(value));
  if (lists.length === 0 && stray) {
    problems.push({
      message: `The server ${quoted(stray.name)} stands at the top of the file; it belongs inside "servers"`,
      line: lineOf(stray.offset),
    });
  }
  return lists;
}

function inputsOf(document: JsonDocument): JsonProperty | undefined {
  const { root } = document;
  return root?.type === 'object'
    ? propertiesOf(root).find((property) => property.name === 'inputs' && isWhole(property, document))
    : undefined;
}

/** Windsurf keeps servers in its file that its user has switched off. */
function isSwitchedOff({ value }: JsonProperty, dialect: Dialect): boolean {
  return (
    dialect === 'windsurf' &&
    value?.type === 'object' &&
    propertiesOf(value).some((field) => field.name === 'disabled' && field.value?.value === true)
  );
}

/** What Windsurf calls `serverUrl` is `url` everywhere else. */
function inOurWords(value: unknown, dialect: Dialect): unknown {
  return dialect === 'windsurf' && isObject(value) && value.url === undefined && value.serverUrl !== undefined
    ? { ...value, url: value.serverUrl }
    : value;
}

function fileEntry({ name, offset, value }: JsonProperty, line: number, dialect: Dialect): ServerEntry {
  return { name, offset, line, ...named(name, parseLaunchEntry(inOurWords(value && valueOf(value), dialect))) };
}

function named(name: string, entry: LaunchEntry): LaunchEntry {
  return entry.launch ? entry : { error: `Server ${quoted(name)}: ${entry.error}` };
}

/**
 * Whether a property lies before the first fault of its text: behind one the parser guesses, and half an entry must not be
 * started, as the lost half may be the argument that made it harmless. What reaches the end of a text that is cut off is
 * cut off itself.
 */
function isWhole({ value }: JsonProperty, { root, faults: [fault] }: JsonDocument): boolean {
  if (!fault || !root) {
    return true;
  }
  const end = value && value.offset + value.length;
  return end !== undefined && end <= fault.offset && end !== root.offset + root.length;
}

function looksLikeServer(node: Node): boolean {
  return node.type === 'object' && propertiesOf(node).some(({ name }) => name === 'command' || name === 'url');
}
