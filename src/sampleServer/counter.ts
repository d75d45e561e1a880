/** A number that follows from the time alone: reading never changes it, and nothing is lost while nobody looks. */
export class Counter {
  /** Milliseconds from one number to the next. */
  readonly period = 3000;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #announced = 0;

  constructor(private readonly onChange: () => void) {}

  get value(): number {
    return Math.floor((performance.now() - this.#startedAt) / this.period);
  }

  text(): string {
    const seconds = this.period / 1000;
    return [
      `Counter: ${this.value}`,
      '',
      `The number grows every ${seconds} seconds, and this document with it.`,
      '',
    ].join('\n');
  }

  start(): void {
    const untilNext = this.period - ((performance.now() - this.#startedAt) % this.period);
    this.#timer = setTimeout(() => this.#tick(), Math.ceil(untilNext));
    // A timer must not keep the process alive after its client has gone.
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.start();
    // Timers may fire a little early; then the next one is due at once.
    if (this.value === this.#announced) return;
    this.#announced = this.value;
    this.onChange();
  }
}
