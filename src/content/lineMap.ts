/**
 * Where each line of a text went in its next version: lines of the common start and end by counting, others beside the
 * nearest line that occurs exactly once in both. Takes and gives zero-based line numbers; linear in the number of lines.
 */
export function lineMap(before: string, after: string): (line: number) => number {
  const [from, to] = [before.split(/\r\n|\r|\n/u), after.split(/\r\n|\r|\n/u)];
  const shortest = Math.min(from.length, to.length);
  let start = 0;
  while (start < shortest && from[start] === to[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shortest - start && from.at(-1 - end) === to.at(-1 - end)) {
    end += 1;
  }
  const shift = to.length - from.length;
  const [fromEnd, toEnd] = [from.length - end, to.length - end];
  const [once, onceAfter] = [linesOnce(from, start, fromEnd), linesOnce(to, start, toEnd)];
  const anchorOf = (line: number): number | undefined => {
    if (line < start || line >= fromEnd) {
      return line < start ? line : line + shift;
    }
    const text = from[line]!;
    return once.get(text) === line ? onceAfter.get(text) : undefined;
  };
  return (line) => {
    for (let away = 0; away < from.length; away += 1) {
      for (const near of away === 0 ? [line] : [line - away, line + away]) {
        const anchor = near >= 0 && near < from.length ? anchorOf(near) : undefined;
        if (anchor !== undefined) {
          return clamp(anchor + line - near, to.length);
        }
      }
    }
    return clamp(line, to.length);
  };
}

/** Texts that occur exactly once in a range of lines, with their line. */
function linesOnce(lines: readonly string[], start: number, end: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const often = new Set<string>();
  for (let line = start; line < end; line += 1) {
    const text = lines[line]!;
    if (found.has(text)) {
      often.add(text);
    }
    found.set(text, line);
  }
  often.forEach((text) => found.delete(text));
  return found;
}

function clamp(line: number, count: number): number {
  return Math.max(0, Math.min(line, count - 1));
}
