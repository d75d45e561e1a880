// How a server process tells a test about itself, in a folder that both know: `<start>-<pid>.json` says how to reach it,
// `<start>-<pid>.jsonl` is its log. Files, because they outlive the process, and a test's own restart.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoggedMessage, MessageLog } from './messageLog';

export interface Announcement {
  pid: number;
  startedAt: number;
  commandPort: number;
  grandchild?: number;
  url?: string;
}

export interface Announcer {
  publish(facts: Omit<Announcement, 'pid' | 'startedAt'>): void;
}

export function announce(folder: string, log: MessageLog): Announcer {
  const startedAt = Date.now();
  const base = join(folder, `${startedAt}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  log.onEntry((entry) => appendFileSync(`${base}.jsonl`, `${JSON.stringify(entry)}\n`));
  return {
    publish: (facts) => {
      // Renamed into place: a reader never sees half of it.
      writeFileSync(`${base}.new`, JSON.stringify({ pid: process.pid, startedAt, ...facts }));
      renameSync(`${base}.new`, `${base}.json`);
    },
  };
}

export function readAnnouncements(folder: string): Announcement[] {
  return filesOf(folder, '.json').map((path) => JSON.parse(readFileSync(path, 'utf8')) as Announcement);
}

/** The logs of all processes, in the order of time. */
export function readLogs(folder: string): LoggedMessage[] {
  const entries = filesOf(folder, '.jsonl').flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    // The last one is empty, or still being written.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LoggedMessage);
  });
  return entries.sort((a, b) => a.at - b.at);
}

function filesOf(folder: string, ending: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.sort().map((name) => join(folder, name));
}
