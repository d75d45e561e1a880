import { isJsonObject, type JsonObject } from './draft';
import type { ContentItem } from './wire';

/**
 * Ours alone: what travels beside an entry through the SDK's schemas, which keep `_meta` and drop what they do not
 * know (specification: basic, `_meta`; the prefix is not one that the protocol reserves). Taken off what servers send.
 */
export const RESERVED_KEY = 'mcp-resource-context/repair';

/** What the repair tells those behind the SDK about an entry. */
export interface Carried {
  /** Why the entry could not be mended: the rest of it is a placeholder. */
  readonly failure?: string;
  /** The item's base64, which was checked already: the SDK would decode it once or twice more only to check it. */
  readonly blob?: string;
}

function carriedBy(entry: object & { readonly _meta?: unknown }): Carried | undefined {
  const meta = entry._meta;
  return isJsonObject(meta) && Object.hasOwn(meta, RESERVED_KEY) ? (meta[RESERVED_KEY] as Carried) : undefined;
}

/** Whether an entry stands for one that could not be mended. */
export function isFailed(entry: JsonObject | undefined): boolean {
  return entry !== undefined && carriedBy(entry)?.failure !== undefined;
}

export function withCarried(meta: unknown, carried: Carried): JsonObject {
  return { ...(isJsonObject(meta) ? meta : {}), [RESERVED_KEY]: carried };
}

/** Entries of a list as the SDK gives them, those that could not be mended apart as their reasons. */
export function listedEntries<T extends object>(
  entries: readonly T[],
): { readonly items: readonly T[]; readonly failures: readonly string[] } {
  const failures = entries.map((entry) => carriedBy(entry)?.failure).filter((failure) => failure !== undefined);
  const items = failures.length === 0 ? entries : entries.filter((entry) => carriedBy(entry)?.failure === undefined);
  return { items, failures };
}

/** Items of a read's answer as the SDK gives them, with what was carried back in its place. */
export function contentItems(items: readonly (ContentItem & { readonly _meta?: unknown })[]): readonly ContentItem[] {
  return items.map((item) => {
    const carried = carriedBy(item);
    return carried ? { uri: item.uri, mimeType: item.mimeType, ...carried } : item;
  });
}
