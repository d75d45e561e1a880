import { posix, win32 } from 'node:path';
import { HumanError } from '../base/errors';
import { environmentVariable } from './environment';
import { quoted } from './launchEntry';
import type { HttpLaunch, ServerDefinition, StdioLaunch } from './serverDefinition';

/** What variables stand for. */
export interface VariableContext {
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path; used where the definition's source names no folder. */
  readonly folder?: string;
  readonly platform: NodeJS.Platform;
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

/** Replaces the variables of a definition's launch. Throws `HumanError` with the field and what to do. */
export function resolveLaunch(definition: ServerDefinition, context: VariableContext): ResolvedLaunch {
  const { launch, error, source } = definition;
  if (!launch) {
    throw new HumanError(error ?? 'The server is not configured.');
  }
  const folder = source.folder?.path ?? context.folder;
  const expand: Expand = (text, field) =>
    // Not `{` inside: keeps the search linear. A replacement function: nothing in a value is looked at again.
    text.replace(/\$\{([^{}]*)\}/g, (_, variable: string) => valueOfVariable(variable, field, { ...context, folder }));
  return launch.type === 'stdio' ? resolveStdio(launch, expand, { ...context, folder }) : resolveHttp(launch, expand);
}

function valueOfVariable(variable: string, field: string, context: VariableContext): string {
  const { userHome, folder, env, platform } = context;
  const name = `The variable \${${cut(variable)}} in ${field}`;
  if (variable.startsWith('env:')) {
    const value = environmentVariable(env, variable.slice('env:'.length), platform);
    if (value === undefined) {
      throw new HumanError(
        `${name} has no value: the environment that VS Code was started with has no ${quoted(variable.slice(4))}. ` +
          'Set it there and restart VS Code, or write the value itself.',
      );
    }
    return value;
  }
  switch (variable) {
    case 'workspaceFolder':
      if (folder === undefined) {
        throw new HumanError(`${name} has no value: no folder is open. Open a folder, or write the path itself.`);
      }
      return folder;
    case 'userHome':
      return userHome;
    case 'pathSeparator':
    case '/':
      return pathsOf(platform).sep;
    default:
      throw new HumanError(
        `${name} is not known here. Known are \${workspaceFolder}, \${userHome}, \${pathSeparator} and \${env:NAME}.`,
      );
  }
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
