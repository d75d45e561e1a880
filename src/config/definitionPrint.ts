import { hash } from 'node:crypto';
import type { ServerDefinition } from './serverDefinition';
import { variablesOf } from './variables';

/** What of a definition can have changed, in the order in which a person is told. */
export const definitionParts = [
  'transport',
  'command',
  'args',
  'cwd',
  'env',
  'envFile',
  'envNames',
  'url',
  'headers',
  'oauth',
  'inputs',
  'settings',
] as const;
export type DefinitionPart = (typeof definitionParts)[number];

/** A definition as digests, since what it is made of may hold secrets. */
export interface DefinitionPrint {
  /** Of everything that is written there: equal for the exact same definition only. */
  readonly exact: string;
  /** Of each part that there is, to tell what changed. */
  readonly parts: Readonly<Partial<Record<DefinitionPart, string>>>;
  /** Of each variable in the `envFile`, by the digest of its name: of its value, where that decides what runs, else empty. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** What an `envFile` sets that a person should know: its names, and the values that decide what runs. */
export interface FileVariables {
  readonly names: readonly string[];
  readonly deciding: Readonly<Record<string, string>>;
}

/** How the variables in an `envFile` are others than before. */
export interface ChangedVariables {
  /** The names of those that are new, or decide what runs and have another value. */
  readonly fresh: readonly string[];
  /** Some are no longer set. Which is not known any more. */
  readonly someGone: boolean;
}

/** What a `${config:NAME}` stands for, and whether the workspace says so. */
export interface UsedSetting {
  readonly value: string | undefined;
  readonly ofWorkspace: boolean;
}

/** By name. */
export type UsedSettings = Readonly<Record<string, UsedSetting>>;

const settingPrefix = 'config:';

/** The settings that a definition names. */
export function settingNamesOf({ launch }: ServerDefinition): string[] {
  const variables = launch ? variablesOf(launch) : [];
  return variables.filter((each) => each.startsWith(settingPrefix)).map((each) => each.slice(settingPrefix.length));
}

/**
 * The digests of a definition as it is written, variables not replaced, of the settings that it names, and of the names
 * in its `envFile` with the values that decide what runs, where they are known.
 */
export function printOf(
  { launch, inputs, source }: ServerDefinition,
  settings: UsedSettings = {},
  file?: FileVariables,
): DefinitionPrint {
  const { type: transport, ...fields } = launch ?? { type: undefined };
  const values = Object.entries(settings).map(([name, { value }]) => [name, value ?? null] as const);
  const all: Partial<Record<DefinitionPart, unknown>> = {
    transport,
    ...fields,
    inputs,
    settings: values.length > 0 ? Object.fromEntries(values) : undefined,
  };
  const present = definitionParts.filter((part) => isPresent(all[part]));
  const parts = present.map((part) => [part, partDigest(all[part])] as const);
  return {
    exact: digest([Object.fromEntries(present.map((part) => [part, all[part]])), source.dialect === 'claude']),
    // Beside the exact print: a file that cannot be read has no names, and makes no other definition of it.
    parts: Object.fromEntries(
      file ? [...parts, ['envNames', partDigest([[...file.names].sort(), file.deciding])]] : parts,
    ),
    ...(file ? { variables: Object.fromEntries(file.names.map((name) => variableDigests(name, file))) } : {}),
  };
}

/** Which parts came, went or are others than before. */
export function changedParts(before: DefinitionPrint, now: DefinitionPrint): DefinitionPart[] {
  return definitionParts.filter((part) => before.parts[part] !== now.parts[part]);
}

/** Which variables of a file came, went or are others; `undefined` where it is not known what there was. */
export function changedVariables(before: DefinitionPrint, file: FileVariables): ChangedVariables | undefined {
  const old = before.variables;
  if (!old) {
    return undefined;
  }
  const now = file.names.map((name) => [name, ...variableDigests(name, file)] as const);
  const left = new Set(now.map(([, key]) => key));
  return {
    fresh: now.filter(([, key, value]) => old[key] !== value).map(([name]) => name),
    someGone: Object.keys(old).some((key) => !left.has(key)),
  };
}

function variableDigests(name: string, { deciding }: FileVariables): readonly [name: string, value: string] {
  return [partDigest(name), Object.hasOwn(deciding, name) ? partDigest([name, deciding[name]]) : ''];
}

function partDigest(value: unknown): string {
  return digest(value).slice(0, 16);
}

/** SHA-256 of a JSON value in which the order of an object's fields says nothing. */
export function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value));
}

/** A JSON value as text, the same whatever order an object's fields have. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? // By code units: `localeCompare` is another order elsewhere.
        Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** An empty list or record is no part: it says the same as none. */
function isPresent(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0);
}
