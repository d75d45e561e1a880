/** Where the core writes what happened. `vscode.LogOutputChannel` fits it. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** Whether what is written at level Trace is kept: what is costly to put in words is left out otherwise. */
  readonly traces?: () => boolean;
}
