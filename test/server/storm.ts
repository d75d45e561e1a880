// A storm of updates at an even pace, made by the server itself: a command for each would be a storm of commands.
import { delay } from './faults';
import type { FixtureContent } from './fixtureContent';
import type { Publisher } from './publisher';

/** Notifications go to the URIs in turn, again and again; the last round changes every one of them. */
export interface StormPlan {
  uris: readonly string[];
  /** The first so many of the URIs change with each notification, the others say the same until the last round. */
  changing: number;
  perSecond: number;
  milliseconds: number;
  /** Words in the texts by which this storm is told from others. */
  name: string;
}

/** Resolves with how many notifications went out, when the last one is out. */
export async function storm(plan: StormPlan, content: FixtureContent, publisher: Publisher): Promise<number> {
  const { uris, changing, perSecond } = plan;
  const total = totalOf(plan);
  const startedAt = performance.now();
  let told = 0;
  for (let turn = 0; turn < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000));
    for (; turn < due; turn++) {
      const index = turn % uris.length;
      const uri = uris[index]!;
      if (index < changing || turn >= total - uris.length) content.setContents(uri, textOf(plan, uri, turn));
      told += publisher.updated(uri);
    }
    await delay(1);
  }
  return told;
}

/** What each of the URIs says after the storm. */
export function textsAfter(plan: StormPlan): Map<string, string> {
  const { uris } = plan;
  const lastRound = totalOf(plan) - uris.length;
  return new Map(uris.map((uri, index) => [uri, textOf(plan, uri, lastRound + index)]));
}

/** Whole rounds: each URI gets the same number of notifications. */
function totalOf({ uris, perSecond, milliseconds }: StormPlan): number {
  return Math.ceil((perSecond * milliseconds) / 1000 / uris.length) * uris.length;
}

/** 40 lines, some 2 kB. */
function textOf({ name }: StormPlan, uri: string, turn: number): string {
  return Array.from({ length: 40 }, (_, line) => `${line + 1}. ${uri}, ${name}, turn ${turn}\n`).join('');
}
