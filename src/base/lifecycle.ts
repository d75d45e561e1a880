/** Something that holds a resource until it is told to let go. Calling `dispose` twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** A disposable that runs `release` once. */
export function toDisposable(release: () => void): Disposable {
  let released = false;
  return {
    dispose() {
      if (!released) {
        released = true;
        release();
      }
    },
  };
}

/** Owns disposables and lets go of them in reverse order. What is added after disposal is disposed at once. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.disposed) {
      item.dispose();
    } else {
      this.items.add(item);
    }
    return item;
  }

  /** Disposes of one item before the store's own end. */
  release(item: Disposable): void {
    if (this.items.delete(item)) {
      item.dispose();
    }
  }

  dispose(): void {
    this.disposed = true;
    const items = [...this.items].reverse();
    this.items.clear();
    for (const item of items) {
      item.dispose();
    }
  }
}

/** Holds at most one disposable; setting another disposes of the one before. */
export class DisposableSlot<T extends Disposable> implements Disposable {
  private current: T | undefined;
  private disposed = false;

  get value(): T | undefined {
    return this.current;
  }

  set value(next: T | undefined) {
    if (next === this.current) {
      return;
    }
    const previous = this.current;
    if (this.disposed) {
      next?.dispose();
      return;
    }
    this.current = next;
    previous?.dispose();
  }

  dispose(): void {
    this.value = undefined;
    this.disposed = true;
  }
}
