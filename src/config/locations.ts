import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ServerSource } from './serverDefinition';

/** A workspace folder: its name in the editor and its absolute path. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** A place where servers are configured. */
export interface Location {
  readonly source: ServerSource;
  /** Goes before a server's name in its id; empty except for a folder's file in a multi-root workspace. */
  readonly idPrefix: string;
}

/** The setting's name, below the section `mcpResources`. */
export const serversSetting = 'servers';

/** A folder's file, relative to the folder. */
export const folderFile = '.vscode/mcp.json';

/** The user's `mcp.json`, which lies beside the user's settings: two levels above an extension's global storage. */
export function userFileOf(globalStoragePath: string): string {
  return join(globalStoragePath, '..', '..', 'mcp.json');
}

/** All places in order of precedence: the setting, the folders' files, the user's file. */
export function locations(options: {
  readonly folders: readonly Folder[];
  /** The workspace is one that can hold several folders, even if it holds one now. */
  readonly multiRoot: boolean;
  readonly userFile: string | undefined;
}): Location[] {
  const { folders, multiRoot, userFile } = options;
  // A setting and a user's file belong to no folder: there `${workspaceFolder}` is the first one.
  const folder = folders[0];
  const found: Location[] = [
    { source: { kind: 'setting', label: `setting mcpResources.${serversSetting}`, folder }, idPrefix: '' },
  ];
  const labels = folderLabels(folders);
  folders.forEach((each, index) => {
    const prefix = multiRoot ? `${labels[index]}/` : '';
    const file = join(each.path, folderFile);
    found.push({
      source: { kind: 'workspace', label: `${prefix}${folderFile}`, file, folder: each },
      idPrefix: prefix,
    });
  });
  if (userFile !== undefined) {
    found.push({ source: { kind: 'user', label: 'user mcp.json', file: userFile, folder }, idPrefix: '' });
  }
  return found;
}

/**
 * A distinct label without slash for each folder, depending on nothing but the folders. It is the folder's name; where
 * names repeat, or a name contains `/` or `~`, `name~` and six digits of the path's hash. So `label/server` can be
 * taken apart at the first slash, and no server's name can make one folder's id that of another.
 */
export function folderLabels(folders: readonly Folder[]): string[] {
  return folders.map(({ name, path }) => {
    const plain = !/[/~]/.test(name) && folders.filter((other) => other.name === name).length === 1;
    const hash = createHash('sha256').update(path).digest('hex').slice(0, 6);
    return plain ? name : `${name.replaceAll('/', '-')}~${hash}`;
  });
}
