import { HumanError } from '../base/errors';
import type { Root } from './connectionHost';
import type { SdkModule } from './mcpClient';
import type { ResourceReads } from './resourceReads';

interface Answering {
  readonly sdk: SdkModule;
  readonly reads: ResourceReads;
  /** The folders that the server may know; `undefined` where a person has not said so. */
  readonly roots: () => readonly Root[] | undefined;
}

const refusals = new Map([
  [
    'roots/list',
    'The workspace folders are not shared with this server. A person shares them by the setting ' +
      'mcpResources.shareWorkspaceFolders.',
  ],
  ['sampling/createMessage', 'This client reads resources and offers no model: sampling is not supported.'],
]);

/** Why a server is not given what it asks for, in words for those who look into it: nobody is asked. */
export function refusalOf(method: unknown): string | undefined {
  return typeof method === 'string' ? refusals.get(method) : undefined;
}

/**
 * Answers what a legacy server asks of us (specification: client/elicitation, client/roots, client/sampling); `ping` is
 * the SDK's. The modern era has no such requests. Rejects with an error of the protocol.
 */
export async function answerServer(
  { sdk, reads, roots }: Answering,
  { method, params, signal }: { method: string; params: unknown; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const { ProtocolError, ProtocolErrorCode } = sdk;
  if (method === 'elicitation/create') {
    try {
      return { ...(await reads.elicited(params, signal)) };
    } catch (error) {
      throw error instanceof HumanError ? new ProtocolError(ProtocolErrorCode.InvalidParams, error.message) : error;
    }
  }
  const shared = method === 'roots/list' ? roots() : undefined;
  if (shared) {
    return { roots: [...shared] };
  }
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, refusalOf(method) ?? 'Method not found');
}
