import { win32 } from 'node:path';
import { HumanError } from '../base/errors';

/** Where Windows finds programs. */
export interface WindowsSearch {
  readonly PATH: string;
  /** Semicolon-separated extensions; Windows' own default where absent. */
  readonly PATHEXT?: string;
  /** Absolute; base of a command that is a relative path. */
  readonly cwd: string;
  /** Whether there is a file at an absolute path. */
  readonly exists: (path: string) => Promise<boolean>;
}

/** Arguments for `child_process.spawn` on Windows. */
export interface WindowsSpawn {
  readonly file: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments: boolean;
}

/** What can be started at all, of whatever PATHEXT lists (`.JS` and the like need a program of their own). */
const startable = ['.com', '.exe', '.bat', '.cmd'];

/** What cmd.exe gives a meaning to. */
const special = /[()\][%!^"`<>&|;, *?]/g;

/**
 * The file that a command means on Windows (`npx` → `C:\…\npx.cmd`), or undefined. A bare name is looked for along PATH
 * only, never in the current folder: that would let a workspace put its own `npx` first.
 */
export async function findWindowsCommand(command: string, search: WindowsSearch): Promise<string | undefined> {
  const listed = (search.PATHEXT ?? '').split(';').map((extension) => extension.trim().toLowerCase());
  const known = listed.filter((extension) => startable.includes(extension));
  const extensions = known.length > 0 ? known : startable;
  const isPath = /[\\/]/.test(command) || /^[a-z]:/i.test(command);
  const folders = isPath ? [search.cwd] : foldersOf(search.PATH);
  // A name as written counts only with an extension that can be started: beside npx.cmd lies npx, a shell script.
  const suffixes = startable.includes(win32.extname(command).toLowerCase()) ? ['', ...extensions] : extensions;
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const candidate = win32.resolve(folder, command + suffix);
      if (await search.exists(candidate)) {
        return candidate;
      }
    }
  }
  return undefined;
}

/**
 * How a file has to be started. `.cmd` and `.bat` need cmd.exe, whose command line is parsed by rules of its own: every
 * special character is escaped, so that an argument stays one argument and never becomes a command. Throws `HumanError`
 * for what cannot be passed through cmd.exe.
 */
export function windowsSpawn(file: string, args: readonly string[], comSpec = 'cmd.exe'): WindowsSpawn {
  if (!/\.(cmd|bat)$/i.test(file)) {
    return { file, args, windowsVerbatimArguments: false };
  }
  if ([file, ...args].some((text) => /[\r\n\0]/.test(text))) {
    throw new HumanError(`An argument with a line break cannot be passed to ${file}.`);
  }
  const line = [escape(win32.normalize(file)), ...args.map(batchArgument)].join(' ');
  return { file: comSpec, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
}

/**
 * Batch files hand their arguments on by `%*`, where cmd.exe parses them a second time. Within quotes nothing can happen
 * then; but an argument with a quote of its own ends them, so that one is escaped for both times.
 */
function batchArgument(arg: string): string {
  // As every C program on Windows reads it: backslashes count double before a quote and at the end.
  const quotes = arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
  const once = escape(`"${quotes}"`);
  return arg.includes('"') ? escape(once) : once;
}

function escape(text: string): string {
  return text.replace(special, '^$&');
}

function foldersOf(path: string): string[] {
  return path
    .split(';')
    .map((folder) => folder.trim().replace(/^"(.*)"$/, '$1'))
    .filter((folder) => win32.isAbsolute(folder));
}
