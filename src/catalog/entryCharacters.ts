import type { ResourceEntry, TemplateEntry } from '../connection/wire';

/**
 * How many characters an entry has beside what it is known by, about. Its fields by name, as there are no others (the
 * SDK drops what it does not know): to ask an object for its keys takes longer than all the rest, and lists are long.
 */
export function entryCharacters(entry: ResourceEntry | TemplateEntry): number {
  const { name, title, description, mimeType, annotations, icons } = entry;
  const { _meta: meta } = entry as { readonly _meta?: unknown };
  let sum = name.length + (title?.length ?? 0) + (description?.length ?? 0) + (mimeType?.length ?? 0);
  if (annotations) {
    sum += (annotations.lastModified?.length ?? 0) + (annotations.audience?.length ?? 0);
  }
  if (icons !== undefined) {
    sum += charactersWithin(icons);
  }
  return meta === undefined ? sum : sum + charactersWithin(meta);
}

/** The length of all texts in a value. */
function charactersWithin(value: unknown): number {
  let sum = 0;
  // Not by recursion: how deep it is is up to a server.
  const rest = [value];
  while (rest.length > 0) {
    const each = rest.pop();
    if (typeof each === 'string') {
      sum += each.length;
    } else if (typeof each === 'object' && each !== null) {
      for (const inner of Object.values(each)) {
        rest.push(inner);
      }
    }
  }
  return sum;
}
