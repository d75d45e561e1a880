import * as vscode from 'vscode';
import { environment, report } from './benchWindow';
import { type BareFollower, bareFollower } from './liveBare';
import { Editors } from './liveEditors';
import { Follower, type Update } from './liveFollowers';
import { bursts, hiddenTabs, manyAtOnce, sameLength, soonAfterOpening, type Surroundings } from './liveGates';
import { floorLane, type Lane, lanes, lanesOf, resourceCounts, resourceUri, resourceUris } from './liveLanes';
import { Rounds } from './liveRounds';
import { FloorFileSystem, serverSource, type Source } from './liveSources';

/** Updates, and the requests on the wire that they led to, by lane. */
export interface Part {
  readonly updates: readonly Update[];
  readonly requests: Readonly<Record<string, number>>;
}

export interface LiveResult {
  /** Updates of varying size, by turns. */
  readonly rounds: readonly Part[];
  /** Updates that change the text and not its length. */
  readonly sameLength: Part;
  readonly bursts: Part;
  readonly soon: Part;
  readonly hidden: Part;
  readonly many: Part;
}

const updatesPerRound = 50;

/** What VS Code calls in the extension host. */
export function run(): Promise<void> {
  return report(async (): Promise<LiveResult> => {
    const floor = new FloorFileSystem();
    const bare: BareFollower[] = [];
    const registration = vscode.workspace.registerFileSystemProvider(FloorFileSystem.scheme, floor, {
      isCaseSensitive: true,
      isReadonly: true,
    });
    try {
      const around = await open(floor, bare);
      return await measure(around);
    } finally {
      registration.dispose();
      await Promise.all(bare.map((each) => each.close()));
    }
  });
}

/** Opens everything that is updated by turns, all of it visible: VS Code updates nothing else of its own. */
async function open(floor: FloorFileSystem, bare: BareFollower[]): Promise<Surroundings> {
  const editors = await Editors.begin();
  const sources = new Map(lanes.map((lane): [Lane, Source] => [lane, lane.wire ? serverSource(lane) : floor]));
  const followers = new Map<Lane, readonly Follower[]>();
  const groups = new Map<Lane, number>();
  const shown = lanes.filter(({ side }) => side !== 'bare');
  await editors.layOut(shown.reduce((sum, lane) => sum + editorsOf(lane), 0));
  await floor.send({ uri: resourceUri(floorLane, 'steady'), texts: ['nothing yet'], everyMs: 0 });
  let group = 0;
  for (const lane of shown) {
    groups.set(lane, group);
    const ofLane: Follower[] = [];
    for (let index = 0; index < editorsOf(lane); index++) {
      const uri = resourceUri(lane, 'steady', index);
      const document = await editors.show(lane, uri, group);
      ofLane.push(Follower.document(lane, uri, sources.get(lane)!, document));
      group += 1;
    }
    followers.set(lane, ofLane);
  }
  for (const lane of lanesOf('bare')) {
    const client = await bareFollower(lane);
    bare.push(client);
    followers.set(lane, [Follower.bare(lane, sources.get(lane)!, client)]);
  }
  return { editors, sources, followers: new Map(lanes.map((lane) => [lane, followers.get(lane)!])), groups };
}

const editorsOf = ({ side }: Lane): number => (side === 'vscode' ? resourceCounts.steady : 1);

async function measure(around: Surroundings): Promise<LiveResult> {
  const turns = new Rounds(around.followers);
  await turns.warmUp();
  const rounds: Part[] = [];
  for (let index = 0; index < Number(environment('ROUNDS')); index++) {
    rounds.push(await counted(around, () => turns.run(updatesPerRound)));
  }
  return {
    rounds,
    sameLength: await counted(around, () => sameLength(around)),
    bursts: await counted(around, () => bursts(around)),
    soon: await counted(around, () => soonAfterOpening(around)),
    hidden: await counted(around, () => hiddenTabs(around)),
    many: await counted(around, () => manyAtOnce(around)),
  };
}

async function counted({ sources }: Surroundings, work: () => Promise<Update[]>): Promise<Part> {
  const counts = (): Promise<number[]> =>
    Promise.all(lanes.map((lane) => sources.get(lane)!.requests(resourceUris(lane))));
  const before = await counts();
  const updates = await work();
  const after = await counts();
  const requests = Object.fromEntries(lanes.map(({ name }, index) => [name, after[index]! - before[index]!]));
  return { updates, requests };
}
