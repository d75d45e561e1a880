import type { Log } from '../base/log';
import type { ServerDefinition } from '../config/serverDefinition';
import type { BackoffOptions } from './backoff';
import type { EraMemory } from './eraMemory';
import type { InputHandler } from './inputRequest';
import type { StartedBy } from './startedBy';
import type { LaunchedTarget } from './mcpClient';
import type { GroupListener } from './processTree';
import type { SignInHost } from './signInHost';

/** A folder that a server may know of (specification: client/roots). `uri` is a `file:` URI. */
export interface Root {
  readonly uri: string;
  readonly name: string;
}

/** What a connection needs from its surroundings. */
export interface ConnectionHost {
  /** Why nothing may start now (an untrusted workspace), or `undefined`. */
  refusal(): string | undefined;
  /**
   * Resolves where the definition may start. Rejects with `ConsentNeeded` while nobody has said yes to it. `file`: what its
   * `envFile` says, where that was read for the start already.
   */
  consent(definition: ServerDefinition, by: StartedBy, file?: LaunchedTarget['fileVariables']): Promise<void>;
  /** Everything in the definition resolved. Rejects with a HumanError that names what is missing. */
  target(definition: ServerDefinition, by: StartedBy): Promise<LaunchedTarget>;
  /** Milliseconds. */
  startTimeoutMs(serverId: string): number;
  /** Milliseconds until a request must be answered. */
  requestTimeoutMs(serverId: string): number;
  /** A person says that the server offers resources, whatever it declares: it is asked once. */
  listsAnyway(serverId: string): boolean;
  /** Asks a person what a server wants to know. */
  readonly input: InputHandler;
  readonly signIn: SignInHost;
  /** The folders that a person shares with the server; `undefined` where they are not shared. */
  sharedRoots(serverId: string): readonly Root[] | undefined;
  readonly clientVersion: string;
  readonly eras: EraMemory;
  /** Hears of the process groups that are started. */
  readonly groups?: GroupListener;
  /** Pauses between attempts to get a lost connection or stream back. */
  readonly backoff?: BackoffOptions;
  logFor(serverId: string): Log;
}
