/** How many have their turn at once. */
const AT_ONCE = 8;

/** Work that nobody waits for, a few at a time in the order in which it came; what somebody waits for after all goes ahead. */
export class Turns {
  private underWay = 0;
  private readonly waiting = new Set<() => void>();

  async run<T>(work: () => Promise<T>, hurry: Promise<void>): Promise<T> {
    if (this.underWay >= AT_ONCE) {
      await this.turn(hurry);
    }
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
      this.next();
    }
  }

  private turn(hurry: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const begin = (): void => {
        this.waiting.delete(begin);
        resolve();
      };
      this.waiting.add(begin);
      void hurry.then(begin);
    });
  }

  private next(): void {
    const [first] = this.waiting;
    if (this.underWay < AT_ONCE) {
      first?.();
    }
  }
}
