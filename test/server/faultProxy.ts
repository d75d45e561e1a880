// A program that stands between a client and a stdio server that it starts itself:
//   node dist-test/server/faultProxy.js --seed N --plan JSON --folder FOLDER -- COMMAND [ARGUMENT …]
// It writes its id to FOLDER/pids. Once FOLDER/clear appears it lets everything through and says so by FOLDER/clear-PID.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Lane } from './faultProxyLane';
import { type FaultPlan, randomOf } from './faultProxyPlan';
import { LineReader } from './lineReader';

const POLL = 5;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, plan: { type: 'string' }, folder: { type: 'string' } },
  });
  const { seed, plan: planJson, folder } = values;
  const [command, ...args] = positionals;
  if (seed === undefined || planJson === undefined || folder === undefined || command === undefined) {
    throw new Error('--seed, --plan, --folder and a command, please');
  }
  const plan = JSON.parse(planJson) as FaultPlan;
  // Each process of a run has a fate of its own.
  const ordinal = enrol(folder);
  const randomFor = (direction: number) => randomOf(Number(seed) * 1000 + ordinal * 2 + direction);

  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  server.once('error', (error) => {
    console.error(error);
    process.exit(1);
  });
  server.once('close', (code) => process.exit(code ?? 1));
  server.stdin.on('error', () => undefined);
  // Ends with the server, so that nothing of it is left.
  const leave = (): void => void server.kill('SIGKILL');
  process.on('exit', leave);
  process.on('SIGTERM', leave);

  const fate = randomFor(2);
  let cut = false;
  const lanes = [
    new Lane(plan, randomFor(0), {
      write: (bytes) => !cut && server.stdin.write(bytes),
      cut(half) {
        cut = true;
        if (fate() < 0.5) server.stdin.end(half);
        else leave();
      },
    }),
    new Lane(plan, randomFor(1), {
      write: (bytes) => !cut && writeOut(bytes),
      cut(half) {
        cut = true;
        writeOut(half);
        // The pipe closes and the process lives on, or all of it ends.
        if (fate() < 0.5) closeSync(1);
        else leave();
      },
    }),
  ] as const;

  const [toServer, toClient] = lanes.map((lane) => new LineReader((line) => lane.receive(line)));
  process.stdin.on('data', (chunk: Buffer) => toServer!.push(chunk));
  process.stdin.on('end', () => server.stdin.end());
  server.stdout.on('data', (chunk: Buffer) => toClient!.push(chunk));

  const polling = setInterval(() => {
    if (!existsSync(join(folder, 'clear'))) return;
    clearInterval(polling);
    lanes.forEach((lane) => lane.makeClear());
    writeFileSync(join(folder, `clear-${process.pid}`), '');
  }, POLL);
  if (existsSync(join(folder, 'clear'))) lanes.forEach((lane) => lane.makeClear());
}

/** Not `process.stdout`, which cannot be closed. */
function writeOut(bytes: Buffer): void {
  try {
    writeSync(1, bytes);
  } catch {
    // The client has gone: the end of stdin follows.
  }
}

/** Returns how many came before. */
function enrol(folder: string): number {
  const file = join(folder, 'pids');
  appendFileSync(file, `${process.pid}\n`);
  return readFileSync(file, 'utf8').split('\n').indexOf(String(process.pid));
}

main();
