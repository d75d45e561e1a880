// An extension host to be killed: a program that connects to the servers named in its environment, by the same code, and
// says on stdout when it has.
import type { Launch } from '../../src/config/serverDefinition';
import { Reaper } from '../../src/connection/reaper';
import { startCore } from './core';
import { reaperProgram } from './reaperProgram';

async function main(): Promise<void> {
  const launches = JSON.parse(process.env.HOST_PROCESS_SERVERS ?? '{}') as Record<string, Launch>;
  const ignore = (): void => undefined;
  const log = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
  const reaper = new Reaper(reaperProgram(), log);
  const core = startCore(launches, { groups: reaper });
  await Promise.all(core.pool.all.map((connection) => connection.connect('person')));
  console.log(JSON.stringify({ reaper: reaper.pid }));
  // As a host that hangs would: it hears nothing any more.
  setInterval(ignore, 60_000);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
