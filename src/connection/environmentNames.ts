import { HumanError, messageOf } from '../base/errors';
import { decidesWhatRuns } from '../config/decidingVariables';
import type { FileVariables } from '../config/definitionPrint';
import { variablesOfFile } from '../config/environment';
import type { ServerDefinition } from '../config/serverDefinition';
import { resolveLaunch } from '../config/variables';
import { SECRET_NAMES } from './configuredSecrets';
import { type LaunchSurroundings, thisMachine } from './launchTarget';
import type { LaunchVariables } from './launchVariables';
import { MASK } from './secrets';

/**
 * The variables that an `envFile` sets: their names, and the values of those alone that decide what runs. Or why they are not
 * known.
 */
export type EnvironmentNames = FileVariables | { readonly lack: string };

/** What a person should know of the `envFile` of a definition; `undefined` where it has none. Asks nobody. */
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
  let passwords: readonly string[] = [];
  try {
    const by = { initiative: 'background', signal: new AbortController().signal } as const;
    const values = await variables?.of(alone, by);
    passwords = values?.passwords ?? [];
    const resolved = resolveLaunch(alone, { ...machine, ...values });
    if (resolved.type !== 'stdio' || resolved.envFile === undefined) {
      return undefined;
    }
    return namesIn(await variablesOfFile(resolved.envFile, machine.readFile));
  } catch (error) {
    if (error instanceof HumanError) {
      // Even a path may hold what was typed as a password.
      return { lack: passwords.filter(Boolean).reduce((text, each) => text.replaceAll(each, MASK), messageOf(error)) };
    }
    throw error;
  }
}

/** What a person should know of these variables. */
export function namesIn(file: Readonly<Record<string, string>>): FileVariables {
  const found = Object.entries(file);
  return {
    names: found.map(([name]) => name),
    deciding: Object.fromEntries(found.filter(([name]) => decidesWhatRuns(name) && !SECRET_NAMES.test(name))),
  };
}
