import type { Client } from '@modelcontextprotocol/client';
import { requiredVisits } from './elicitation';
import type { SdkModule } from './mcpClient';
import { type ProgressReport, progressWords } from './progressWords';
import { requestFailure } from './requestFailure';
import { contentItems } from './reservedMeta';
import type { ReadParams, ReadResult, SendOptions } from './resourceReads';
import { describeFailure } from './sdkFailure';

interface Sender {
  readonly client: Client;
  readonly sdk: SdkModule;
  readonly requestTimeoutMs: () => number;
}

/** The longest that a timer can take. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** Specification 2025-11-25: client/elicitation, URL elicitation required. */
const URL_ELICITATION_REQUIRED = -32042;

/** Sends one `resources/read`, with a progress token (specification: server/resources, reading; basic/utilities/progress). */
export async function sendRead(
  { client, sdk, requestTimeoutMs }: Sender,
  params: ReadParams,
  { signal, onProgress }: SendOptions,
): Promise<ReadResult> {
  const options = {
    signal,
    // The time limit is our own: it knows when a person is being asked.
    timeout: NO_TIMEOUT_MS,
    cacheMode: 'bypass' as const,
    allowInputRequired: true,
    onprogress: (report: ProgressReport) => onProgress(progressWords(report)),
  };
  try {
    const result = await client.readResource(params, options);
    const { resultType, inputRequests, requestState, ttlMs } = result as Record<string, unknown>;
    if (resultType === 'input_required') {
      const requests = (inputRequests ?? {}) as Record<string, unknown>;
      return { kind: 'inputRequired', requests, state: typeof requestState === 'string' ? requestState : undefined };
    }
    const answer = { contents: contentItems(result.contents), ttlMs: typeof ttlMs === 'number' ? ttlMs : undefined };
    return { kind: 'complete', answer };
  } catch (error) {
    const failure = describeFailure(sdk, error);
    const mustVisit = failure.kind === 'protocol' && failure.code === URL_ELICITATION_REQUIRED;
    const visits = mustVisit ? requiredVisits(failure.data) : [];
    if (visits.length > 0) {
      return { kind: 'visit', elicitations: visits };
    }
    throw requestFailure(failure, params.uri, requestTimeoutMs());
  }
}
