import type { ResourceEntry, TemplateEntry } from '../connection/wire';

/** How many characters an entry has beside what it is known by, about. By the names of its fields: lists are long. */
export function entryCharacters(entry: ResourceEntry | TemplateEntry): number {
  const { name, title, description, mimeType, annotations, icons } = entry;
  let sum = name.length + (title?.length ?? 0) + (description?.length ?? 0) + (mimeType?.length ?? 0);
  if (annotations) {
    sum += (annotations.lastModified?.length ?? 0) + (annotations.audience?.length ?? 0);
  }
  for (const { src, mimeType: type, sizes } of icons ?? []) {
    // One for each that may be empty: there may be any number of them.
    sum += 1 + src.length + (type?.length ?? 0) + (sizes ? sizes.join(' ').length + 1 : 0);
  }
  return sum;
}
