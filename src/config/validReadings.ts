import type { LocatedServers } from './merge';

/**
 * What each file said when it could be read last. While it has a syntax error, as it has again and again while somebody
 * writes in it, that stays in force beside the fault: servers must not end by a missing comma.
 */
export class ValidReadings {
  private last = new Map<string, LocatedServers['list']>();

  /** The same, with the last valid reading of each file that has a syntax error. What is not there any more is forgotten. */
  settle(read: readonly LocatedServers[]): LocatedServers[] {
    const before = this.last;
    this.last = new Map();
    return read.map(({ location, list }) => {
      const { file, dialect } = location.source;
      const key = JSON.stringify([file, dialect]);
      const valid = list.faulty ? before.get(key) : list;
      if (file !== undefined && valid && valid.entries.length > 0) {
        this.last.set(key, valid);
      }
      return valid && list.faulty
        ? { location, list: { ...valid, error: list.error, faulty: true } }
        : { location, list };
    });
  }
}
