import type { HumanError } from '../base/errors';
import type { SessionInfo } from './wire';

/** What a person sees of a connection. */
export type ConnectionState =
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly info: SessionInfo }
  /** `retryAt` (milliseconds since the epoch): it is tried again by itself then. */
  | { readonly kind: 'failed'; readonly error: HumanError; readonly retryAt?: number }
  | { readonly kind: 'stopped' };
