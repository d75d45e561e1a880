import { StringDecoder } from 'node:string_decoder';

/** Splits chunks into lines; joins each line once, however many chunks it came in. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  #pending: string[] = [];

  constructor(private readonly onLine: (line: string) => void) {}

  push(chunk: Buffer): void {
    const parts = this.#decoder.write(chunk).split('\n');
    for (const [index, part] of parts.entries()) {
      this.#pending.push(part);
      if (index === parts.length - 1) return;
      const line = this.#pending.join('');
      this.#pending = [];
      if (line.trim() !== '') this.onLine(line);
    }
  }
}
