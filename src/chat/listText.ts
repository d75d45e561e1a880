import { labelOf } from '../catalog/labelOf';
import type { ResourceEntry, TemplateEntry } from '../connection/wire';
import { fenced, jsonLine, markedAsData } from './dataFrame';

/** An entry of a list, and whose it is. */
export interface FoundEntry {
  readonly server: string;
  readonly entry: ResourceEntry | TemplateEntry;
}

/** What was found in lists. */
export interface Found {
  /** Those that are wished for: from `offset` on. */
  readonly entries: readonly FoundEntry[];
  readonly offset: number;
  /** How many there are in all. */
  readonly total: number;
}

const DESCRIPTION_LENGTH = 200;
/** What is shown of a value that is too long for its row. */
const SHORT_LENGTH = 50;

/** Entries for a model, one row of JSON each: as many as the limit allows, and at least one. */
export function listText(headerLines: readonly string[], { entries, offset, total }: Found, limit: number): string {
  const rows: string[] = [];
  let length = 0;
  for (const each of entries) {
    const row = rowOf(each, limit);
    length += row.length + 1;
    if (rows.length > 0 && length > limit) {
      break;
    }
    rows.push(row);
  }
  const end = offset + rows.length;
  const range =
    rows.length === 0
      ? `- Entries: none from ${offset} on, of ${total}`
      : `- Entries: ${offset + 1} to ${end} of ${total}`;
  const more = end < total && rows.length > 0 ? `. For more: "offset": ${end}` : '';
  return markedAsData([...headerLines, `${range}${more}`], rows.length === 0 ? '' : `${fenced(rows.join('\n'))}\n`);
}

/** The URI of a resource, or of a template. */
export function uriOf(entry: ResourceEntry | TemplateEntry): string {
  return 'uri' in entry ? entry.uri : entry.uriTemplate;
}

/** A URI is of use only whole: where it does not fit, the row says that it is missing. */
function rowOf({ server, entry }: FoundEntry, limit: number): string {
  const uri = uriOf(entry);
  const row = uri.length > limit ? undefined : wholeRow(server, entry);
  if (row !== undefined && row.length <= limit) {
    return row;
  }
  return jsonLine({
    server,
    title: labelOf(entry).slice(0, SHORT_LENGTH),
    uriBegins: uri.slice(0, SHORT_LENGTH),
    note: `Cut: too long for this answer. The URI has ${uri.length} characters and cannot be used from here.`,
  });
}

function wholeRow(server: string, entry: ResourceEntry | TemplateEntry): string {
  const { description, mimeType, annotations } = entry;
  const text = Array.from(description?.slice(0, DESCRIPTION_LENGTH * 2) ?? '')
    .slice(0, DESCRIPTION_LENGTH)
    .join('');
  return jsonLine({
    server,
    ...('uri' in entry ? { uri: entry.uri } : { uriTemplate: entry.uriTemplate }),
    title: labelOf(entry).slice(0, DESCRIPTION_LENGTH),
    ...(text === '' ? {} : { description: text }),
    mimeType: mimeType?.slice(0, DESCRIPTION_LENGTH),
    ...('size' in entry ? { size: entry.size } : {}),
    audience: annotations?.audience && [...new Set(annotations.audience)],
  });
}
