import type { HttpLaunch, Launch, StdioLaunch } from './serverDefinition';

/** What an entry of a configuration says: a launch, or why it cannot be understood (one sentence without full stop). */
export type LaunchEntry =
  { readonly launch: Launch; readonly error?: undefined } | { readonly launch?: undefined; readonly error: string };

type Fields = Readonly<Record<string, unknown>>;

/** Every spelling of `type` that is understood. */
const types: ReadonlyMap<unknown, Launch['type']> = new Map([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['sse', 'sse'],
]);

const reported = 3;

/** Reads one entry of `servers`, whatever it is. Values are never repeated in errors: they may be secrets. */
export function parseLaunchEntry(value: unknown): LaunchEntry {
  if (!isObject(value)) {
    return { error: `must be an object with "command" or "url", but it is ${kindOf(value)}` };
  }
  const type = typeOf(value);
  if (type.error !== undefined) {
    return { error: type.error };
  }
  const problems: string[] = [];
  const launch = type.name === 'stdio' ? stdio(value, problems) : http(type.name, value, problems);
  if (problems.length === 0) {
    return { launch };
  }
  const more = problems.length - reported;
  return { error: problems.slice(0, reported).join('; ') + (more > 0 ? `; and ${more} more` : '') };
}

/** What a value is, with its article: "an array", "a string", "null". */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) {
    return value === null ? 'null' : 'missing';
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Whether a value is an object with named fields. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A foreign string in double quotes, cut to a length that fits a message, control characters escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

function typeOf(fields: Fields): { name: Launch['type']; error?: undefined } | { error: string } {
  const { type } = fields;
  if (type === undefined) {
    // A command wins, as in VS Code, so that the same file means the same there and here.
    const name = fields.command !== undefined ? 'stdio' : fields.url !== undefined ? 'http' : undefined;
    return name ? { name } : { error: 'needs "command" (a program to start) or "url" (an address to connect to)' };
  }
  const name = types.get(type);
  if (name) {
    return { name };
  }
  const found = typeof type === 'string' ? quoted(type) : kindOf(type);
  return { error: `"type" must be "stdio", "http" or "sse", but it is ${found}` };
}

function stdio(fields: Fields, problems: string[]): StdioLaunch {
  return {
    type: 'stdio',
    command: required(fields, 'command', problems),
    args: list(fields, 'args', problems),
    cwd: optional(fields, 'cwd', problems),
    env: record(fields, 'env', problems, environmentVariable),
    envFile: optional(fields, 'envFile', problems),
  };
}

function http(type: HttpLaunch['type'], fields: Fields, problems: string[]): HttpLaunch {
  const oauth = signIn(fields, problems);
  return {
    type,
    url: required(fields, 'url', problems),
    headers: record(fields, 'headers', problems, header),
    ...(oauth ? { oauth } : {}),
  };
}

/** Of VS Code's `oauth` the client id alone means something here; other fields are left to VS Code. */
function signIn(fields: Fields, problems: string[]): HttpLaunch['oauth'] {
  const { oauth } = fields;
  if (oauth === undefined) {
    return undefined;
  }
  if (!isObject(oauth)) {
    problems.push(`"oauth" must be an object, but it is ${kindOf(oauth)}`);
    return undefined;
  }
  const { clientId } = oauth;
  return clientId === undefined || clientId === ''
    ? undefined
    : { clientId: text(clientId, '"clientId" in "oauth"', problems) };
}

function required(fields: Fields, field: string, problems: string[]): string {
  const value = fields[field];
  if (typeof value === 'string' && value.trim() === '') {
    problems.push(`"${field}" must not be empty`);
    return '';
  }
  return text(value, `"${field}"`, problems);
}

/** An empty string counts as absent, as in VS Code. */
function optional(fields: Fields, field: string, problems: string[]): string | undefined {
  const value = fields[field];
  return value === undefined || value === '' ? undefined : text(value, `"${field}"`, problems);
}

function list(fields: Fields, field: string, problems: string[]): string[] {
  const value = fields[field] ?? (fields[field] === null ? null : []);
  if (!Array.isArray(value)) {
    problems.push(`"${field}" must be an array of strings, but it is ${kindOf(value)}`);
    return [];
  }
  return value.map((item: unknown, index) => text(item, `"${field}[${index}]"`, problems));
}

function record<T>(
  fields: Fields,
  field: string,
  problems: string[],
  check: (value: unknown, key: string, problems: string[]) => T,
): Record<string, T> {
  const value = fields[field];
  if (value === undefined) {
    return {};
  }
  if (!isObject(value)) {
    problems.push(`"${field}" must be an object, but it is ${kindOf(value)}`);
    return {};
  }
  // `fromEntries` defines own properties, so that a key like `__proto__` is a key like any other.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, check(item, key, problems)]));
}

function environmentVariable(value: unknown, key: string, problems: string[]): string | number | null {
  if (key === '' || /[=\0]/.test(key)) {
    problems.push(`${quoted(key)} in "env" cannot be the name of a variable`);
  }
  if (value === null || typeof value === 'number') {
    return value;
  }
  return text(value, `${quoted(key)} in "env"`, problems, 'a string, a number or null');
}

function header(value: unknown, key: string, problems: string[]): string {
  return text(value, `${quoted(key)} in "headers"`, problems);
}

function text(value: unknown, where: string, problems: string[], expected = 'a string'): string {
  if (typeof value !== 'string') {
    problems.push(`${where} must be ${expected}, but it is ${kindOf(value)}`);
    return '';
  }
  if (value.includes('\0')) {
    problems.push(`${where} contains a NUL character, which no program can be given`);
  } else if (value.includes('\uFFFD')) {
    // What it stands for is lost: half an argument must not be used.
    problems.push(`${where} contains a character that is not UTF-8; save the file in that encoding`);
  }
  return value;
}
