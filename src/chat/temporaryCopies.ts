import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Copies of contents as files, for what only takes files: in a private folder that is gone with the window. */
export class TemporaryCopies {
  private folder: Promise<string> | undefined;
  private count = 0;

  /** `root` is ours alone; each process has a folder of its own in it. */
  constructor(private readonly root: string) {}

  /** Writes a file and returns its path. `name` must be safe as a file name. */
  async write(name: string, bytes: Uint8Array): Promise<string> {
    this.folder ??= this.begin().catch((error: unknown) => {
      // The next one tries again.
      this.folder = undefined;
      throw error;
    });
    // A folder for each: the name is what a person sees in the chat.
    this.count += 1;
    const folder = join(await this.folder, String(this.count));
    await mkdir(folder, { mode: 0o700 });
    const file = join(folder, name);
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
    return file;
  }

  /** Removes what processes have left that came to a sudden end. */
  async removeLeftOvers(): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    const left = names.filter((name) => !isRunning(Number.parseInt(name, 10)));
    await Promise.all(left.map((name) => rm(join(this.root, name), { recursive: true, force: true })));
  }

  /** Removes all copies. */
  async end(): Promise<void> {
    const folder = await this.folder?.catch(() => undefined);
    this.folder = undefined;
    if (folder !== undefined) {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async begin(): Promise<string> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    // For this user alone, whatever the mask is.
    return mkdtemp(join(this.root, `${process.pid}-`));
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process: not ours to judge.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
