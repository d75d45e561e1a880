import { Emitter } from '../base/events';
import type { Disposable } from '../base/lifecycle';
import type { Completion } from '../connection/wire';

/** Quiet time after the last key. Milliseconds. */
const DELAY_MS = 150;

/** Asks for suggestions and never rejects; `undefined` where there are none to be had. */
export type Suggest = (text: string, signal: AbortSignal) => Promise<Completion | undefined>;

/** Suggestions for a text while it is being typed: asked for when the typing pauses, and only the latest answer counts. */
export class TypedCompletion implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  private timer: NodeJS.Timeout | undefined;
  private asking: AbortController | undefined;
  private text: string | undefined;
  private latest: Completion | undefined;
  private waiting = false;

  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly suggest: Suggest,
    private readonly delayMs = DELAY_MS,
  ) {}

  /** A newer answer is on its way. */
  get busy(): boolean {
    return this.waiting;
  }

  /** What is known for the text. Until its answer comes: what of the previous one contains it. */
  get completion(): Completion | undefined {
    if (!this.waiting || !this.latest) {
      return this.latest;
    }
    const typed = this.text?.toLowerCase() ?? '';
    return { values: this.latest.values.filter((value) => value.toLowerCase().includes(typed)), hasMore: false };
  }

  /** The text is this now. `atOnce`: it was chosen, not typed. */
  type(text: string, atOnce = false): void {
    if (text === this.text) {
      return;
    }
    this.text = text;
    this.waiting = true;
    clearTimeout(this.timer);
    this.asking?.abort();
    this.timer = setTimeout(() => void this.ask(text), atOnce ? 0 : this.delayMs);
    this.changeEmitter.fire();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.changeEmitter.dispose();
  }

  private async ask(text: string): Promise<void> {
    const asking = new AbortController();
    this.asking = asking;
    const answer = await this.suggest(text, asking.signal);
    if (!asking.signal.aborted) {
      this.latest = answer;
      this.waiting = false;
      this.changeEmitter.fire();
    }
  }
}
