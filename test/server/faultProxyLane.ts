// One direction of a fault proxy: each message meets its fate by the plan, until the lane is cleared.
import { type FaultPlan, pick, type Random } from './faultProxyPlan';

/** Milliseconds that a line is kept back at most. */
const LONGEST_DELAY = 30;
/** Passes always: who hears nothing of it keeps what the sender has let go, and neither of them can know. */
const GOODBYE = 'notifications/cancelled';

interface LaneEnds {
  write(bytes: Buffer): void;
  /** Breaks the connection; `half` is what still gets through. */
  cut(half: Buffer): void;
}

export class Lane {
  /** In the order of their time. */
  private waiting: { readonly bytes: Buffer; readonly due: number }[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastDue = 0;
  private clear = false;
  private whenEmpty: (() => void) | undefined;

  constructor(
    private readonly plan: FaultPlan,
    private readonly random: Random,
    private readonly ends: LaneEnds,
  ) {}

  receive(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.clear || !this.isTouched(line)) {
      this.enqueue(bytes, 0, true);
      return;
    }
    const { plan, random } = this;
    if (random() < plan.cut) {
      this.ends.cut(bytes.subarray(0, pick(random, bytes.length)));
      return;
    }
    if (random() < plan.drop) return;
    const sent = random() < plan.corrupt ? corrupted(line, random) : bytes;
    const delay = random() < plan.delay ? 1 + pick(random, LONGEST_DELAY) : 0;
    if (random() < plan.reorder) this.enqueue(sent, 1 + pick(random, LONGEST_DELAY), false);
    else this.enqueue(sent, delay, true);
    if (random() < plan.duplicate) this.enqueue(sent, pick(random, LONGEST_DELAY), false);
  }

  /** From now on every line passes as it is, after those that wait. */
  makeClear(): void {
    this.clear = true;
    this.send(Infinity);
  }

  /** No more messages come: calls back once those that wait are through. */
  end(whenEmpty: () => void): void {
    this.whenEmpty = whenEmpty;
    this.send(performance.now());
  }

  /** Forgets those that wait. */
  discard(): void {
    clearTimeout(this.timer);
    this.waiting = [];
  }

  private isTouched(line: string): boolean {
    const { only } = this.plan;
    const method = methodOf(line);
    return method !== GOODBYE && (only === undefined || (method?.startsWith(only) ?? false));
  }

  private enqueue(bytes: Buffer, delay: number, inOrder: boolean): void {
    const now = performance.now();
    const due = inOrder ? Math.max(now + delay, this.lastDue) : now + delay;
    if (inOrder) this.lastDue = due;
    const before = this.waiting.filter((other) => other.due <= due);
    this.waiting = [...before, { bytes, due }, ...this.waiting.slice(before.length)];
    this.send(this.clear ? Infinity : now);
  }

  private send(until: number): void {
    clearTimeout(this.timer);
    while (this.waiting[0] !== undefined && this.waiting[0].due <= until) this.ends.write(this.waiting.shift()!.bytes);
    const next = this.waiting[0];
    if (next !== undefined) {
      this.timer = setTimeout(() => this.send(performance.now()), Math.max(1, next.due - performance.now()));
    } else {
      this.whenEmpty?.();
    }
  }
}

/**
 * The line with its end cut off, or with a byte turned over. A line that can still be read must not say something else
 * that nobody can check, such as a subscription to another URI, or no `subscribe` among the capabilities: only the texts
 * of a read's answer may be others.
 */
function corrupted(line: string, random: Random): Buffer {
  const bytes = Buffer.from(line);
  if (random() < 0.4) return withEnd(bytes.subarray(0, pick(random, bytes.length)));
  for (;;) {
    const turned = Buffer.from(bytes);
    const at = pick(random, bytes.length);
    turned[at] = turned[at]! ^ (1 << pick(random, 8));
    // A newline would make two lines of it.
    if (turned[at] !== 10 && (!isReadable(turned) || isSameAnswer(bytes, turned))) return withEnd(turned);
  }
}

function withEnd(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from('\n')]);
}

function isReadable(bytes: Buffer): boolean {
  return parsed(bytes.toString()) !== undefined;
}

/** Both answer the same read, with other contents at most. */
function isSameAnswer(one: Buffer, other: Buffer): boolean {
  const [before, after] = [one, other].map((bytes) => parsed(bytes.toString()));
  const isRead = typeof before?.result === 'object' && before.result !== null && 'contents' in before.result;
  return isRead && before.id === after?.id && typeof after?.result === 'object';
}

function methodOf(line: string): string | undefined {
  const method = parsed(line)?.method;
  return typeof method === 'string' ? method : undefined;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
