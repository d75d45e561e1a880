import type { Client } from '@modelcontextprotocol/client';
import type { Completion, CompletionRequest } from './wire';

/** A person types on meanwhile: suggestions that take longer help nobody. Milliseconds. */
export const longestCompletionMs = 10_000;

/** Sends one `completion/complete` for a template (specification: server/utilities/completion). */
export async function sendComplete(
  client: Client,
  { uriTemplate, argument, value, context }: CompletionRequest,
  options: { timeout: number; signal?: AbortSignal },
): Promise<Completion> {
  const { completion } = await client.complete(
    {
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: { name: argument, value },
      ...(Object.keys(context).length > 0 ? { context: { arguments: { ...context } } } : {}),
    },
    options,
  );
  return { values: completion.values, total: completion.total, hasMore: completion.hasMore === true };
}
