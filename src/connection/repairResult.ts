import { Draft, isJsonObject, type JsonObject } from './draft';
import { failedEntry, type MendableEntry, repairEntry, repairMeta, type UriKey, unmendable } from './repairEntry';
import { repairCompletion } from './repairCompletion';
import { failedItem, repairItem } from './repairItem';
import { type RepairNote, RepairNotes, shown, type Where } from './repairNotes';
import { isFailed } from './reservedMeta';
import { repairEnvelope, repairResultMeta } from './repairEnvelope';
import type { Era } from './wire';

/** A request whose result is repaired, as far as that depends on it. */
export type RepairedRequest = { readonly era: Era } & (
  | { readonly method: 'resources/list' | 'resources/templates/list' | 'completion/complete' }
  | { readonly method: 'resources/read'; readonly uri: string }
);

export interface RepairedResult {
  /** What the SDK accepts; the very same object where nothing had to be done. */
  readonly result: unknown;
  readonly notes: readonly RepairNote[];
}

/**
 * Mends a result entry by entry before the SDK parses it, which would refuse the whole for one bad field (specification:
 * server/resources; server/utilities/pagination, caching and completion). What cannot be mended becomes a failed entry.
 */
export function repairResult(request: RepairedRequest, result: unknown): RepairedResult {
  const notes = new RepairNotes(request.method);
  if (isJsonObject(result)) {
    const kind = kindOf(request, result);
    if (kind !== 'answer') {
      if (kind === 'input_required') {
        notes.mended(theResult, `it asks for input: its resultType became "${kind}"`);
      }
      const other = new Draft(kind === 'other' ? result : { ...result, resultType: kind });
      repairMeta(other, (what) => notes.mended(theResult, what));
      repairResultMeta(other, (what) => notes.mended(theResult, what));
      return { result: other.value, notes: notes.lines };
    }
  }
  const key = listKeys[request.method];
  const draft = new Draft(asObject(result, key, notes));
  if (request.method === 'completion/complete') {
    repairCompletion(draft, (what) => notes.mended(theResult, what));
  } else if (request.method === 'resources/read') {
    const { uri } = request;
    const contents = repairContents(draft, uri, notes);
    if (contents !== draft.get(key)) {
      draft.set(key, contents);
    }
  } else {
    const uriKey = request.method === 'resources/list' ? 'uri' : 'uriTemplate';
    const entries = repairList(draft, key, uriKey, notes);
    if (entries !== draft.get(key)) {
      draft.set(key, entries);
    }
    repairCursor(draft, notes);
  }
  repairMeta(draft, (what) => notes.mended(theResult, what));
  repairEnvelope(draft, request.era, request.method !== 'completion/complete', (what) => notes.mended(theResult, what));
  return { result: draft.value, notes: notes.lines };
}

const theResult: Where = () => 'the result';

const listKeys = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'resources/read': 'contents',
  'completion/complete': 'completion',
} as const satisfies Record<RepairedRequest['method'], string>;

/** Entries of one page that get words of their own, others are counted: "0," takes two bytes, and what stands for it hundreds. */
const MAX_FAILED = 1000;

/** More parts of one resource take seconds to make documents of. */
const MAX_ITEMS = 100_000;

/** What says something of a list that is not there: all that is left when a server leaves out what is empty. */
const BESIDE_THE_LIST = ['_meta', 'nextCursor', 'resultType', 'ttlMs', 'cacheScope'];

/**
 * Whether it is the final answer. The modern era has others, which are left alone (specification: basic/patterns/mrtr);
 * one that asks for input may lack only its type.
 */
function kindOf({ era }: RepairedRequest, result: JsonObject): 'answer' | 'other' | 'input_required' {
  const { resultType, inputRequests, requestState, contents } = result;
  if (era === 'legacy' || resultType === 'complete') {
    return 'answer';
  }
  if (typeof resultType === 'string') {
    return 'other';
  }
  const asks = isJsonObject(inputRequests) || typeof requestState === 'string';
  return asks && contents === undefined ? 'input_required' : 'answer';
}

function asObject(result: unknown, key: string, notes: RepairNotes): JsonObject {
  if (isJsonObject(result)) {
    return result;
  }
  if (result !== null && result !== undefined) {
    notes.mended(theResult, `${shown(result)} was taken for its ${key}`);
    return { [key]: result };
  }
  notes.mended(theResult, `${shown(result)} was taken for an empty one`);
  return {};
}

