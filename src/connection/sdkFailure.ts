import { messageOf } from '../base/errors';
import type { SdkModule } from './mcpClient';
import type { requestFailure } from './requestFailure';

/** "fetch failed" says nothing; its cause ("connect ECONNREFUSED …") does. */
export function deepestMessage(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) {
    current = current.cause;
  }
  const outer = messageOf(error);
  const inner = messageOf(current);
  return outer.includes(inner) ? outer : `${outer} (${inner})`;
}

/** The facts of an SDK error, so that what follows needs no SDK. */
export function describeFailure(sdk: SdkModule, error: unknown): Parameters<typeof requestFailure>[0] {
  if (error instanceof sdk.ProtocolError) {
    return { kind: 'protocol', code: error.code, message: error.message, data: error.data, cause: error };
  }
  if (error instanceof sdk.SdkError) {
    return { kind: 'sdk', code: error.code, message: deepestMessage(error), cause: error };
  }
  return { kind: 'other', message: deepestMessage(error), cause: error };
}
