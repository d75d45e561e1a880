import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { digestOf } from '../base/digest';
import { HumanError } from '../base/errors';
import { readRegularFile } from '../base/readRegularFile';
import { childEnvironment, environmentVariable, variablesOfFile } from '../config/environment';
import type { ServerDefinition } from '../config/serverDefinition';
import { resolveLaunch, type VariableContext } from '../config/variables';
import { findWindowsCommand, windowsSpawn } from '../config/windowsCommand';
import type { LaunchedTarget } from './mcpClient';

/** What a definition is resolved against. */
export interface LaunchSurroundings extends VariableContext {
  readonly readFile: (path: string) => Promise<string>;
  readonly passwords?: readonly string[];
}

/** Bytes of an `envFile`. */
const LARGEST_FILE = 1024 * 1024;

/** This machine, as it is now. */
export function thisMachine(): LaunchSurroundings {
  const { env, platform } = process;
  const readFile = async (path: string): Promise<string> =>
    (await readRegularFile(path, LARGEST_FILE)).toString('utf8');
  return { env, platform, userHome: homedir(), readFile };
}

/** What to connect to: variables replaced, the environment complete, on Windows the file that a command means. */
export async function launchTarget(definition: ServerDefinition, around: LaunchSurroundings): Promise<LaunchedTarget> {
  const launch = resolveLaunch(definition, around);
  const { platform, env: inherited, readFile: read, passwords } = around;
  if (launch.type !== 'stdio') {
    return { ...launch, passwords, digest: digestOf(launch) };
  }
  const { command, args, cwd } = launch;
  // Read once: what is looked at by a person is what starts.
  let text: Promise<string> | undefined;
  const readFile = (path: string): Promise<string> => (text ??= read(path));
  const env = await childEnvironment({ inherited, launch, platform, readFile });
  const fileVariables = launch.envFile === undefined ? undefined : await variablesOfFile(launch.envFile, readFile);
  // Of the environment only what the definition sets: the rest differs from window to window.
  const digest = digestOf(launch);
  // A missing folder fails with the same code as a missing command: told apart here.
  if (!(await isDirectory(cwd))) {
    throw new HumanError(`The folder to start the server in does not exist: ${cwd}. Check "cwd" of the server.`);
  }
  if (platform !== 'win32') {
    return { type: 'stdio', command, args, cwd, env, passwords, digest, fileVariables };
  }
  const found = await findWindowsCommand(command, {
    PATH: environmentVariable(env, 'PATH', platform) ?? '',
    PATHEXT: environmentVariable(env, 'PATHEXT', platform),
    cwd,
    exists: async (path) => (await stat(path).catch(() => undefined))?.isFile() ?? false,
  });
  const spawn = windowsSpawn(found ?? command, args, environmentVariable(env, 'ComSpec', platform));
  return {
    type: 'stdio',
    command: spawn.file,
    args: spawn.args,
    cwd,
    env,
    passwords,
    digest,
    fileVariables,
    verbatimArguments: spawn.windowsVerbatimArguments,
  };
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
