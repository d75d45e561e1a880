const NEWLINE = 0x0a;
/** As much of both ends of a line that is too long is kept: a message's id stands at one of them. */
const END_BYTES = 512;

/** The two ends of a line that was too long to keep. */
export interface OversizeLine {
  readonly head: string;
  readonly tail: string;
  /** Bytes. */
  readonly length: number;
}

/** Cuts a byte stream into lines. Linear in the bytes: chunks are joined once per line, never per chunk. */
export class LineFraming {
  private chunks: Buffer[] = [];
  private length = 0;
  private oversize: { head: Buffer; tail: Buffer } | undefined;

  /** `onOversize` hears of a line past `maxBytes` when it ends; that line alone is dropped. */
  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: string) => void,
    private readonly onOversize: (line: OversizeLine) => void,
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
    this.length += piece.length;
    if (this.oversize) {
      this.oversize.tail = lastBytes([this.oversize.tail, piece]);
    } else if (this.length > this.maxBytes) {
      const head = Buffer.concat([...this.chunks, piece].slice(0, 2)).subarray(0, END_BYTES);
      this.oversize = { head: Buffer.from(head), tail: lastBytes([...this.chunks.slice(-1), piece]) };
      this.chunks = [];
    } else {
      this.chunks.push(piece);
    }
  }

  private finishLine(): void {
    const { chunks, length, oversize } = this;
    this.chunks = [];
    this.length = 0;
    this.oversize = undefined;
    if (oversize) {
      this.onOversize({ head: oversize.head.toString('latin1'), tail: oversize.tail.toString('latin1'), length });
    } else if (length > 0) {
      this.onLine((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)).toString('utf8'));
    }
  }
}

function lastBytes(pieces: readonly Buffer[]): Buffer {
  return Buffer.from(Buffer.concat(pieces.map((piece) => piece.subarray(-END_BYTES))).subarray(-END_BYTES));
}
