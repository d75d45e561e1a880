import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';

/** Our files in the extension host: what they load (the SDK) is in them. */
const ours = /[\\/]dist[\\/](extension|sdk|mimeTypes)\.js$/;

/** An unbroken stretch of time in which our code, or what it called, was running. */
export interface Task {
  /** Milliseconds, without the time in which the process had no processor. */
  readonly ms: number;
  /** Milliseconds from its beginning to its end. */
  readonly wallMs: number;
  /** The functions, by their own time: to know where to look. */
  readonly where: string;
}

/** Longer than this no sample takes while the thread runs: it was left waiting for a processor. Microseconds. */
const longestSample = 3000;

/**
 * Does work under the processor profiler (a sample each millisecond) and gives our longest tasks, longest first. What
 * begins by `setImmediate`, as each slice of long work does, is a task of its own; other tasks of ours that follow each
 * other without a pause count as one: what is said is never too short by more than a sample.
 */
export async function longestTasks(work: () => Promise<unknown>, count: number): Promise<Task[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 1000 });
    await session.post('Profiler.start');
    const begins = watchImmediates();
    await work().finally(begins.end);
    const { profile } = await session.post('Profiler.stop');
    return tasksOf(profile, begins.at)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, count);
  } finally {
    session.disconnect();
  }
}

/** When callbacks of `setImmediate` begin from now on, in the profile's microseconds: both are of the monotonic clock. */
function watchImmediates(): { at: number[]; end: () => void } {
  const at: number[] = [];
  const original = globalThis.setImmediate;
  const watched = <A extends unknown[]>(callback: (...args: A) => void, ...args: A): NodeJS.Immediate =>
    original(() => {
      at.push(Number(process.hrtime.bigint() / 1000n));
      callback(...args);
    });
  globalThis.setImmediate = Object.assign(watched, original);
  return { at, end: () => void (globalThis.setImmediate = original) };
}

function tasksOf({ nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile, begins: number[]): Task[] {
  const kinds = kindsOf(nodes);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const tasks: Task[] = [];
  let span: { microseconds: number; wall: number; own: Map<string, number> } | undefined;
  let [time, begun] = [startTime, 0];
  samples.forEach((id, index) => {
    const kind = kinds.get(id);
    time += timeDeltas[index] ?? 0;
    const before = begun;
    while (begun < begins.length && begins[begun]! <= time) begun += 1;
    if (kind === 'other' || (kind === 'gc' && !span) || begun > before) {
      if (span) tasks.push({ ms: span.microseconds / 1000, wallMs: span.wall / 1000, where: mostOf(span.own) });
      span = undefined;
    }
    if (kind === 'other' || (kind === 'gc' && !span)) return;
    // A sample stands for the time until the next one.
    const wall = timeDeltas[index + 1] ?? 0;
    const lasted = Math.min(wall, longestSample);
    span ??= { microseconds: 0, wall: 0, own: new Map() };
    span.microseconds += lasted;
    span.wall += wall;
    const name = nameOf(byId.get(id)!.callFrame);
    span.own.set(name, (span.own.get(name) ?? 0) + lasted);
  });
  return tasks;
}

type Kind = 'ours' | 'gc' | 'other';

/** A stack is ours when one of its frames is; the collector, which stands alone in a profile, is whose time it takes. */
function kindsOf(nodes: readonly Profiler.ProfileNode[]): Map<number, Kind> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const kinds = new Map<number, Kind>();
  const visit = (id: number, above: Kind): void => {
    const { callFrame, children = [] } = byId.get(id)!;
    const own = callFrame.functionName === '(garbage collector)' ? 'gc' : ours.test(callFrame.url) ? 'ours' : above;
    kinds.set(id, own);
    children.forEach((child) => visit(child, own));
  };
  // The first node is the root.
  if (nodes[0]) visit(nodes[0].id, 'other');
  if (![...kinds.values()].includes('ours')) throw new Error('The profile does not show our code at all.');
  return kinds;
}

function mostOf(own: ReadonlyMap<string, number>): string {
  return [...own]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([name, microseconds]) => `${name} ${(microseconds / 1000).toFixed(1)}`)
    .join(', ');
}

function nameOf({
  functionName,
  url,
  lineNumber,
  columnNumber,
}: Profiler.Profile['nodes'][number]['callFrame']): string {
  return `${functionName || '(anonymous)'}@${url.split('/').at(-1)}:${lineNumber + 1}:${columnNumber + 1}`;
}
