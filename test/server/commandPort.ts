// Commands from a test to a server process: `POST /` with `{ name, args }` on a loopback port, answered by the result.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CommandName, Commands } from './control';
import { readBody, sendJson } from './httpParts';
import type { Json } from './scenario';

type AnyCommand = (...args: Json[]) => Json | undefined | Promise<Json | undefined>;

/** Milliseconds; a process that ends just now may leave a command without an answer. */
const LONGEST_COMMAND = 30_000;

/** Returns the port. It keeps no process alive. */
export async function listenForCommands(commands: Commands): Promise<number> {
  const http = createServer((request, response) => {
    void (async () => {
      const { name, args } = (await readBody(request)) as { name: CommandName; args: Json[] };
      // A process that is to exit answers first.
      if (name === 'exit') response.on('finish', () => void commands.exit(Number(args[0] ?? 0)));
      const result = name === 'exit' ? null : await (commands[name] as AnyCommand)(...args);
      sendJson(response, 200, { result: result ?? null });
    })().catch((error: unknown) => sendJson(response, 500, { error: String(error) }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  http.unref();
  return (http.address() as AddressInfo).port;
}

export async function sendCommand(port: number, name: CommandName, args: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(LONGEST_COMMAND),
    // Optional arguments come last: what is not given is not sent.
    body: JSON.stringify({ name, args: args.filter((argument) => argument !== undefined) }),
  });
  const answer = (await response.json()) as { result?: unknown; error?: string };
  if (answer.error !== undefined) throw new Error(`Fixture: ${answer.error}`);
  return answer.result;
}
