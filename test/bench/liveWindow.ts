import { environment, report } from './benchWindow';
import { now } from './clock';
import { type LiveEditor, openEditors, type Update, update } from './liveEditors';
import { editorsPerSide, type Side, sides } from './liveResources';

export interface LiveResult {
  /** Updates of varying size, of both sides. */
  readonly rounds: readonly (readonly Update[])[];
  /** Updates that change the text and not its length. */
  readonly sameLength: readonly Update[];
}

/** Milliseconds that an editor is left alone after it showed an update: VS Code loses what comes within 3 s of its last read. */
const restMs = 3100;
/** Milliseconds from one update to the next, of whichever editor. */
const paceMs = restMs / (sides.length * editorsPerSide);
/** Milliseconds until an update counts as lost. */
const limitMs = 5000;
const updatesPerRound = 20;
/** Characters of the texts, in turn: what a person may have open. */
const sizes = [200, 5_000, 1_000, 20_000, 60, 2_500];

/** What VS Code calls in the extension host. */
export function run(): Promise<void> {
  return report(async (): Promise<LiveResult> => {
    const editors = await openEditors();
    const turns = turnsOf(editors);
    await warmUp(turns);
    const rounds: Update[][] = [];
    for (let index = 0; index < Number(environment('ROUNDS')); index++) {
      rounds.push(await round(turns, updatesPerRound, (editor, turn) => textOf(editor, turn, sizeOf(turn))));
    }
    // One more that may change the length: what follows has the length of this one.
    await round(turns, editorsPerSide, (editor, turn) => textOf(editor, turn, 500));
    const sameLength = await round(turns, updatesPerRound, (editor, turn) => textOf(editor, turn, 500));
    return { rounds, sameLength };
  });
}

/**
 * Updates every editor until it follows: the first refresh takes many times as long as the next ones, and VS Code loses
 * what comes soon after an editor was opened.
 */
async function warmUp(turns: readonly LiveEditor[]): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const updates = await round(turns, editorsPerSide, (editor, turn) => textOf(editor, turn, 300 + turn));
    if (updates.every(({ latency }) => latency !== null)) return;
  }
  throw new Error('The editors do not follow their server.');
}

/** The order of updates: the sides by turns, and all editors of a side one after the other. */
function turnsOf(editors: readonly LiveEditor[]): LiveEditor[] {
  const of = (side: Side) => editors.filter((editor) => editor.side === side);
  return of('ours').flatMap((editor, index) => [editor, of('vscode')[index]!]);
}

let turn = 0;
let nextAt = 0;
/** When an editor may get its next update. */
const rested = new Map<LiveEditor, Promise<number>>();

/** Updates both sides `count` times each, at an even pace. */
async function round(
  turns: readonly LiveEditor[],
  count: number,
  text: (editor: LiveEditor, turn: number) => string,
): Promise<Update[]> {
  const updates: Promise<Update>[] = [];
  for (let sent = 0; sent < count * sides.length; sent++) {
    const editor = turns[turn % turns.length]!;
    await sleepUntil(Math.max(nextAt, (await rested.get(editor)) ?? 0));
    nextAt = now() + paceMs;
    const outcome = update(editor, text(editor, turn), { updates: environment('UPDATES'), limitMs });
    rested.set(
      editor,
      outcome.then(() => now() + restMs),
    );
    updates.push(outcome);
    turn += 1;
  }
  return Promise.all(updates);
}

/** Both sides get the same sizes, and each editor another one than before. */
function sizeOf(turn: number): number {
  const pair = Math.floor(turn / sides.length);
  return sizes[(pair + Math.floor(pair / editorsPerSide)) % sizes.length]! + (Math.floor(pair / editorsPerSide) % 7);
}

/** A text of exactly `size` characters that differs from turn to turn. */
function textOf({ uri }: LiveEditor, turn: number, size: number): string {
  const line = `${String(turn).padStart(6, '0')} ${uri} says something new\n`;
  return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}

function sleepUntil(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - now())));
}
