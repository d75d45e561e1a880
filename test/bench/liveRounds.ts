import { now } from './clock';
import type { Follower, Update } from './liveFollowers';
import type { Lane } from './liveLanes';

/** Milliseconds that an editor of VS Code's own is left alone after an update: it loses what comes within 3 s of its last read. */
export const restMs = 3100;
/** Milliseconds until an update counts as lost. */
export const limitMs = 5000;
/** Milliseconds from what one lane shows to the update of the next: the window has done with the former by then. */
const gapMs = 20;
/** Milliseconds after which a round ends, however many updates are left of it. */
const longestMs = 60_000;

/** Characters of the texts, in turn: what a person may have open. */
const sizes = [200, 5_000, 1_000, 20_000, 60, 2_500];

/** The followers of each lane, and their updates by turns. */
export class Rounds {
  private turn = 0;
  private readonly rested = new Map<Follower, number>();

  constructor(private readonly followers: ReadonlyMap<Lane, readonly Follower[]>) {}

  /**
   * Updates every lane `count` times, one lane after the other, each time beginning with another one. Where the machine
   * has too much else to do, all lanes get fewer, and the same number each.
   */
  async run(count: number, sizeOf: (turn: number) => number = variedSize): Promise<Update[]> {
    const end = now() + longestMs;
    const updates: Update[] = [];
    const all = [...this.followers.values()];
    const slotMs = restMs / Math.max(...all.map(({ length }) => length));
    for (let done = 0; done < count && now() < end; done++) {
      const turn = this.turn++;
      const nextSlot = now() + slotMs;
      // There and back by turns, so that no lane always comes after the same other one.
      const step = turn % 2 === 0 ? 1 : all.length - 1;
      for (let index = 0; index < all.length; index++) {
        const lane = all[(turn + index * step) % all.length]!;
        const follower = lane[turn % lane.length]!;
        const evenly = nextSlot - (slotMs * (all.length - index)) / all.length;
        await sleepUntil(Math.max(evenly, now() + gapMs, this.rested.get(follower) ?? 0));
        updates.push(await follower.update([textOf(follower.uri, turn, sizeOf(turn))], { limitMs }));
        if (follower.lane.side === 'vscode') this.rested.set(follower, now() + restMs);
      }
      await sleepUntil(nextSlot);
    }
    return updates;
  }

  /**
   * Updates everybody until all follow: the first refresh takes many times as long as the next ones, and VS Code loses
   * what comes soon after an editor was opened.
   */
  async warmUp(): Promise<void> {
    const count = Math.max(...[...this.followers.values()].map(({ length }) => length));
    let lost: Update[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      const updates = await this.run(count, (turn) => 300 + turn);
      lost = updates.filter(({ latency }) => latency === null);
      if (lost.length === 0) return;
    }
    throw new Error(`These do not follow: ${lost.map(({ lane, told }) => `${lane} (told: ${told})`).join(', ')}`);
  }
}

/** All lanes get the same sizes, and each editor another one than before. */
function variedSize(turn: number): number {
  return sizes[turn % sizes.length]! + (turn % 7);
}

/** A text of exactly `size` characters that differs from turn to turn. */
export function textOf(uri: string, turn: number, size: number): string {
  const line = `${String(turn).padStart(6, '0')} ${uri} says something new\n`;
  return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}

export function sleepUntil(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - now())));
}
