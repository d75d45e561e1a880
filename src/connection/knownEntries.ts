import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { Annotations, Icon, ResourceEntry, TemplateEntry } from './wire';

/**
 * Lets a result through as it is. Those of lists were repaired field by field before the SDK sees them: to check them
 * once more takes as long as much of the rest of a long list.
 */
function repaired<T>(): StandardSchemaV1<unknown, T> {
  return { '~standard': { version: 1, vendor: 'mcp-resource-context', validate: (value) => ({ value: value as T }) } };
}

/** What stands beside the entries of a page. */
interface PageFacts {
  readonly nextCursor?: string;
  readonly ttlMs?: unknown;
}

/** For `resources/list`. */
export const resourceList = repaired<PageFacts & { readonly resources: readonly ResourceEntry[] }>();
/** For `resources/templates/list`. */
export const templateList = repaired<PageFacts & { readonly resourceTemplates: readonly TemplateEntry[] }>();

/** The known fields of a resource. In one literal: whatever asks an object for its keys takes ten times as long. */
export function knownResource(entry: ResourceEntry): ResourceEntry {
  const { uri, name, title, description, mimeType, size, annotations, icons } = entry;
  return {
    uri,
    name,
    title,
    description,
    mimeType,
    size,
    annotations: annotations && knownAnnotations(annotations),
    icons: icons?.map(knownIcon),
  };
}

/** The known fields of a template. */
export function knownTemplate(entry: TemplateEntry): TemplateEntry {
  const { uriTemplate, name, title, description, mimeType, annotations, icons } = entry;
  return {
    uriTemplate,
    name,
    title,
    description,
    mimeType,
    annotations: annotations && knownAnnotations(annotations),
    icons: icons?.map(knownIcon),
  };
}

function knownAnnotations({ audience, priority, lastModified }: Annotations): Annotations {
  return { audience, priority, lastModified };
}

function knownIcon({ src, mimeType, sizes, theme }: Icon): Icon {
  return { src, mimeType, sizes, theme };
}
