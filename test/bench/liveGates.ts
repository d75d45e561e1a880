import * as vscode from 'vscode';
import { until } from '../until';
import { now } from './clock';
import { type Editors, inGroup } from './liveEditors';
import { Follower, type Update } from './liveFollowers';
import { type Lane, lanesOf, resourceUri, resourceCounts } from './liveLanes';
import { limitMs, restMs, sleepUntil, textOf } from './liveRounds';
import type { Source } from './liveSources';

/** Milliseconds until an update counts as lost where VS Code's own is known to lose some. */
const shortLimitMs = 2000;
/** Updates of a burst, and the milliseconds in which they come. */
const burst = { count: 10, withinMs: 100 };
const burstsEach = 5;
const updatesOfSameLength = 20;
/** Milliseconds from the opening of an editor to an update of its resource. */
const soonMs = 300;
/** Milliseconds from the update of a hidden tab to the look at it. */
const unseenMs = 1000;
const updatesEach = 50;

/** What every lane that shows documents has to go through. */
export interface Surroundings {
  readonly editors: Editors;
  readonly sources: ReadonlyMap<Lane, Source>;
  /** What is open, by lane. */
  readonly followers: ReadonlyMap<Lane, readonly Follower[]>;
  /** The group of each lane's first editor. */
  readonly groups: ReadonlyMap<Lane, number>;
}

/** Milliseconds until an update of a lane counts as lost. */
const limitOf = ({ side }: Lane): number => (side === 'vscode' ? shortLimitMs : limitMs);

const shownLanes = (): readonly Lane[] => [...lanesOf('ours'), ...lanesOf('vscode')];

/** Updates that change the text and not its length. */
export async function sameLength(around: Surroundings): Promise<Update[]> {
  const text = (uri: string, time: number): readonly string[] => [textOf(uri, 600_000 + time, 500)];
  // What follows has the length of these.
  await series(around, 0, 1, (uri) => text(uri, 0));
  return series(around, 0, updatesOfSameLength, (uri, time) => text(uri, time + 1));
}

/** Bursts, of which the last update has to be shown; the later half of them keep the text's length. */
export async function bursts(around: Surroundings): Promise<Update[]> {
  const size = (time: number, index: number): number => (time < burstsEach / 2 ? 510 + 10 * time + index : 900);
  return series(around, burst.withinMs / burst.count, burstsEach, (uri, time) =>
    Array.from({ length: burst.count }, (_, index) => textOf(uri, 700_000 + 100 * time + index, size(time, index))),
  );
}

/** Updates one document of each lane of ours so often; of VS Code's own, which need their rest, all at once and once. */
async function series(
  { followers }: Surroundings,
  everyMs: number,
  count: number,
  texts: (uri: string, time: number) => readonly string[],
): Promise<Update[]> {
  const updates: Update[] = [];
  for (const lane of lanesOf('ours')) {
    const follower = followers.get(lane)![0]!;
    for (let time = 0; time < count; time++) {
      updates.push(await follower.update(texts(follower.uri, time), { limitMs, everyMs }));
    }
  }
  await sleepUntil(now() + restMs);
  const theirs = lanesOf('vscode').flatMap((lane) => followers.get(lane)!);
  const options = { limitMs: shortLimitMs, everyMs };
  return [...updates, ...(await Promise.all(theirs.map((each) => each.update(texts(each.uri, 0), options))))];
}

/** An update each 0.3 s after an editor was opened. */
export async function soonAfterOpening({ editors, sources, groups }: Surroundings): Promise<Update[]> {
  const updates: Update[] = [];
  for (const lane of shownLanes()) {
    for (let index = 0; index < resourceCounts.fresh; index++) {
      const uri = resourceUri(lane, 'fresh', index);
      const document = await editors.show(lane, uri, groups.get(lane)!);
      await sleepUntil(now() + soonMs);
      const follower = Follower.document(lane, uri, sources.get(lane)!, document);
      updates.push(await follower.update([textOf(uri, 800_000, 700)], { limitMs: limitOf(lane) }));
    }
  }
  return updates;
}

/**
 * Updates of tabs that another one hides. The latency is that of the look: none where the text is there already. VS
 * Code's own are looked at within the 3 s after their last read, as a person does who goes to and fro.
 */
export async function hiddenTabs({ editors, sources, groups }: Surroundings): Promise<Update[]> {
  const updates: Update[] = [];
  for (const lane of shownLanes()) {
    const group = groups.get(lane)!;
    for (let index = 0; index < resourceCounts.hidden; index++) {
      const uri = resourceUri(lane, 'hidden', index);
      const document = await editors.show(lane, uri, group);
      await editors.show(lane, resourceUri(lane, 'cover'), group);
      const text = textOf(uri, 900_000, 800);
      await sleepUntil(now() + soonMs);
      const { told } = await sources.get(lane)!.send({ uri, texts: [text], everyMs: 0 });
      await sleepUntil(now() + unseenMs);
      updates.push({
        lane: lane.name,
        uri,
        characters: text.length,
        told,
        latency: await look(document, text, { group, limitMs: limitOf(lane) }),
      });
    }
  }
  return updates;
}

/** Shows a hidden tab; milliseconds until its text is there, null when it does not come. */
async function look(
  document: vscode.TextDocument,
  text: string,
  { group, limitMs: limit }: { group: number; limitMs: number },
): Promise<number | null> {
  if (!document.isClosed && document.getText() === text) return 0;
  const lookedAt = now();
  const editor = await vscode.window.showTextDocument(document.uri, inGroup(group));
  return until('the text', () => editor.document.getText() === text, limit).then(
    () => now() - lookedAt,
    () => null,
  );
}

/** Five documents of ours, all updated at once, each again as soon as it shows the update before. */
export async function manyAtOnce({ editors, sources, groups }: Surroundings): Promise<Update[]> {
  const updates: Update[] = [];
  for (const lane of lanesOf('ours')) {
    const followers: Follower[] = [];
    for (let index = 0; index < resourceCounts.many; index++) {
      const uri = resourceUri(lane, 'many', index);
      const document = await editors.show(lane, uri, groups.get(lane)! + index);
      followers.push(Follower.document(lane, uri, sources.get(lane)!, document));
    }
    const each = async (follower: Follower): Promise<void> => {
      for (let turn = 0; turn < updatesEach; turn++) {
        // Now and then of the same length as the one before.
        const text = textOf(follower.uri, turn, 400 + 10 * Math.floor(turn / 2));
        updates.push(await follower.update([text], { limitMs }));
      }
    };
    await Promise.all(followers.map(each));
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  return updates;
}
