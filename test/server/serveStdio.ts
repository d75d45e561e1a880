// A fixture server on this process's stdin and stdout, with the bad habits that the scenario asks for.
import { spawn } from 'node:child_process';
import { LineReader } from './lineReader';
import type { FixtureServer } from './fixtureServer';
import type { Incoming } from './messages';
import { Peer } from './peer';
import type { JsonObject, StdioHabits } from './scenario';

/** No fixture process outlives this, whatever happens to the test. */
export const LONGEST_LIFE = 15 * 60_000;

/** Serves until stdin ends, SIGTERM comes or `server.onExit` is called; returns the grandchild's id if there is one. */
export function serveStdio(server: FixtureServer, marker: string): number | undefined {
  const habits = server.scenario.stdio ?? {};
  for (const line of habits.stderr ?? []) process.stderr.write(`${line}\n`);
  for (const line of habits.noise ?? []) process.stdout.write(`${line}\n`);
  const peer = new Peer('stdio', {
    answer: write,
    notify: (message) => (write(message), true),
    relate: (_id, message) => write(message),
    refuse: () => undefined,
    dropStreams: () => undefined,
  });
  server.peers.add(peer);
  const reader = new LineReader((line) => receiveLine(server, peer, line));
  process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  process.stdin.on('end', () => leave(server, 'stdin end', habits.ignoreEnd === true));
  process.on('SIGTERM', () => leave(server, 'SIGTERM', habits.ignoreTerm === true));
  setTimeout(() => server.onExit(0), LONGEST_LIFE);
  return habits.grandchild === undefined ? undefined : startGrandchild(habits.grandchild, marker);
}

function write(message: JsonObject): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function receiveLine(server: FixtureServer, peer: Peer, line: string): void {
  let message: Incoming;
  try {
    message = JSON.parse(line) as Incoming;
  } catch {
    server.log.add({ kind: 'unreadable', peer: peer.id, detail: line });
    return;
  }
  void server.receive(peer, message);
}

function leave(server: FixtureServer, reason: string, ignored: boolean): void {
  server.log.event(ignored ? `${reason} ignored` : reason);
  if (!ignored) server.onExit(0);
}

/** The marker in its arguments lets a test recognise it as its own. */
function startGrandchild(kind: NonNullable<StdioHabits['grandchild']>, marker: string): number | undefined {
  const program = `process.on('SIGHUP', () => {}); setTimeout(() => {}, ${LONGEST_LIFE})`;
  const child = spawn(process.execPath, ['-e', program, marker], { stdio: 'ignore', detached: kind === 'detached' });
  child.unref();
  return child.pid;
}
