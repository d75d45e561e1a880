import type { Slices } from '../base/slices';
import type { ResourceEntry } from '../connection/wire';

/** A folder of resources whose URIs begin alike. */
export interface PathGroup {
  /** What all URIs in it begin with; ends with a slash. */
  readonly prefix: string;
  /** The parts of the prefix that the folder above does not have: more than one where nothing else lies between. */
  readonly label: string;
  readonly entries: readonly ResourceEntry[];
}

/** What lies directly in a folder. */
export interface PathLevel {
  readonly groups: readonly PathGroup[];
  readonly entries: readonly ResourceEntry[];
}

/** Where scheme and authority end: they are one part. */
const HEAD = /^[a-z0-9][a-z0-9+.-]*:(?:\/\/[^/?#]*)?\/?/iu;

/**
 * One level of the folders that URIs make: split at slashes before the first `?` or `#`. The URIs stay opaque: nothing is
 * decoded, and a URI that is also the folder of others is a resource beside the folder.
 */
export async function pathLevel(entries: readonly ResourceEntry[], prefix: string, slices: Slices): Promise<PathLevel> {
  const found = new Map<string, ResourceEntry[]>();
  const direct: ResourceEntry[] = [];
  for (const entry of entries) {
    const end = partEnd(entry.uri, prefix.length);
    if (end === undefined) {
      direct.push(entry);
    } else {
      const key = entry.uri.slice(0, end);
      const group = found.get(key);
      if (group) {
        group.push(entry);
      } else {
        found.set(key, [entry]);
      }
    }
    const pause = slices.step();
    if (pause) {
      await pause;
    }
  }
  const groups: PathGroup[] = [];
  for (const [key, members] of found) {
    const whole = await compact(key, members, slices);
    groups.push({ prefix: whole, label: whole.slice(prefix.length).replace(/(?<!\/)\/$/u, ''), entries: members });
  }
  return { groups, entries: direct };
}

/** The longest prefix that the members' folders have in common. */
async function compact(key: string, members: readonly ResourceEntry[], slices: Slices): Promise<string> {
  let common = key;
  for (;;) {
    const next = partEnd(members[0]!.uri, common.length);
    if (next === undefined) {
      return common;
    }
    // What lies before it is known to be the same: to compare it again for each part would take far too long.
    const part = members[0]!.uri.slice(common.length, next);
    for (const { uri } of members) {
      if (!uri.startsWith(part, common.length) || partEnd(uri, common.length) !== next) {
        return common;
      }
      const pause = slices.step();
      if (pause) {
        await pause;
      }
    }
    common += part;
  }
}

/** Where the part that begins at `from` ends, slash included; `undefined` where it is the last. */
function partEnd(uri: string, from: number): number | undefined {
  const head = from === 0 ? (HEAD.exec(uri)?.[0].length ?? 0) : 0;
  if (head > 0) {
    return head < uri.length ? head : undefined;
  }
  const slash = uri.indexOf('/', from);
  const stop = uri.slice(from, slash < 0 ? undefined : slash).search(/[?#]/u);
  // A slash at the very end makes no part of its own.
  return slash < 0 || stop >= 0 || slash === uri.length - 1 ? undefined : slash + 1;
}
