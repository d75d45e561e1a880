import { type ChildProcess, spawn } from 'node:child_process';
import { parse } from 'node:path';
import { messageOf } from '../base/errors';
import type { Log } from '../base/log';
import type { GroupListener } from './processTree';

/** How long the reaper may take to leave. Milliseconds. */
const FAREWELL_MS = 2000;

/**
 * A small process that outlives this one if need be, to end the servers' process groups when nobody else can any more: it
 * is told of each group, and acts when its stdin ends. Started with the first group, anew where it was ended itself.
 */
export class Reaper implements GroupListener {
  private readonly leaders = new Set<number>();
  private child: ChildProcess | undefined;
  private ending = false;

  /** @param program The bundle of `src/reaper/main.ts`. */
  constructor(
    private readonly program: string,
    private readonly log: Log,
  ) {}

  /** The process, for those who count what is left. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  started(leader: number): void {
    this.leaders.add(leader);
    if (this.child) {
      this.tell(`started ${leader}`);
    } else if (!this.ending) {
      this.start();
      this.leaders.forEach((each) => this.tell(`started ${each}`));
    }
  }

  ended(leader: number): void {
    this.leaders.delete(leader);
    this.tell(`ended ${leader}`);
  }

  /** Lets it go, with whatever is still left for it to end. Resolves once it is gone, or busy with that. */
  async end(): Promise<void> {
    this.ending = true;
    const { child } = this;
    if (!child) {
      return;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FAREWELL_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      child.stdin?.end();
    });
  }

  private start(): void {
    const { PATH, Path, SystemRoot } = process.env;
    const child = spawn(process.execPath, [this.program], {
      // No folder of anybody's is held, and nothing that was set for the editor's own processes counts.
      cwd: parse(this.program).root,
      env: { PATH, Path, SystemRoot, LC_ALL: 'C', ELECTRON_RUN_AS_NODE: '1' },
      // What ends this process's group must not end the reaper.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    });
    const lose = (why: string): void => {
      if (this.child === child && !this.ending) {
        this.child = undefined;
        this.log.debug(`The process that ends servers left behind is gone: ${why}`);
      }
    };
    child.once('error', (error) => lose(messageOf(error)));
    child.once('exit', (code, signal) => lose(String(signal ?? code)));
    child.stdin.on('error', (error) => lose(messageOf(error)));
    // It waits for this process, not the other way round.
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    this.child = child;
  }

  private tell(line: string): void {
    this.child?.stdin?.write(`${line}\n`);
  }
}
