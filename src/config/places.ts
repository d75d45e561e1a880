import { posix, win32 } from 'node:path';
import type { Dialect } from './serverDefinition';

/** The machine that files lie on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file of a workspace folder. */
export interface FolderPlace {
  readonly id: string;
  readonly scope: 'folder';
  /** Its path below the folder, which is also what people know it by. */
  readonly label: string;
  readonly dialect: Dialect;
}

/** The user's own file of another tool. */
export interface ToolPlace {
  readonly id: string;
  readonly scope: 'tool';
  /** The tool's name. */
  readonly label: string;
  /** Absolute. */
  readonly path: (machine: Machine) => string;
  readonly dialect: Dialect;
}

/** The files that servers are read from beside the user's own `mcp.json`, in order of precedence. */
export const places: readonly (FolderPlace | ToolPlace)[] = [
  { id: 'vscode', scope: 'folder', label: '.vscode/mcp.json', dialect: 'vscode' },
  { id: 'mcp', scope: 'folder', label: '.mcp.json', dialect: 'claude' },
  { id: 'cursorFolder', scope: 'folder', label: '.cursor/mcp.json', dialect: 'vscode' },
  {
    id: 'cursor',
    scope: 'tool',
    label: 'Cursor',
    path: (machine) => below(machine, machine.userHome, '.cursor', 'mcp.json'),
    dialect: 'vscode',
  },
  {
    id: 'windsurf',
    scope: 'tool',
    label: 'Windsurf',
    path: (machine) => below(machine, machine.userHome, '.codeium', 'windsurf', 'mcp_config.json'),
    dialect: 'windsurf',
  },
  {
    id: 'claudeDesktop',
    scope: 'tool',
    label: 'Claude Desktop',
    path: (machine) => below(machine, applicationData(machine), 'Claude', 'claude_desktop_config.json'),
    dialect: 'claude',
  },
];

export const folderPlaces = places.filter((place) => place.scope === 'folder');
export const toolPlaces = places.filter((place) => place.scope === 'tool');

/** The user's `mcp.json`, which lies beside the user's settings: two levels above an extension's global storage. */
export function userFileOf(globalStoragePath: string, { platform }: Pick<Machine, 'platform'>): string {
  return pathsOf(platform).join(globalStoragePath, '..', '..', 'mcp.json');
}

/**
 * The path that a person set for the user's file: absolute, or relative to the home folder, for which `~` and
 * `${userHome}` stand, too. `undefined` where nothing is set.
 */
export function userFileAt(setting: unknown, { platform, userHome }: Machine): string | undefined {
  if (typeof setting !== 'string' || setting.trim() === '') {
    return undefined;
  }
  const path = setting.trim().replace(/^(~|\$\{userHome\})(?=$|[/\\])/, () => userHome);
  return pathsOf(platform).resolve(userHome, path);
}

function applicationData(machine: Machine): string {
  const { platform, userHome, env } = machine;
  const { APPDATA = '' } = env;
  switch (platform) {
    case 'win32':
      return APPDATA === '' ? below(machine, userHome, 'AppData', 'Roaming') : APPDATA;
    case 'darwin':
      return below(machine, userHome, 'Library', 'Application Support');
    default:
      // By its specification a path that is not absolute does not count.
      return env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : below(machine, userHome, '.config');
  }
}

function below({ platform }: Machine, ...parts: string[]): string {
  return pathsOf(platform).join(...parts);
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
