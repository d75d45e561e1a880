import { Draft, isJsonObject, type JsonObject } from './draft';
import { repairAnnotations, repairIcons } from './repairAnnotations';
import { type Note, shown } from './repairNotes';
import { RESERVED_KEY, withCarried } from './reservedMeta';

/** The field that a listed entry is known by. */
export type UriKey = 'uri' | 'uriTemplate';

/** An entry that is known by its URI at least. */
export type MendableEntry = JsonObject & Partial<Readonly<Record<UriKey, string>>>;

/** RFC 6838 allows 127 characters on both sides of the slash; parameters come beside them. */
const LONGEST_TYPE = 4096;
/** Optional fields that are text. */
const TEXTS = ['title', 'description', 'mimeType'];

/** A listed resource or template that the SDK accepts (specification: server/resources, Resource, ResourceTemplate). */
export function repairEntry(entry: MendableEntry, key: UriKey, note: Note): JsonObject {
  const draft = new Draft(entry);
  const { name } = entry;
  if (typeof name !== 'string' || name.trim() === '') {
    const made = lastPart(entry[key] ?? '');
    draft.set('name', made);
    note(name === undefined ? `no name: it became ${shown(made)}` : `the name ${shown(name)} became ${shown(made)}`);
  }
  dropUnlessText(draft, TEXTS, note);
  const { size, icons, annotations } = entry;
  if (size !== undefined && !(Number.isSafeInteger(size) && (size as number) >= 0)) {
    draft.drop('size');
    note(`the size ${shown(size)} was dropped`);
  }
  if (icons !== undefined) {
    setOrDrop(draft, 'icons', repairIcons(icons, note));
  }
  if (annotations !== undefined) {
    if (isJsonObject(annotations)) {
      setOrDrop(draft, 'annotations', repairAnnotations(annotations, note));
    } else {
      draft.drop('annotations');
      note(`annotations ${shown(annotations)} were dropped`);
    }
  }
  repairMeta(draft, note);
  return draft.value;
}

/** Why an entry cannot be mended, in words; undefined when it can. */
export function unmendable(entry: unknown, key: UriKey): string | undefined {
  if (!isJsonObject(entry)) {
    return `is ${shown(entry)}`;
  }
  const uri = entry[key];
  if (typeof uri === 'string' && uri !== '') {
    return undefined;
  }
  const what = key === 'uri' ? 'URI' : 'URI template';
  const name = typeof entry.name === 'string' && entry.name !== '' ? ` (its name is ${shown(entry.name)})` : '';
  return uri === undefined || uri === null || uri === ''
    ? `has no ${what}${name}`
    : `has ${shown(uri)} for its ${what}${name}`;
}

/** Stands for an entry that cannot be mended, until it is behind the SDK. */
export function failedEntry(key: UriKey, failure: string): JsonObject {
  return { [key]: '', name: 'failed', _meta: withCarried(undefined, { failure }) };
}

export function dropUnlessText(draft: Draft, keys: readonly string[], note: Note): void {
  for (const key of keys) {
    const value = draft.get(key);
    const isLong = key === 'mimeType' && typeof value === 'string' && value.length > LONGEST_TYPE;
    if (value !== undefined && (typeof value !== 'string' || isLong)) {
      draft.drop(key);
      note(`the ${key} ${shown(value)} was dropped`);
    }
  }
}

/** `_meta` as an object, without what is ours alone. */
export function repairMeta(draft: Draft, note: Note): void {
  const meta = draft.get('_meta');
  if (meta === undefined) {
    return;
  }
  if (!isJsonObject(meta)) {
    draft.drop('_meta');
    note(`_meta ${shown(meta)} was dropped`);
  } else if (Object.hasOwn(meta, RESERVED_KEY)) {
    const own = new Draft(meta);
    own.drop(RESERVED_KEY);
    draft.set('_meta', own.value);
    note(`_meta.${RESERVED_KEY} is not for servers and was dropped`);
  }
}

function setOrDrop(draft: Draft, key: string, value: unknown): void {
  if (value === undefined) {
    draft.drop(key);
  } else if (value !== draft.get(key)) {
    draft.set(key, value);
  }
}

/** A URI's last part that is not empty, readable where it can be. */
function lastPart(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '');
  const part = path.split(/[/:]/).findLast((one) => one.trim() !== '') ?? uri;
  try {
    const readable = decodeURIComponent(part);
    // eslint-disable-next-line no-control-regex -- a name is one line
    return /[\u0000-\u001f]/.test(readable) || readable.trim() === '' ? part : readable;
  } catch {
    return part;
  }
}
