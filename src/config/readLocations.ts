import { parseServersFile, parseServersSetting, type ServerList } from './dialect';
import type { Location } from './locations';
import type { LocatedServers } from './merge';
import { readConfigFile } from './readConfigFile';

/** What each of the places says; `setting` is the value of `mcpResources.servers`. Rejects only when aborted. */
export function readLocations(
  locations: readonly Location[],
  setting: unknown,
  signal: AbortSignal,
): Promise<LocatedServers[]> {
  return Promise.all(
    locations.map(async (location) => ({ location, list: await readLocation(location, setting, signal) })),
  );
}

async function readLocation({ source }: Location, setting: unknown, signal: AbortSignal): Promise<ServerList> {
  if (source.file === undefined) {
    return parseServersSetting(setting);
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
