import { basename, posix, win32 } from 'node:path';
import { HumanError } from '../base/errors';
import { environmentVariable } from './environment';
import { quoted } from './launchEntry';
import type { Folder } from './locations';
import type { HttpLaunch, Launch, ServerDefinition, StdioLaunch } from './serverDefinition';

/** What stands for a variable, or, in a few words, why nothing does. */
export type VariableValue = { readonly value: string } | { readonly lack: string };

/** What variables stand for. */
export interface VariableContext {
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path; used where the definition's source names no folder. */
  readonly folder?: string;
  /** All that are open, for `${workspaceFolder:NAME}`. */
  readonly folders?: readonly Folder[];
  readonly platform: NodeJS.Platform;
  /** Values that took asking the editor or a person, by what stands between the braces. */
  readonly values?: ReadonlyMap<string, VariableValue>;
}

/** A process to start: variables replaced, paths absolute. */
export interface ResolvedStdio {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** `null` removes from the inherited environment. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Absolute path. */
  readonly envFile?: string;
}

/** An endpoint to connect to: variables replaced, the URL otherwise as it was written. */
export interface ResolvedHttp {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: { readonly clientId: string };
}

export type ResolvedLaunch = ResolvedStdio | ResolvedHttp;

type Expand = (text: string, field: string) => string;

/** What an `${input:id}` begins with, between the braces. */
export const inputPrefix = 'input:';

// Not `{` inside: keeps the search linear.
const pattern = /\$\{([^{}]*)\}/g;
const known = ['workspaceFolder', 'workspaceFolder:NAME', 'userHome', 'pathSeparator', 'env:NAME', 'config:NAME'];
const knownWords = `${known.map((name) => `\${${name}}`).join(', ')}, \${command:ID} and \${input:ID}`;

/** What stands between the braces of each variable of a launch, each once, in the order of the launch. */
export function variablesOf(launch: Launch): string[] {
  const texts =
    launch.type === 'stdio'
      ? [launch.command, ...launch.args, launch.cwd, ...Object.values(launch.env), launch.envFile]
      : [launch.url, ...Object.values(launch.headers), launch.oauth?.clientId];
  const found = texts.flatMap((text) => (typeof text === 'string' ? [...text.matchAll(pattern)] : []));
  return [...new Set(found.map(([, variable = '']) => variable))];
}

