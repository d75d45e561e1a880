import type { Completion } from '../connection/wire';
import { fenced, jsonLine, markedAsData, shownValue } from './dataFrame';

/** A longer value is not given: a part of it would be a wrong value. */
const LONGEST_SUGGESTION = 2000;
/** What is shown of a value that is too long. */
const SHORT_LENGTH = 50;

/** The suggestions of a server for a model: as many as the limit allows, and how many that is. */
export function suggestionsText(
  header: readonly string[],
  { variable, found }: { variable: string; found: Completion | undefined },
  limit: number,
): string {
  const of = `- Suggestions for ${shownValue(variable)}`;
  if (!found) {
    return [...header, `${of}: the server has none to give`, ''].join('\n');
  }
  const { values, total, hasMore } = found;
  const rows: string[] = [];
  let left = limit;
  for (const value of values) {
    const row = rowOf(value, limit);
    left -= row.length + 1;
    if (rows.length > 0 && left < 0) {
      break;
    }
    rows.push(row);
  }
  const all = total === undefined ? (hasMore ? ' of more' : '') : ` of ${total}`;
  const cut = rows.length < values.length ? `; the first ${rows.length} of them follow, for their length` : '';
  const body = rows.length === 0 ? '' : `${fenced(rows.join('\n'))}\n`;
  return markedAsData([...header, `${of}: ${values.length}${all}${cut}`], body);
}

function rowOf(value: string, limit: number): string {
  const row = value.length > LONGEST_SUGGESTION ? undefined : jsonLine(value);
  if (row !== undefined && row.length <= limit) {
    return row;
  }
  const note = `Cut: the value has ${value.length} characters and cannot be used from here.`;
  return jsonLine({ begins: value.slice(0, SHORT_LENGTH), note });
}
