import type { SessionTarget } from './mcpClient';

const PUBLIC_HEADERS = new Set(['accept', 'content-type', 'user-agent', 'accept-language', 'mcp-protocol-version']);
/** How headers, variables and parameters are named that hold secrets. */
export const SECRET_NAMES = /key|token|secret|passw|pwd|auth|cred|cookie|session|private|signature/i;
/** Folders, sockets and names of a session that the system gives every process: no secrets, though named like some. */
const SYSTEM_NAMES =
  /^(OLD)?PWD$|^XDG_SESSION_|^(DESKTOP_SESSION|SESSION_MANAGER|DBUS_SESSION_BUS_ADDRESS)$|^(SSH_AUTH_SOCK|XAUTHORITY)$/;
/** An option within an option's value, as in `--env=KEY=VALUE`, and no deeper. */
const LEVELS = 3;

/** What a configuration holds that must stand in no log: headers, what is named like a secret, credentials in addresses. */
export function configuredSecrets(target: SessionTarget): string[] {
  const found =
    target.type === 'stdio'
      ? [...secretVariables(target.env), ...secretArguments(target.args)]
      : [...secretHeaders(target.headers), new URL(target.url).username, ...secretsOfAddress(target.url)];
  return found.flatMap((value) => [value, ...value.split(/[\s:]+/u)]);
}

function secretHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (PUBLIC_HEADERS.has(name.toLowerCase()) ? [] : [value]));
}

/** The whole environment is given: what the process inherited is no secret of this server, unless it is named like one. */
function secretVariables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => [
    ...(SECRET_NAMES.test(name) && !SYSTEM_NAMES.test(name) ? [value] : []),
    ...secretsOfAddress(value),
    ...secretsOfJson(value),
  ]);
}

/** `--token VALUE`, and what stands within one argument. */
function secretArguments(args: readonly string[]): string[] {
  return args.flatMap((argument, index) => {
    const before = /^-{1,2}[^=]+$/.exec(args[index - 1] ?? '')?.[0] ?? '';
    const ofOption = SECRET_NAMES.test(before) && !argument.startsWith('-') ? [argument] : [];
    return [...ofOption, ...namedSecrets(argument), ...secretsOfJson(argument)];
  });
}

/** `--token=VALUE`; `KEY=VALUE` and `Name: VALUE`, as containers and bridges are given variables and headers; an address. */
function namedSecrets(argument: string): string[] {
  let text = argument;
  for (let level = 0; level < LEVELS && !isAddress(text); level++) {
    const [, name, value] = /^-{0,2}([\w.-]+)\s*[=:]\s*(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      return [];
    }
    if (SECRET_NAMES.test(name)) {
      return [value];
    }
    text = value;
  }
  return secretsOfAddress(text);
}

/** Headers are often given to a server as JSON in a variable. */
function secretsOfJson(text: string): string[] {
  return text.trimStart().startsWith('{')
    ? [...text.matchAll(/"([\w.-]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].flatMap(([, name = '', value = '']) =>
        SECRET_NAMES.test(name) ? [value] : [],
      )
    : [];
}

function isAddress(text: string): boolean {
  return text.includes('://') && URL.canParse(text);
}

/** The password, and parameters that are named like secrets. */
function secretsOfAddress(text: string): string[] {
  if (!isAddress(text)) {
    return [];
  }
  const { password, searchParams } = new URL(text);
  const ofQuery = [...searchParams].flatMap(([name, value]) => (SECRET_NAMES.test(name) ? [value] : []));
  return [...ofQuery, password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray `%`.
    return text;
  }
}
