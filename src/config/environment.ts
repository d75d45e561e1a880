import { parse } from 'dotenv';
import { HumanError, messageOf } from '../base/errors';
import type { ResolvedStdio } from './variables';

/** What a child's environment is made of. */
export interface EnvironmentInput {
  /** The extension host's own environment. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly launch: Pick<ResolvedStdio, 'env' | 'envFile'>;
  readonly platform: NodeJS.Platform;
  /** Reads a text file; rejects when that is not possible. */
  readonly readFile: (path: string) => Promise<string>;
}

/**
 * Variables that VS Code or Electron set for their own processes and that a terminal outside of VS Code would not have.
 * `ELECTRON_RUN_AS_NODE` alone turns any Electron program that a server starts into a bare Node.
 */
const editorVariables = /^(VSCODE_|ELECTRON_|APPLICATION_INSIGHTS_NO_|CHROME_DESKTOP$|ORIGINAL_XDG_CURRENT_DESKTOP$)/;

/** The parts of NODE_OPTIONS by which VS Code's JavaScript debugger attaches itself to children of what it debugs. */
const debuggerOptions = /(^|\s)(--require[= ]\s*("[^"]*js-debug[^"]*"|\S*js-debug\S*)|--inspect-publish-uid=\S*)/g;

/**
 * The whole environment for a stdio server: the inherited one without the editor's own variables, then `envFile`, then
 * `env`. Rejects with `HumanError` when `envFile` cannot be read.
 */
export async function childEnvironment(input: EnvironmentInput): Promise<Record<string, string>> {
  const { inherited, launch, platform, readFile } = input;
  const environment = new Environment(platform);
  for (const [name, value] of Object.entries(inherited)) {
    environment.set(name, editorVariables.test(name) ? null : ownValue(name, value));
  }
  if (launch.envFile !== undefined) {
    for (const [name, value] of Object.entries(await variablesOfFile(launch.envFile, readFile))) {
      environment.set(name, value);
    }
  }
  for (const [name, value] of Object.entries(launch.env)) {
    environment.set(name, value);
  }
  return environment.toObject();
}

/** The variables that an `envFile` sets, in its order. Rejects with `HumanError` when it cannot be read. */
export async function variablesOfFile(
  path: string,
  readFile: EnvironmentInput['readFile'],
): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(path).catch((error: unknown) => {
    throw new HumanError(`The envFile ${path} ${unreadable(error)}`, { cause: error });
  });
  // The library's other way gives the same, and takes the square of the time over empty lines.
  return parse(text.replace(/^\uFEFF/, ''), { fast: true });
}

/** Without the path that the system adds to its reasons. */
function unreadable(error: unknown): string {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? 'does not exist.'
    : `cannot be read: ${messageOf(error).replace(/, open '.*'$/s, '')}`;
}

/** The value of a variable by the platform's rule: on Windows `PATH` finds `Path`. */
export function environmentVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (Object.hasOwn(env, name)) {
    return env[name];
  }
  const wanted = name.toUpperCase();
  const key = platform === 'win32' ? Object.keys(env).find((other) => other.toUpperCase() === wanted) : undefined;
  return key === undefined ? undefined : env[key];
}

/**
 * A person's own NODE_OPTIONS is kept, as a terminal would have it; VS Code deletes it for its extension host anyway.
 * What the debugger put there goes: it makes a child wait for, or talk to, a debugger of ours.
 */
function ownValue(name: string, value: string | undefined): string | null {
  if (value === undefined || name.toUpperCase() !== 'NODE_OPTIONS') {
    return value ?? null;
  }
  const own = value.replace(debuggerOptions, '').trim();
  return own === '' ? null : own;
}

/** Variables by name; on Windows `Path` and `PATH` are one, and the last spelling stays. */
class Environment {
  private readonly values = new Map<string, [name: string, value: string]>();

  constructor(private readonly platform: NodeJS.Platform) {}

  /** Sets a variable; `null` removes it. */
  set(name: string, value: string | null): void {
    if (value?.includes('\0')) {
      throw new HumanError(`The environment variable ${name} contains a NUL character, which no program can be given.`);
    }
    const key = this.platform === 'win32' ? name.toUpperCase() : name;
    if (value === null) {
      this.values.delete(key);
    } else {
      this.values.set(key, [name, value]);
    }
  }

  toObject(): Record<string, string> {
    return Object.fromEntries(this.values.values());
  }
}
