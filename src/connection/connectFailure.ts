import { HumanError, messageOf } from '../base/errors';
import type { SdkModule } from './mcpClient';
import { deepestMessage } from './sdkFailure';

/** The process ended before the handshake was done. */
export class ProcessEnded extends Error {
  constructor(reason: string, cause: unknown) {
    super(reason, { cause });
  }
}

/** Why a connection did not come about, in words that say what to do. */
export function connectFailure(sdk: SdkModule, error: unknown, startTimeoutMs: number): HumanError {
  if (error instanceof HumanError) {
    return error;
  }
  const seconds = Math.round(startTimeoutMs / 1000);
  if (error instanceof ProcessEnded) {
    return new HumanError(`The server did not start: ${error.message}. Its own words are in the log.`, {
      cause: error,
    });
  }
  const status =
    error instanceof sdk.SdkHttpError
      ? error.status
      : Number(/Non-200 status code \((\d{3})\)/.exec(messageOf(error))?.[1] ?? NaN);
  if (status === 401 || status === 403) {
    return new HumanError(`The server refuses access (HTTP ${status}). Check the credentials in its headers.`, {
      cause: error,
    });
  }
  if (status > 0) {
    return new HumanError(`The server answered with HTTP ${status}. Check its address.`, { cause: error });
  }
  const refused = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ECONNRESET|ETIMEDOUT/.exec(deepestMessage(error))?.[0];
  if (refused !== undefined) {
    return new HumanError(`Nothing answers at the server's address (${refused}). Is it running?`, { cause: error });
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
    return new HumanError(
      `The server did not answer within ${seconds} s. If it needs longer to start, raise mcpResources.startTimeout.`,
      { cause: error },
    );
  }
  return new HumanError(`The connection failed: ${deepestMessage(error)}`, { cause: error });
}
