import type { ServerList } from './dialect';
import type { Location } from './locations';
import type { InputDefinition, Launch, ServerDefinition, ServerSource } from './serverDefinition';
import { inputPrefix, variablesOf } from './variables';

/** What one place says. */
export interface LocatedServers {
  readonly location: Location;
  readonly list: ServerList;
}

/**
 * One definition per id. Of several the first place wins, so `places` come in order of precedence; `samples` come last.
 * Whether an entry is understood plays no part: a broken entry of the setting hides a good one of a file and is shown
 * with its reason. The same holds where names coincide by chance: the setting's `a/b` wins over folder `a`'s `b`.
 * What is wrong with a whole file or setting is a definition of its own, named like the place.
 */
export function mergeDefinitions(
  places: readonly LocatedServers[],
  samples: readonly ServerDefinition[] = [],
): ServerDefinition[] {
  const merged = new Map<string, { definition: ServerDefinition; shadows: ServerSource[] }>();
  const add = (definition: ServerDefinition): void => {
    const winner = merged.get(definition.id);
    if (winner) {
      winner.shadows.push(definition.source);
    } else {
      merged.set(definition.id, { definition, shadows: [...definition.shadows] });
    }
  };
  places.flatMap(definitionsOf).forEach(add);
  samples.forEach(add);
  return [...merged.values()].map(({ definition, shadows }) => ({ ...definition, shadows }));
}

/** `next` with the objects of `previous` where nothing changed, so that identity tells what changed; `previous` itself when all is equal. */
export function keepUnchanged(
  previous: readonly ServerDefinition[],
  next: readonly ServerDefinition[],
): readonly ServerDefinition[] {
  const known = new Map(previous.map((definition) => [JSON.stringify(definition), definition]));
  const kept = next.map((definition) => known.get(JSON.stringify(definition)) ?? definition);
  const same = kept.length === previous.length && kept.every((definition, index) => definition === previous[index]);
  return same ? previous : kept;
}

function definitionsOf({ location, list }: LocatedServers): ServerDefinition[] {
  const { source, idPrefix } = location;
  const definitions = list.entries.map(({ name, launch, error, line }): ServerDefinition => {
    const what = launch ? { launch, ...inputsOf(launch, list) } : { error: withPlace(error, source, line) };
    return { id: idPrefix + name, name, source, ...what, shadows: [] };
  });
  if (list.error) {
    const error = withPlace(list.error.message, source, list.error.line);
    definitions.unshift({ id: source.label, name: source.label, source, error, shadows: [] });
  }
  return definitions;
}

/** Those that the launch names, so that a change of another one is no change of this server. */
function inputsOf(launch: Launch, { inputs }: ServerList): { inputs?: readonly InputDefinition[] } {
  const ids = inputs ? variablesOf(launch).filter((variable) => variable.startsWith(inputPrefix)) : [];
  const named = ids.flatMap((variable) => inputs?.get(variable.slice(inputPrefix.length)) ?? []);
  return named.length > 0 ? { inputs: named } : {};
}

function withPlace(message: string, source: ServerSource, line: number | undefined): string {
  return `${message} (${source.label}${line === undefined ? '' : `, line ${line}`}).`;
}
