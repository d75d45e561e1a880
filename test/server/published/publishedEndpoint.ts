// Published servers behind HTTP: server-everything by itself, any stdio server behind mcp-proxy (modern and legacy).
import { spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer, type AddressInfo } from 'node:net';
import { modulePath, publishedServer, type PublishedHome } from './published';

export interface PublishedEndpoint {
  url: string;
  pid: number;
  /** Ends the process and everything that it started. */
  stop(): Promise<void>;
}

/** Milliseconds that a server may take until its port is open. */
const PATIENCE = 30_000;

/** A modern 2026-07-28 (and legacy) endpoint in front of a published stdio server, by mcp-proxy. */
export async function proxyEndpoint(home: PublishedHome, behind: string): Promise<PublishedEndpoint> {
  const port = await freePort();
  const { command, args, env } = home.launch(behind);
  const options = ['--host', '127.0.0.1', '--port', String(port), '--', command, ...args];
  return start(`http://127.0.0.1:${port}/mcp`, port, [modulePath('mcp-proxy/dist/bin/mcp-proxy.mjs'), ...options], env);
}

/** server-everything over Streamable HTTP or HTTP with SSE, both legacy. */
export async function everythingEndpoint(
  home: PublishedHome,
  transport: 'http' | 'sse',
  name: 'everything' | 'everything-2025' = 'everything',
): Promise<PublishedEndpoint> {
  const port = await freePort();
  const { env } = home.launch(name);
  const url = `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
  const args = [modulePath(publishedServer(name).entry), transport === 'sse' ? 'sse' : 'streamableHttp'];
  return start(url, port, args, { ...env, PORT: String(port) });
}

async function start(
  url: string,
  port: number,
  args: string[],
  env: Record<string, string>,
): Promise<PublishedEndpoint> {
  // A process group of its own, so that stopping it takes along what it started.
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => endGroup(child, ended);
  const deadline = Date.now() + PATIENCE;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${args.join(' ')} did not open port ${port}:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url, pid: child.pid ?? 0, stop };
}

/** Milliseconds until an ended group is taken for gone although some ancestor never asked for its end. */
const BURIAL = 2000;

async function endGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  const { pid } = child;
  if (pid === undefined || !signalGroup(pid, 'SIGKILL')) return;
  await ended;
  const deadline = Date.now() + BURIAL;
  while (signalGroup(pid, 0) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** False when nothing of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** Taken and let go of at once: nothing else on a test machine grabs it meanwhile. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
