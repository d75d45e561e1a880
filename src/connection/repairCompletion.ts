import { type Draft, isJsonObject, type JsonObject } from './draft';
import { type Note, shown } from './repairNotes';

/** Specification: server/utilities/completion. */
const MOST_VALUES = 100;

/** Mends suggestions value by value: what is no string, and what comes after the hundredth, is left out. */
export function repairCompletion(draft: Draft, note: Note): void {
  const given = draft.get('completion');
  const completion = asCompletion(given, note);
  const { total, hasMore } = completion;
  const values = goodValues(completion.values, note);
  const goodTotal = Number.isSafeInteger(total) && Number(total) >= 0 ? total : undefined;
  const goodMore = typeof hasMore === 'boolean' ? hasMore : undefined;
  if (goodTotal !== total) {
    note(`total ${shown(total)} was dropped`);
  }
  if (goodMore !== hasMore) {
    note(`hasMore ${shown(hasMore)} was dropped`);
  }
  const more = values.length === MOST_VALUES && isLonger(completion.values) ? true : goodMore;
  if (completion !== given || values !== completion.values || goodTotal !== total || more !== hasMore) {
    draft.set('completion', { ...completion, values, total: goodTotal, hasMore: more });
  }
}

function asCompletion(given: unknown, note: Note): JsonObject {
  if (isJsonObject(given)) {
    return given;
  }
  note(`completion is ${shown(given)}`);
  return { values: Array.isArray(given) ? given : [] };
}

function goodValues(given: unknown, note: Note): readonly unknown[] {
  if (!Array.isArray(given)) {
    note(`values is ${shown(given)}, not a list`);
    return [];
  }
  const strings = given.filter((value) => typeof value === 'string');
  if (strings.length < given.length) {
    note(`${given.length - strings.length} values that are no strings were dropped`);
  }
  if (strings.length > MOST_VALUES) {
    note(`${strings.length - MOST_VALUES} values beyond the first ${MOST_VALUES} were dropped`);
    return strings.slice(0, MOST_VALUES);
  }
  return strings.length < given.length ? strings : given;
}

function isLonger(values: unknown): boolean {
  return Array.isArray(values) && values.length > MOST_VALUES;
}
