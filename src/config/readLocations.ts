import { canonicalJson } from './definitionPrint';
import { parseServersFile, parseServersSetting, type ServerList } from './dialect';
import { isObject } from './launchEntry';
import type { Location } from './locations';
import type { LocatedServers } from './merge';
import { readConfigFile } from './readConfigFile';

/** The value of `mcpResources.servers`: the user's own, and what comes of it and the workspace's settings together. */
export interface ServersSetting {
  readonly own: unknown;
  readonly merged: unknown;
}

/** What each of the places says. Rejects only when aborted. */
export function readLocations(
  locations: readonly Location[],
  setting: ServersSetting | undefined,
  signal: AbortSignal,
): Promise<LocatedServers[]> {
  return Promise.all(
    locations.map(async (location) => ({ location, list: await readLocation(location, setting, signal) })),
  );
}

async function readLocation(
  { source }: Location,
  setting: ServersSetting | undefined,
  signal: AbortSignal,
): Promise<ServerList> {
  if (source.file === undefined) {
    return parseServersSetting(source.ofWorkspace ? setting && workspacePart(setting) : setting?.own);
  }
  const found = await readConfigFile(source.file, signal);
  switch (found.kind) {
    case 'text':
      return parseServersFile(found.text, source.dialect);
    case 'none':
      return { entries: [] };
    case 'error':
      return { entries: [], error: { message: found.message } };
  }
}

/**
 * The entries that are not exactly the user's own. The editor merges both field by field: an entry of the user's into
 * which the workspace puts a single argument is the workspace's.
 */
function workspacePart({ own, merged }: ServersSetting): unknown {
  if (!isObject(merged)) {
    return merged;
  }
  const isOwn = (name: string, entry: unknown): boolean =>
    isObject(own) && Object.hasOwn(own, name) && canonicalJson(own[name]) === canonicalJson(entry);
  return Object.fromEntries(Object.entries(merged).filter(([name, entry]) => !isOwn(name, entry)));
}
