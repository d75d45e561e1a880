import type { HumanError } from '../base/errors';
import type { SessionInfo } from './wire';

/** What a person sees of a connection. */
export type ConnectionState =
  | { readonly kind: 'notConnected' }
  /** `asks`: a person is being asked for what it takes. */
  | { readonly kind: 'connecting'; readonly asks?: boolean }
  | { readonly kind: 'connected'; readonly info: SessionInfo }
  /** `retryAt` (milliseconds since the epoch): it is tried again by itself then. */
  | { readonly kind: 'failed'; readonly error: HumanError; readonly retryAt?: number }
  | { readonly kind: 'stopped' };
