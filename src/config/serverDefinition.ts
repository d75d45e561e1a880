/** How a server is started over stdio, as written in the configuration (variables not yet resolved). */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** A string or number sets, `null` removes from the inherited environment. */
  readonly env: Readonly<Record<string, string | number | null>>;
  /** Path of a dotenv file whose values come before `env`. */
  readonly envFile?: string;
}

/** How a server is reached over HTTP, as written. `http` is Streamable HTTP with SSE as the fallback; `sse` is SSE alone. */
export interface HttpLaunch {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How to sign in: the id that the authorization server knows us by, as in VS Code's own `mcp.json`. */
  readonly oauth?: { readonly clientId: string };
}

export type Launch = StdioLaunch | HttpLaunch;

/** A value that a person is asked for, or a command gives: what `${input:id}` stands for. */
export type InputDefinition = { readonly id: string; readonly description?: string } & (
  | { readonly type: 'promptString'; readonly default?: string; readonly password: boolean }
  | {
      readonly type: 'pickString';
      readonly default?: string;
      readonly options: readonly { readonly label: string; readonly value: string }[];
    }
  | { readonly type: 'command'; readonly command: string; readonly args?: unknown }
);

/** How a file is written: VS Code's way, or that of another tool where it differs. */
export type Dialect = 'vscode' | 'claude' | 'windsurf';

/** `tool`: the user's own file of another tool, used because the user said so. */
export type SourceKind = 'setting' | 'workspace' | 'user' | 'tool' | 'sample';

/** Where a definition was found. */
export interface ServerSource {
  readonly kind: SourceKind;
  /** A setting to which the workspace's settings have contributed. */
  readonly ofWorkspace?: boolean;
  /** In plain words, for tooltips: "setting mcpResources.servers", "docs/.vscode/mcp.json", "user mcp.json". */
  readonly label: string;
  /** Absolute path of the file, where it is a file. */
  readonly file?: string;
  /** Absent: VS Code's own. */
  readonly dialect?: Dialect;
  /** Workspace folder (name and absolute path) that `${workspaceFolder}` stands for. */
  readonly folder?: { readonly name: string; readonly path: string };
}

/** Whether a definition came with the workspace, and is not the person's own. */
export function isOfWorkspace({ kind, ofWorkspace }: ServerSource): boolean {
  return kind === 'workspace' || ofWorkspace === true;
}

/** One configured server. `launch` is absent when the entry could not be understood; `error` then says why. */
export interface ServerDefinition {
  /** The name, or `folder/name` for a folder's file in a multi-root workspace. Never depends on other entries. */
  readonly id: string;
  readonly name: string;
  readonly source: ServerSource;
  readonly launch?: Launch;
  /** The inputs that the launch names, as its file describes them; absent where there are none. */
  readonly inputs?: readonly InputDefinition[];
  readonly error?: string;
  /** Sources of the same id that this definition wins over. */
  readonly shadows: readonly ServerSource[];
}
