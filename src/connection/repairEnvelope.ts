import { type Draft, isJsonObject } from './draft';
import { type Note, shown } from './repairNotes';
import type { Era } from './wire';

/**
 * The fields around a result that the SDK insists on: in the modern era `resultType` (specification: basic, results) and,
 * where it is cacheable, `ttlMs` and `cacheScope` (server/utilities/caching), in the legacy era what it reads of `_meta`.
 */
export function repairEnvelope(draft: Draft, era: Era, cacheable: boolean, note: Note): void {
  repairResultMeta(draft, note);
  if (era === 'legacy') {
    return;
  }
  const resultType = draft.get('resultType');
  if (resultType !== 'complete') {
    draft.set('resultType', 'complete');
    note(`resultType ${shown(resultType)} became "complete"`);
  }
  if (!cacheable) {
    return;
  }
  const ttlMs = draft.get('ttlMs');
  const ttl = lifetime(ttlMs);
  if (ttl !== ttlMs) {
    draft.set('ttlMs', ttl);
    note(`ttlMs ${shown(ttlMs)} became ${ttl}`);
  }
  const cacheScope = draft.get('cacheScope');
  if (cacheScope !== 'public' && cacheScope !== 'private') {
    draft.set('cacheScope', 'private');
    note(`cacheScope ${shown(cacheScope)} became "private"`);
  }
}

/** Milliseconds, whole; what is no number of them promises nothing. */
function lifetime(ttlMs: unknown): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(Math.floor(ttlMs), Number.MAX_SAFE_INTEGER) : 0;
}

/** Two keys of `_meta` that the SDK's schema of every result knows. */
export function repairResultMeta(draft: Draft, note: Note): void {
  const meta = draft.get('_meta');
  if (!isJsonObject(meta)) {
    return;
  }
  const { progressToken: token, 'io.modelcontextprotocol/related-task': task } = meta;
  const bad = {
    progressToken: token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token),
    'io.modelcontextprotocol/related-task':
      task !== undefined && !(isJsonObject(task) && typeof task.taskId === 'string'),
  };
  for (const [key, isBad] of Object.entries(bad)) {
    if (isBad) {
      draft.set('_meta', Object.fromEntries(Object.entries(draft.get('_meta') ?? {}).filter(([name]) => name !== key)));
      note(`_meta.${key} was dropped`);
    }
  }
}
