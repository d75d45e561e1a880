import { PersonNeeded } from './personNeeded';

/** Why a sign-in is needed, each with one remedy: signing in. */
export type SignInReason =
  /** The server asks for a token, and there is none. */
  | 'noToken'
  /** The token is no longer accepted and cannot be renewed. */
  | 'expired'
  /** The authorization server refused to renew it: revoked, or too long unused. */
  | 'revoked'
  /** A token that was only just issued is refused, too. */
  | 'rejected'
  /** What was asked for needs more rights than were granted. */
  | 'scope'
  /** The person gave it up, or the time for it ran out. */
  | 'cancelled'
  /** The authorization server says that access was denied. */
  | 'denied'
  /** Another authorization server than the one that was asked gave the answer. */
  | 'wrongIssuer'
  /** The client id, or its secret, is not accepted. */
  | 'client'
  | 'signedOut';

const words: Record<SignInReason, string> = {
  noToken: 'Sign-in needed: the server asks who you are.',
  expired: 'Sign-in needed: the last one has expired.',
  revoked: 'Sign-in needed: the last one was revoked or has expired.',
  rejected: 'Sign-in needed: the server refuses what the last one gave.',
  scope: 'Sign-in needed: this needs more rights than were granted.',
  cancelled: 'Sign-in needed: the last one was cancelled.',
  denied: 'Sign-in needed: access was denied at the last one.',
  wrongIssuer: 'Sign-in needed: the last one was refused, since it was not answered by the right authorization server.',
  client: 'Sign-in needed: the client id or its secret was refused at the last one.',
  signedOut: 'Sign-in needed: you signed out.',
};

/** What a server says when it refuses (specification: basic/authorization; RFC 9728, RFC 6750). */
export interface Challenge {
  /** Where the server's metadata are. */
  readonly resourceMetadataUrl?: URL;
  /** Rights, separated by spaces. */
  readonly scope?: string;
}

/** Nothing but a person's sign-in helps. In the background it is a state, never a dialog. */
export class SignInNeeded extends PersonNeeded {
  override readonly name = 'SignInNeeded';

  constructor(
    readonly reason: SignInReason,
    readonly challenge: Challenge = {},
    options?: { cause?: unknown },
  ) {
    super(words[reason], options);
  }
}
