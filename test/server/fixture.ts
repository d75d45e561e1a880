// The fixture server as a program:
//   node dist-test/server/fixture.js --scenario FILE --control FOLDER [--era legacy|modern|dual]
//     [--transport stdio|http|sse] [--port N]
// It announces itself in FOLDER (`fixtureFolder.ts`), writes its log there, and takes commands on a loopback port.
import { readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { announce } from './announce';
import { commandsOf } from './control';
import { listenForCommands } from './commandPort';
import { FixtureServer } from './fixtureServer';
import type { FixtureEra, FixtureTransport, Scenario } from './scenario';
import { HttpEndpoint } from './serveHttp';
import { LONGEST_LIFE, serveStdio } from './serveStdio';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string' },
      control: { type: 'string' },
      era: { type: 'string', default: 'dual' },
      transport: { type: 'string', default: 'stdio' },
      port: { type: 'string', default: '0' },
    },
  });
  if (values.scenario === undefined || values.control === undefined)
    throw new Error('--scenario and --control, please');
  const scenario = JSON.parse(readFileSync(values.scenario, 'utf8')) as Scenario;
  const server = new FixtureServer(values.era as FixtureEra, scenario);
  const folder = announce(values.control, server.log);
  server.log.event('start');
  server.onExit = (code) => {
    server.log.event(`exit ${code}`);
    process.exit(code);
  };
  if (scenario.stdio?.exitAtStart !== undefined) {
    for (const line of scenario.stdio.stderr ?? []) writeSync(process.stderr.fd, `${line}\n`);
    server.onExit(scenario.stdio.exitAtStart);
  }

  const transport = values.transport as FixtureTransport;
  if (transport === 'stdio') {
    const commandPort = await listenForCommands(commandsOf(server));
    const grandchild = serveStdio(server, values.control);
    folder.publish({ commandPort, ...(grandchild === undefined ? {} : { grandchild }) });
    return;
  }
  const endpoint = new HttpEndpoint(server, transport);
  const commandPort = await listenForCommands(commandsOf(server, () => endpoint.forgetSessions()));
  await endpoint.start(Number(values.port));
  process.on('SIGTERM', () => server.onExit(0));
  setTimeout(() => server.onExit(0), LONGEST_LIFE);
  folder.publish({ commandPort, url: endpoint.url });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
