import type { ResourceRef } from '../connection/connectionPool';

/** A pinned resource as it is now. */
export interface PinnedResource {
  readonly ref: ResourceRef;
  readonly label: string;
  /**
   * `waiting`: its server is not connected; `lost`: no such server is configured; `gone`: the server does not find it;
   * `unread`: it is about to be read.
   */
  readonly state: 'ready' | 'unread' | 'waiting' | 'lost' | 'gone' | 'failed';
  /** Why it could not be read, where it failed. */
  readonly failure?: string;
  /** About how many tokens it is; `undefined` before it was read, and for what is no text. */
  readonly tokens?: number;
  /** It says something else than when it was last attached. */
  readonly changed: boolean;
}
