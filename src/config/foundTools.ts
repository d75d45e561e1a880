import { locations } from './locations';
import { type Machine, type ToolPlace, toolPlaces } from './places';
import { readLocations } from './readLocations';
import type { ToolChoice } from './toolChoice';

/** Another tool's file. */
export interface ToolFile {
  readonly place: ToolPlace;
  /** Absolute path. */
  readonly file: string;
}

/** Another tool's file that has servers, or is used. */
export interface FoundTool extends ToolFile {
  readonly servers: readonly string[];
  /** What a person said; `undefined`: not asked yet. */
  readonly used: boolean | undefined;
}

/** Nobody has said yet whether it is to be used. */
export function isOffered({ servers, used }: FoundTool): boolean {
  return used === undefined && servers.length > 0;
}

/** The files that a person wants to be used here. */
export function usedToolFiles(machine: Machine, tools: ToolChoice): ToolFile[] {
  return toolFiles(machine).filter(({ place }) => tools.answer(place.id) === true);
}

/** Looks into the files of all tools. Rejects only when aborted. */
export async function findTools(machine: Machine, tools: ToolChoice, signal: AbortSignal): Promise<FoundTool[]> {
  const files = toolFiles(machine);
  const all = locations({ folders: [], multiRoot: false, userFile: undefined, tools: files });
  const read = await readLocations(
    all.filter(({ source }) => source.kind === 'tool'),
    undefined,
    signal,
  );
  return files
    .map(({ place, file }) => {
      const list = read.find(({ location }) => location.source.file === file)?.list;
      return { place, file, servers: list?.entries.map(({ name }) => name) ?? [], used: tools.answer(place.id) };
    })
    .filter(({ servers, used }) => servers.length > 0 || used);
}

function toolFiles(machine: Machine): ToolFile[] {
  return toolPlaces.map((place) => ({ place, file: place.path(machine) }));
}
