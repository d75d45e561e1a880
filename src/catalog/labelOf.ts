/** Label of an entry: `title`, else `name`, else the last part of its URI (specification: BaseMetadata). */
export function labelOf(entry: { title?: string; name?: string; uri?: string; uriTemplate?: string }): string {
  const { title, name } = entry;
  if (title?.trim()) {
    return title;
  }
  if (name?.trim()) {
    return name;
  }
  const uri = entry.uri ?? entry.uriTemplate ?? '';
  const lastPart = uri.split(/[/?#]/u).filter(Boolean).at(-1);
  return [lastPart, uri].find((text) => text?.trim()) ?? '(empty URI)';
}
