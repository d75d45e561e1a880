import { HumanError, messageOf } from '../base/errors';
import { variablesOfFile } from '../config/environment';
import type { ServerDefinition } from '../config/serverDefinition';
import { resolveLaunch } from '../config/variables';
import { type LaunchSurroundings, thisMachine } from './launchTarget';
import type { LaunchVariables } from './launchVariables';

/** The names of the variables that an `envFile` sets, or why they are not known. */
export type EnvironmentNames = { readonly names: readonly string[] } | { readonly lack: string };

/** Reads the names, never the values, in the `envFile` of a definition; `undefined` where it has none. Asks nobody. */
export async function environmentNames(
  definition: ServerDefinition,
  variables: LaunchVariables | undefined,
  machine: LaunchSurroundings = thisMachine(),
): Promise<EnvironmentNames | undefined> {
  const { launch } = definition;
  if (launch?.type !== 'stdio' || launch.envFile === undefined) {
    return undefined;
  }
  // Nothing else of the definition has to be known for it.
  const { type, envFile } = launch;
  const alone: ServerDefinition = { ...definition, launch: { type, command: '', args: [], env: {}, envFile } };
  try {
    const by = { initiative: 'background', signal: new AbortController().signal } as const;
    const resolved = resolveLaunch(alone, { ...machine, ...(await variables?.of(alone, by)) });
    return resolved.type === 'stdio' && resolved.envFile !== undefined
      ? { names: Object.keys(await variablesOfFile(resolved.envFile, machine.readFile)) }
      : undefined;
  } catch (error) {
    if (error instanceof HumanError) {
      return { lack: messageOf(error) };
    }
    throw error;
  }
}
