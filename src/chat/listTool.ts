import { Slices } from '../base/slices';
import { labelOf } from '../catalog/labelOf';
import { holdsAll, wordsOf } from '../catalog/listing';
import type { ServerCatalog } from '../catalog/serverCatalog';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry, TemplateEntry } from '../connection/wire';
import { fenced, jsonLine, markedAsData, shownValue } from './dataFrame';
import { withinBudget } from './tokenBudget';
import {
  listsOf,
  serverNamed,
  shownMessage,
  stateOf,
  type ToolAnswer,
  type ToolCall,
  type ToolParts,
} from './toolParts';

const USUAL_ENTRIES = 100;
const MOST_ENTRIES = 500;
const MOST_CHARACTERS = 50_000;
const DESCRIPTION_LENGTH = 200;

interface Found {
  readonly rows: readonly string[];
  readonly total: number;
}

/** Lists resources and templates for a model: of the servers that are connected, without starting any. */
export class ListTool {
  constructor(private readonly parts: ToolParts) {}

  async run({ input, budget, signal }: ToolCall): Promise<ToolAnswer> {
    const name = input.optionalText('server') ?? '';
    const words = wordsOf(input.optionalText('filter') ?? '');
    const offset = input.number('offset', { least: 0 }) ?? 0;
    const most = input.number('limit', { least: 1, most: MOST_ENTRIES }) ?? USUAL_ENTRIES;
    const { pool, exclusion } = this.parts;
    const servers =
      name !== '' ? [serverNamed(name, this.parts)] : pool.all.filter(({ id }) => !exclusion.isHidden(id));
    const lists = await this.listsOf(servers, name !== '');
    await Promise.allSettled(lists.flatMap(({ resources, templates }) => [resources.load(), templates.load()]));
    const found = await this.rowsOf(lists, { words, offset, most, slices: new Slices(signal) });
    const servings = servers.map((server) => `${shownValue(server.id)} (${stateOf(server)})`);
    const failures = lists.flatMap(failuresOf);
    return withinBudget(
      (limit) => ({ text: listText({ servings, failures, offset, ...found }, limit) }),
      ({ text }) => text,
      { most: MOST_CHARACTERS, least: 500, budget },
    );
  }

  /** Those of servers with a session. One that was asked for by name must have one. */
  private async listsOf(servers: readonly ServerConnection[], named: boolean): Promise<readonly ServerCatalog[]> {
    const lists = await Promise.all(
      servers.map((server) =>
        listsOf(server, this.parts).catch((error: unknown) => {
          if (named) {
            throw error;
          }
          return undefined;
        }),
      ),
    );
    return lists.filter((each) => each !== undefined);
  }

  private async rowsOf(
    lists: readonly ServerCatalog[],
    { words, offset, most, slices }: { words: readonly string[]; offset: number; most: number; slices: Slices },
  ): Promise<Found> {
    const rows: string[] = [];
    let total = 0;
    for (const { connection, resources, templates } of lists) {
      const isExcluded = this.parts.exclusion.excludedBy(connection.id);
      for (const entry of [...resources.items, ...templates.items]) {
        if (!isExcluded(uriOf(entry)) && holdsAll({ ...entry, uri: uriOf(entry) }, words)) {
          if (total >= offset && rows.length < most) {
            rows.push(rowOf(connection.id, entry));
          }
          total += 1;
        }
        const pause = slices.step();
        if (pause) {
          await pause;
        }
      }
    }
    return { rows, total };
  }
}

function listText(
  {
    servings,
    failures,
    offset,
    rows,
    total,
  }: Found & { servings: readonly string[]; failures: readonly string[]; offset: number },
  limit: number,
): string {
  let length = 0;
  const fitting = rows.filter((row, index) => {
    length += row.length + 1;
    return index === 0 || length <= limit;
  });
  const end = offset + fitting.length;
  const entries =
    fitting.length === 0
      ? `- Entries: none from ${offset} on, of ${total}`
      : `- Entries: ${offset + 1} to ${end} of ${total}`;
  const more = end < total && fitting.length > 0 ? `. For more: "offset": ${end}` : '';
  const header = [`- Servers: ${servings.join(', ') || 'none'}`, ...failures, `${entries}${more}`];
  return markedAsData(header, fitting.length === 0 ? '' : `${fenced(fitting.join('\n'))}\n`);
}

function failuresOf({ connection, resources, templates }: ServerCatalog): readonly string[] {
  return [resources, templates].flatMap(({ error }) =>
    error ? [`- A list of ${shownValue(connection.id)} is not complete: ${shownMessage(error)}`] : [],
  );
}

function uriOf(entry: ResourceEntry | TemplateEntry): string {
  return 'uri' in entry ? entry.uri : entry.uriTemplate;
}

function rowOf(server: string, entry: ResourceEntry | TemplateEntry): string {
  const { description, mimeType, annotations } = entry;
  const text = Array.from(description?.slice(0, DESCRIPTION_LENGTH * 2) ?? '')
    .slice(0, DESCRIPTION_LENGTH)
    .join('');
  return jsonLine({
    server,
    ...('uri' in entry ? { uri: entry.uri } : { uriTemplate: entry.uriTemplate }),
    title: labelOf(entry).slice(0, DESCRIPTION_LENGTH),
    ...(text === '' ? {} : { description: text }),
    mimeType,
    ...('size' in entry ? { size: entry.size } : {}),
    audience: annotations?.audience,
  });
}
