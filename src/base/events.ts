import { type Disposable, toDisposable } from './lifecycle';

/** Subscribes a listener until the returned disposable is disposed. Shape-compatible with `vscode.Event`. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** A private source of a public `event`. A listener that throws neither stops the others nor the one who fires. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => unknown>();

  /** `onListenerError` hears what a listener throws; by default it surfaces as an uncaught error, never swallowed. */
  constructor(private readonly onListenerError: (error: unknown) => void = rethrowLater) {}

  readonly event: Event<T> = (listener) => {
    const own = (value: T): unknown => listener(value);
    this.listeners.add(own);
    return toDisposable(() => this.listeners.delete(own));
  };

  get hasListeners(): boolean {
    return this.listeners.size > 0;
  }

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
