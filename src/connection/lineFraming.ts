const NEWLINE = 0x0a;

/** Cuts a byte stream into lines. Linear in the bytes: chunks are joined once per line, never per chunk. */
export class LineFraming {
  private chunks: Buffer[] = [];
  private length = 0;
  private skipping = false;

  /** `onOversize` hears of a line past `maxBytes`; that line alone is dropped. */
  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: string) => void,
    private readonly onOversize: () => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.collect(chunk.subarray(start, end));
      this.finishLine();
      start = end + 1;
    }
    if (start < chunk.length) {
      this.collect(chunk.subarray(start));
    }
  }

  /** What came after the last newline counts as a line at the end of the stream. */
  end(): void {
    if (this.length > 0) {
      this.finishLine();
    }
  }

  private collect(piece: Buffer): void {
    if (this.skipping) {
      return;
    }
    if (this.length + piece.length > this.maxBytes) {
      this.chunks = [];
      this.length = 0;
      this.skipping = true;
      this.onOversize();
      return;
    }
    this.chunks.push(piece);
    this.length += piece.length;
  }

  private finishLine(): void {
    const skipped = this.skipping;
    const line = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.length);
    this.chunks = [];
    this.length = 0;
    this.skipping = false;
    if (!skipped && line.length > 0) {
      this.onLine(line.toString('utf8'));
    }
  }
}
