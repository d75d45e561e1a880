import type { McpResource, McpResourceTemplate } from './api';
import { Slices } from './base/slices';
import type { Annotations, ResourceEntry, TemplateEntry } from './connection/wire';

/** Entries of a list for another extension, which may do with them what it likes. In slices: a list may be long. */
export async function apiCopies<T, U>(entries: readonly T[], copyOf: (entry: T) => U): Promise<readonly U[]> {
  const slices = new Slices();
  const copies: U[] = [];
  for (const entry of entries) {
    copies.push(copyOf(entry));
    const pause = slices.step();
    if (pause) {
      await pause;
    }
  }
  return copies;
}

/** Each field by its name: to ask an object which it has takes longer. */
export function copyOfResource(entry: ResourceEntry): McpResource {
  const { uri, name, title, description, mimeType, size, annotations } = entry;
  return { uri, name, title, description, mimeType, size, annotations: annotations && copyOfAnnotations(annotations) };
}

export function copyOfTemplate({
  uriTemplate,
  name,
  title,
  description,
  mimeType,
}: TemplateEntry): McpResourceTemplate {
  return { uriTemplate, name, title, description, mimeType };
}

function copyOfAnnotations({ audience, priority, lastModified }: Annotations): Annotations {
  return { audience: audience && [...audience], priority, lastModified };
}