function repairList(draft: Draft, key: string, uriKey: UriKey, notes: RepairNotes): readonly unknown[] {
  const list = listOf(draft, key, (value) => isJsonObject(value) && typeof value[uriKey] === 'string', notes);
  if ('failure' in list) {
    notes.failed(theResult, list.failure);
    return [failedEntry(uriKey, list.failure)];
  }
  let failed = 0;
  // Another list from the first change on.
  let kept: unknown[] | undefined;
  for (const [index, entry] of list.items.entries()) {
    const reason = unmendable(entry, uriKey);
    if (reason !== undefined) {
      kept ??= list.items.slice(0, index);
      failed += 1;
      notes.failed(() => `entry ${index + 1}`, `cannot be shown: it ${reason}`);
      if (failed <= MAX_FAILED) {
        kept.push(failedEntry(uriKey, `entry ${index + 1} ${reason}`));
      }
      continue;
    }
    const good = entry as MendableEntry;
    const where = (): string => `entry ${index + 1} (${shown(good[uriKey])})`;
    const mended = repairEntry(good, uriKey, (what) => notes.mended(where, what));
    if (mended !== entry) {
      kept ??= list.items.slice(0, index);
    }
    kept?.push(mended);
  }
  if (failed > MAX_FAILED) {
    kept?.push(failedEntry(uriKey, `${failed - MAX_FAILED} more entries like these`));
  }
  return kept ?? list.items;
}

function repairContents(draft: Draft, asked: string, notes: RepairNotes): readonly unknown[] {
  const isItem = (value: unknown): boolean => isJsonObject(value) || typeof value === 'string';
  const list = listOf(draft, 'contents', isItem, notes);
  const at = (where: Where) => ({
    mended: (what: string) => notes.mended(() => `${where()} of ${shown(asked)}`, what),
    failed: (reason: string) => notes.failed(() => `${where()} of ${shown(asked)}`, `cannot be shown: ${reason}`),
  });
  if ('failure' in list) {
    return [failedItem({ uri: asked }, list.failure, at(theResult))];
  }
  const items: JsonObject[] = [];
  let failed = 0;
  let left = 0;
  for (const [index, item] of list.items.entries()) {
    if (items.length >= MAX_ITEMS) {
      left += list.items.length - index;
      break;
    }
    const made = repairItem(
      item,
      asked,
      at(() => `item ${index + 1}`),
    );
    failed += isFailed(made[0]) ? 1 : 0;
    if (failed > MAX_FAILED && isFailed(made[0])) {
      left += 1;
    } else {
      items.push(...made);
    }
  }
  if (left > 0) {
    items.push(failedItem({ uri: asked }, `${left} more parts are too many to show`, at(theResult)));
  }
  const same = items.length === list.items.length && items.every((item, index) => item === list.items[index]);
  return same ? list.items : items;
}

/** The list, or why there is none. Left out or null is empty: some languages write an empty list so. */
function listOf(
  draft: Draft,
  key: string,
  isSingle: (value: unknown) => boolean,
  notes: RepairNotes,
): { readonly items: readonly unknown[] } | { readonly failure: string } {
  const value = draft.get(key);
  if (Array.isArray(value)) {
    return { items: value };
  }
  if (isSingle(value)) {
    notes.mended(theResult, `${key}, a single one, became a list`);
    return { items: [value] };
  }
  if (value !== undefined && value !== null) {
    return { failure: `the answer's ${key} is ${shown(value)}, not a list` };
  }
  const unknown = Object.keys(draft.value).filter((field) => field !== key && !BESIDE_THE_LIST.includes(field));
  if (value === undefined && unknown.length > 0) {
    const words = serverWords(draft.value);
    return { failure: `the answer has no ${key}${words === undefined ? '' : `; the server says: ${words}`}` };
  }
  notes.mended(theResult, `no ${key}: taken for an empty list`);
  return { items: [] };
}

/** An error that is told as if it were a result: by `isError` and `content` as tools do it, by `error` or `message`. */
function serverWords({ content, error, message }: JsonObject): string | undefined {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const candidates = [
    isJsonObject(first) ? first.text : undefined,
    isJsonObject(error) ? error.message : error,
    message,
  ];
  return candidates
    .find((one) => typeof one === 'string' && one !== '')
    ?.toString()
    .slice(0, 500);
}

/**
 * A cursor goes back as a string whatever it was: the schema of the request allows nothing else, and a server that
 * counts pages mostly reads "2" as well. Should it not, the next page fails and says so; to stop here would hide the
 * rest of the list. Empty is a cursor like any other (specification: server/utilities/pagination).
 */
function repairCursor(draft: Draft, notes: RepairNotes): void {
  const cursor = draft.get('nextCursor');
  if (cursor === undefined || typeof cursor === 'string') {
    return;
  }
  if (typeof cursor === 'number') {
    draft.set('nextCursor', String(cursor));
    notes.mended(theResult, `nextCursor ${cursor} became a string`);
    return;
  }
  draft.drop('nextCursor');
  if (cursor !== null) {
    notes.mended(theResult, `nextCursor ${shown(cursor)} was dropped`);
  } else {
    notes.mended(theResult, 'nextCursor null means that there is none');
  }
}
