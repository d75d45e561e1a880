import { messageOf } from '../base/errors';
import type { Credentials } from './credentials';
import type { SdkModule } from './mcpClient';
import type { requestFailure } from './requestFailure';
import { SignInNeeded } from './signInNeeded';

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
  // What came over HTTP is parsed before it can be mended; the parser's words are a page of its own inner life.
  const unparsed = error instanceof Error && error.name.endsWith('ZodError');
  return { kind: 'other', message: unparsed ? 'the answer is not valid' : deepestMessage(error), cause: error };
}

/** The sign-in that an error asks for, if it does. `credentials`: there is something to sign in to. */
export function signInRefusal(
  { sdk, credentials }: { readonly sdk: SdkModule; readonly credentials?: Credentials },
  error: unknown,
): SignInNeeded | undefined {
  for (let current = error; credentials && current instanceof Error; current = current.cause) {
    if (current instanceof SignInNeeded) {
      return current;
    }
    if (current instanceof sdk.InsufficientScopeError) {
      const { requiredScope: scope, resourceMetadataUrl } = current;
      return new SignInNeeded('scope', { scope, resourceMetadataUrl }, { cause: error });
    }
    if (current instanceof sdk.SdkHttpError && current.status === 401) {
      return new SignInNeeded('rejected', {}, { cause: error });
    }
  }
  return undefined;
}
