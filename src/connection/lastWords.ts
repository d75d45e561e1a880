import { plainLine } from '../base/plainLine';
import { stderrMark } from './stdioTransport';

/** Lines further back may be about something else. */
const MOST_LINES = 20;
/** Characters. */
const LONGEST = 200;
// eslint-disable-next-line no-control-regex -- what sets the colours of a terminal begins with one
const COLOURS = /\u001b\[[\d;?]*[A-Za-z]/gu;
const STACK_FRAME = /^\s*(at\s|File ")/u;
const NAMES_ERROR = /error/iu;
const SAYS_ERROR = /error\b[^:]{0,30}:\s*\S/iu;

/**
 * What tells most of the last lines that a process wrote to stderr, in one plain line: an error with its reason, else the
 * first that names an error, else the very last that is no stack frame. `lines` are the log's, without secrets: what is cut
 * could not be masked any more.
 */
export function lastWords(lines: readonly string[]): string | undefined {
  const said = lines
    .filter((line) => line.startsWith(stderrMark))
    .slice(-MOST_LINES)
    .map((line) => line.slice(stderrMark.length).replace(COLOURS, ''))
    .filter((line) => line.trim() !== '' && !STACK_FRAME.test(line));
  const best =
    said.findLast((line) => SAYS_ERROR.test(line)) ?? said.find((line) => NAMES_ERROR.test(line)) ?? said.at(-1);
  return best === undefined ? undefined : plainLine(best, LONGEST);
}
