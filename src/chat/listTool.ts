import { Slices } from '../base/slices';
import { within } from '../base/within';
import { holdsAll, wordsOf } from '../catalog/listing';
import type { ServerCatalog } from '../catalog/serverCatalog';
import { shownValue } from './dataFrame';
import { type Found, type FoundEntry, listText, uriOf } from './listText';
import { shownFailure } from './shownFailure';
import { withinBudget } from './tokenBudget';
import { listsOf, serverNamed, stateOf, type ToolAnswer, type ToolCall, type ToolParts } from './toolParts';

const USUAL_ENTRIES = 100;
const MOST_ENTRIES = 500;
const MOST_CHARACTERS = 50_000;
/** One server that does not answer must not keep back what the others list. */
const LIST_WAIT_MS = 5000;

/** Lists resources and templates for a model: of the servers that are connected, without starting any. */
export class ListTool {
  constructor(
    private readonly parts: Pick<ToolParts, 'pool' | 'catalog' | 'exclusion'>,
    private readonly listWaitMs = LIST_WAIT_MS,
  ) {}

  async run({ input, budget, signal }: ToolCall): Promise<ToolAnswer> {
    const name = input.optionalText('server') ?? '';
    const words = wordsOf(input.optionalText('filter') ?? '');
    const offset = input.number('offset', { least: 0 }) ?? 0;
    const most = input.number('limit', { least: 1, most: MOST_ENTRIES }) ?? USUAL_ENTRIES;
    const { pool, catalog, exclusion } = this.parts;
    const named = name === '' ? undefined : serverNamed(name, this.parts);
    const servers = named ? [named] : pool.all.filter(({ id }) => !exclusion.isHidden(id));
    // Connecting may wait for a person: only who asks for that server waits, too.
    const lists = named
      ? [await listsOf(named, this.parts)]
      : servers
          .filter(({ state }) => state.kind === 'connected')
          .map((server) => catalog.of(server))
          .filter((each) => each !== undefined);
    const loading = lists.flatMap(({ resources, templates }) => [resources.load(), templates.load()]);
    await within(Promise.allSettled(loading), this.listWaitMs);
    const found = await this.find(lists, { words, offset, most, slices: new Slices(signal) });
    const servings = servers.map((server) => `${shownValue(server.id)} (${stateOf(server)})`);
    const header = [`- Servers: ${servings.join(', ') || 'none'}`, ...lists.flatMap(lacksOf)];
    return withinBudget(
      (limit) => ({ text: listText(header, found, limit) }),
      ({ text }) => text,
      { most: MOST_CHARACTERS, least: 500, budget },
    );
  }

  private async find(
    lists: readonly ServerCatalog[],
    { words, offset, most, slices }: { words: readonly string[]; offset: number; most: number; slices: Slices },
  ): Promise<Found> {
    const entries: FoundEntry[] = [];
    let total = 0;
    for (const { connection, resources, templates } of lists) {
      const isExcluded = this.parts.exclusion.excludedBy(connection.id);
      for (const entry of [...resources.items, ...templates.items]) {
        if (!isExcluded(uriOf(entry)) && holdsAll({ ...entry, uri: uriOf(entry) }, words)) {
          if (total >= offset && entries.length < most) {
            entries.push({ server: connection.id, entry });
          }
          total += 1;
        }
        const pause = slices.step();
        if (pause) {
          await pause;
        }
      }
    }
    return { entries, offset, total };
  }
}

function lacksOf({ connection, resources, templates }: ServerCatalog): readonly string[] {
  return [resources, templates].flatMap(({ state, error }) => {
    const why =
      state === 'loading' ? 'not complete yet: it is still loading' : error && `not complete: ${shownFailure(error)}`;
    return why ? [`- A list of ${shownValue(connection.id)} is ${why}`] : [];
  });
}
