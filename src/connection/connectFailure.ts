import { HumanError, messageOf } from '../base/errors';
import type { Credentials } from './credentials';
import type { SdkModule, SessionTarget } from './mcpClient';
import { deepestMessage, signInRefusal } from './sdkFailure';
import { lastWords } from './lastWords';
import { holdCredential, type Secrets } from './secrets';

/** The process ended before the handshake was done. */
export class ProcessEnded extends Error {
  constructor(reason: string, cause: unknown) {
    super(reason, { cause });
  }
}

/** Words for a refusal that no sign-in can mend. `target` is what was connected to. */
export function accessRefused(status: number, target: SessionTarget): string {
  return target.type !== 'stdio' && holdCredential(target.headers)
    ? `The server refuses access (HTTP ${status}): the credential in its headers was rejected.`
    : `The server refuses access (HTTP ${status}). Check the credentials in its headers.`;
}

/** The system's word for why nothing was reached at all; `undefined` where something was. */
export function unreachable(error: unknown): string | undefined {
  return /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ECONNRESET|ETIMEDOUT/.exec(deepestMessage(error))?.[0];
}

interface Attempt {
  readonly sdk: SdkModule;
  readonly target: SessionTarget;
  readonly startTimeoutMs: number;
  readonly credentials?: Credentials;
  /** What was logged since the start, without secrets. */
  readonly logged: () => readonly string[];
}

/** Why a connection did not come about, in words that say what to do. */
export function connectFailure(attempt: Attempt, error: unknown): HumanError {
  const { sdk, target, startTimeoutMs } = attempt;
  const refusal = signInRefusal(attempt, error);
  if (refusal) {
    return refusal;
  }
  if (error instanceof HumanError) {
    return error;
  }
  const seconds = Math.round(startTimeoutMs / 1000);
  if (error instanceof ProcessEnded) {
    const words = lastWords(attempt.logged());
    const end = words === undefined ? '. Its log may say more.' : `: ${words}`;
    // As short as can be: the last words are to be seen in a narrow view, too.
    const reason = error.message.charAt(0).toUpperCase() + error.message.slice(1);
    return new HumanError(reason + end, { cause: error });
  }
  const status =
    error instanceof sdk.SdkHttpError
      ? error.status
      : Number(/Non-200 status code \((\d{3})\)/.exec(messageOf(error))?.[1] ?? NaN);
  if (status === 401 || status === 403) {
    return new HumanError(accessRefused(status, target), { cause: error });
  }
  if (status > 0) {
    return new HumanError(`The server answered with HTTP ${status}. Check its address.`, { cause: error });
  }
  const refused = unreachable(error);
  if (refused !== undefined) {
    return new HumanError(`Nothing answers at the server's address (${refused}). Is it running?`, { cause: error });
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
    return new HumanError(
      `The server did not answer within ${seconds} s. If it needs longer to start, raise mcpResources.startTimeout.`,
      { cause: error },
    );
  }
  const words = deepestMessage(error).replace(/^Version negotiation probe failed: /, '');
  // What "fetch" says by itself means nothing to a person.
  const reason = /^fetch failed \((.*)\)$/s.exec(words)?.[1] ?? words;
  return reason === 'bad port'
    ? new HumanError("The port of the server's address is blocked for HTTP. Use another one.", { cause: error })
    : new HumanError(`The connection failed: ${reason}`, { cause: error });
}

/** A failure in words that may be shown: what nobody thought of has some, too. */
export function humanFailure(error: unknown, secrets: Secrets): HumanError {
  return error instanceof HumanError
    ? error
    : new HumanError(secrets.mask(`Something unexpected happened: ${messageOf(error)}`), { cause: error });
}