/** Replaces the variables of a definition's launch. Throws `HumanError` with the field and what to do. */
export function resolveLaunch(definition: ServerDefinition, context: VariableContext): ResolvedLaunch {
  const { launch, error, source } = definition;
  if (!launch) {
    throw new HumanError(error ?? 'The server is not configured.');
  }
  const around = { ...context, folder: source.folder?.path ?? context.folder };
  const valueOf = source.dialect === 'claude' ? valueInClaude : valueOfVariable;
  const expand: Expand = (text, field) => {
    if (/\$\{[^{}]*\$\{[^{}]*\}/.test(text)) {
      throw new HumanError(`There is a variable within a variable in ${field}. Variables cannot be nested.`);
    }
    // A replacement function: nothing in a value is looked at again.
    return text.replace(pattern, (_, variable: string) => valueOf(variable, field, around));
  };
  return launch.type === 'stdio' ? resolveStdio(launch, expand, around) : resolveHttp(launch, expand);
}

function valueOfVariable(variable: string, field: string, context: VariableContext): string {
  const { userHome, folder, platform } = context;
  const asked = context.values?.get(variable);
  if (asked && 'value' in asked) {
    return asked.value;
  }
  const separator = variable.indexOf(':');
  const [kind, name] = separator < 0 ? [variable] : [variable.slice(0, separator), variable.slice(separator + 1)];
  switch (kind) {
    case 'env':
      return environmentValue(variable, field, name ?? '', context);
    case 'workspaceFolder':
      return name === undefined
        ? (folder ?? lacking(variable, field, 'no folder is open. Open a folder, or write the path itself'))
        : folderNamed(variable, field, name, context);
    case 'workspaceFolderBasename':
      return basename(folder ?? lacking(variable, field, 'no folder is open'));
    case 'userHome':
      return userHome;
    case 'pathSeparator':
    case '/':
      return pathsOf(platform).sep;
    case 'config':
    case 'command':
    case 'input':
      return lacking(variable, field, asked?.lack ?? 'nobody is here to ask');
    default:
      throw new HumanError(`${nameOf(variable, field)} is not known here. Known are ${knownWords}.`);
  }
}

/** In Claude's files `${NAME}` is a variable of the environment, and `${NAME:-text}` has a text for where it is not set. */
function valueInClaude(variable: string, field: string, context: VariableContext): string {
  const [, name, instead] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(variable) ?? [];
  if (
    name === undefined ||
    (instead === undefined && ['workspaceFolder', 'userHome', 'pathSeparator'].includes(name))
  ) {
    return valueOfVariable(variable, field, context);
  }
  const value = environmentVariable(context.env, name, context.platform);
  return instead !== undefined && !value ? instead : (value ?? environmentValue(variable, field, name, context));
}

function environmentValue(variable: string, field: string, name: string, { env, platform }: VariableContext): string {
  const value = environmentVariable(env, name, platform);
  return (
    value ??
    lacking(
      variable,
      field,
      `the environment that VS Code was started with has no ${quoted(name)}. ` +
        'Set it there and restart VS Code, or write the value itself',
    )
  );
}

function folderNamed(variable: string, field: string, name: string, { folders = [] }: VariableContext): string {
  const found = folders.filter((folder) => folder.name === name);
  return found.length === 1 && found[0]
    ? found[0].path
    : lacking(variable, field, `${found.length === 0 ? 'no' : 'more than one'} open folder is named ${quoted(name)}`);
}

function lacking(variable: string, field: string, why: string): never {
  throw new HumanError(`${nameOf(variable, field)} has no value: ${why}.`);
}

function nameOf(variable: string, field: string): string {
  return `The variable \${${cut(variable)}} in ${field}`;
}

function resolveStdio(launch: StdioLaunch, expand: Expand, context: VariableContext): ResolvedStdio {
  const { userHome, platform } = context;
  const paths = pathsOf(platform);
  const base = context.folder ?? userHome;
  // No shell is involved, yet VS Code understands a leading `~`: the same file has to work here.
  const home: Expand = (text, field) => {
    const expanded = expand(text, field);
    return /^~(?=$|[/\\])/.test(text) ? userHome + expanded.slice(1) : expanded;
  };
  return {
    type: 'stdio',
    command: home(launch.command, 'command'),
    args: launch.args.map((arg, index) => home(arg, `args[${index}]`)),
    cwd: launch.cwd === undefined ? base : paths.resolve(base, home(launch.cwd, 'cwd')),
    env: mapValues(launch.env, (value, name) =>
      value === null ? null : typeof value === 'number' ? String(value) : expand(value, `env.${cut(name)}`),
    ),
    envFile: launch.envFile === undefined ? undefined : paths.resolve(base, home(launch.envFile, 'envFile')),
  };
}

function resolveHttp(launch: HttpLaunch, expand: Expand): ResolvedHttp {
  const url = expand(launch.url, 'url');
  checkUrl(url);
  const headers = mapValues(launch.headers, (value, name) => expand(value, `headers.${cut(name)}`));
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, value);
  }
  const oauth = launch.oauth && { clientId: expand(launch.oauth.clientId, 'oauth.clientId') };
  return { type: launch.type, url, headers, ...(oauth ? { oauth } : {}) };
}

/** The URL is not repeated in errors: it may contain a secret. */
function checkUrl(url: string): void {
  if (!URL.canParse(url)) {
    throw new HumanError('The url is not a valid URL. It must look like https://host/path.');
  }
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new HumanError(`The url must begin with http:// or https://, but it begins with ${quoted(protocol)}.`);
  }
  if (username || password) {
    throw new HumanError('The url contains a user name or a password. Use the header "Authorization" instead.');
  }
}

function checkHeader(name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    throw new HumanError(
      `The header ${quoted(name)} cannot be sent: its name or its value contains characters that HTTP does not allow.`,
    );
  }
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

function cut(text: string): string {
  return quoted(text).slice(1, -1);
}
