/** One line for the log. `failed`: something could not be mended and is shown with its reason. */
export interface RepairNote {
  readonly failed: boolean;
  readonly line: string;
}

/** Notes what was done to one value, or what of it could not be mended. */
export type Note = (what: string) => void;

/** Which entry a note is about; asked only where a line is written. */
export type Where = () => string;

/** Lines per result; what comes after is counted. */
const MAX_LINES = 20;
const MAX_SHOWN = 120;

/** What was mended in the result of one request, in bounded lines that name method, entry and repair. */
export class RepairNotes {
  private readonly kept: RepairNote[] = [];
  private more = 0;
  private moreFailed = false;

  constructor(private readonly method: string) {}

  /** All lines, the last one a count of those that were left out. */
  get lines(): readonly RepairNote[] {
    const rest = { failed: this.moreFailed, line: `${this.method}: ${this.more} more like these` };
    return this.more === 0 ? this.kept : [...this.kept, rest];
  }

  mended(where: Where, what: string): void {
    this.add(where, what, false);
  }

  failed(where: Where, reason: string): void {
    this.add(where, reason, true);
  }

  private add(where: Where, what: string, failed: boolean): void {
    if (this.kept.length < MAX_LINES) {
      this.kept.push({ failed, line: `${this.method}: ${where()}: ${what}` });
    } else {
      this.more += 1;
      this.moreFailed ||= failed;
    }
  }
}

/** A value in a few words, on one line whatever it holds. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
