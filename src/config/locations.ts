import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { folderPlaces, type ToolPlace } from './places';
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

/** All places in order of precedence: the setting (of the workspace, of the user), the folders' files, the user's file, other tools' files. */
export function locations(options: {
  readonly folders: readonly Folder[];
  /** The workspace is one that can hold several folders, even if it holds one now. */
  readonly multiRoot: boolean;
  readonly userFile: string | undefined;
  /** The workspace's settings configure servers, too. */
  readonly workspaceSetting?: boolean;
  /** Tools whose files are used, each with its file. */
  readonly tools?: readonly { readonly place: ToolPlace; readonly file: string }[];
  /** Name of the kind of remote machine that the user's files lie on, if any. */
  readonly remote?: string;
}): Location[] {
  const { folders, multiRoot, userFile, workspaceSetting, tools = [], remote } = options;
  // A setting and a user's file belong to no folder: there `${workspaceFolder}` is the first one.
  const folder = folders[0];
  const where = remote === undefined ? '' : ` of the remote machine (${remote})`;
  const setting = { kind: 'setting', label: `setting mcpResources.${serversSetting}`, folder } as const;
  const ofWorkspace = { ...setting, label: `workspace ${setting.label}`, ofWorkspace: true };
  const found: Location[] = [
    ...(workspaceSetting ? [{ source: ofWorkspace, idPrefix: '' }] : []),
    { source: setting, idPrefix: '' },
  ];
  const labels = folderLabels(folders);
  folders.forEach((each, index) => {
    const idPrefix = multiRoot ? `${labels[index]}/` : '';
    for (const { label, dialect } of folderPlaces) {
      const file = join(each.path, label);
      found.push({ source: { kind: 'workspace', label: idPrefix + label, file, dialect, folder: each }, idPrefix });
    }
  });
  if (userFile !== undefined) {
    found.push({ source: { kind: 'user', label: `user mcp.json${where}`, file: userFile, folder }, idPrefix: '' });
  }
  for (const { place, file } of tools) {
    const { label, dialect } = place;
    found.push({ source: { kind: 'tool', label: toolLabel(label) + where, file, dialect, folder }, idPrefix: '' });
  }
  // A home folder that is open as a workspace folder holds some of its files under two names.
  return found.filter(({ source: { file } }, index) => {
    return file === undefined || found.findIndex(({ source }) => source.file === file) === index;
  });
}

/** What a tool's file is called. */
export function toolLabel(tool: string): string {
  return `${tool}’s configuration`;
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
