import type { ServerConnection } from '../connection/serverConnection';
import type { Turns } from './turns';

/** What an entry needs of the store. */
export interface EntrySurroundings {
  /** Throws a HumanError when the server is not configured. */
  connection(): ServerConnection;
  connectionIfAny(): ServerConnection | undefined;
  listedType(): string | undefined;
  /** Many resources change faster than they are read. */
  isCrowded(): boolean;
  isInView(): boolean;
  readonly turns: Turns;
  changed(): void;
  /** The resource may have changed: it is being read again. */
  rereading(): void;
  /** An answer of the server was accepted, the same or another one. */
  accepted(): void;
  failed(error: Error | undefined): void;
  resized(): void;
}
