import { type ChildProcess, spawn } from 'node:child_process';
import { isAbsolute, sep } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { HumanError, messageOf } from '../base/errors';
import type { Log } from '../base/log';
import { Escapees } from './escapees';
import { LineFraming, type OversizeLine } from './lineFraming';
import { type GroupListener, signalTree, treeIsAlive } from './processTree';
import { RequestError } from './requestFailure';

/** A process to start: everything resolved, nothing left to look up. */
export interface ProcessLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Windows: `args` are one ready-made command line for cmd.exe. */
  readonly verbatimArguments?: boolean;
}

/** Milliseconds between the end of stdin, SIGTERM and SIGKILL. */
export interface Graces {
  readonly stdinMs: number;
  readonly termMs: number;
}

/** A longer message is refused, whatever it comes over. */
export const maxMessageBytes = 256 * 1024 * 1024;
/** Begins each line of the log that the server wrote to stderr. */
export const stderrMark = '[stderr] ';
/** How long what an ended process wrote may take to arrive. Milliseconds. */
const DRAIN_MS = 300;
/** How long a process may take to exit after it closed one of its ends. Milliseconds. */
const HANG_UP_MS = 300;
/** Of the range that JSON-RPC leaves to implementations. */
const TOO_LARGE = -32098;
const DEFAULT_GRACES: Graces = { stdinMs: 1500, termMs: 1500 };
/** What was never in a session has nothing to bring to an end. */
const LONGEST_STDIN_MS_ON_TRIAL = 100;

export interface StdioOptions {
  readonly graces?: Graces;
  /** A longer message is refused. */
  readonly maxMessageBytes?: number;
  readonly groups?: GroupListener;
}

/**
 * The stdio transport (specification: basic/transports). Unlike the SDK's it leads a process group, so that children
 * of `npx` and the like end with it, and a message too long to read does not end the connection.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  private child: ChildProcess | undefined;
  private exited: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined;
  private exitWords = '';
  private reportedNoise = false;
  private reported = false;
  /** What the process wrote has arrived. */
  private drained: Promise<void> = Promise.resolve();
  private onTrial = true;
  private readonly graces: Graces;
  private readonly maxMessageBytes: number;

  constructor(
    private readonly launch: ProcessLaunch,
    private readonly log: Log,
    private readonly options: StdioOptions = {},
  ) {
    this.graces = options.graces ?? DEFAULT_GRACES;
    this.maxMessageBytes = options.maxMessageBytes ?? maxMessageBytes;
  }

  /** Why the process ended, in words; empty while it runs. */
  get exitReason(): string {
    return this.exitWords;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** The handshake is done: from now on the process gets its time to end by itself. */
  keep(): void {
    this.onTrial = false;
  }

  async start(): Promise<void> {
    const { command, args, cwd, env, verbatimArguments } = this.launch;
    const child = spawn(command, [...args], {
      cwd,
      env,
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: verbatimArguments,
    });
    this.child = child;
    if (child.pid !== undefined) {
      this.options.groups?.started(child.pid);
    }
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.exitWords ||= signal ? `its process was ended by ${signal}` : `its process exited with code ${code}`;
        resolve();
      });
      child.once('error', () => resolve());
    });
    this.readStdout(child);
    this.readStderr(child);
    child.stdin?.on('error', (error) => {
      this.onerror?.(error);
      void this.hangUp('it closed its standard input');
    });
    this.drained = new Promise((resolve) => child.once('close', () => resolve()));
    child.once('close', () => this.reportClosed());
    // A child of the process may hold its streams open for ever: what it wrote itself has arrived by then.
    child.once('exit', () => setTimeout(() => this.reportClosed(), DRAIN_MS));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(this.startError(error)));
    });
    this.log.debug(`Started process ${child.pid}: ${command} (folder ${cwd ?? process.cwd()})`);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (!stdin || stdin.destroyed || stdin.writableEnded) {
      return Promise.reject(this.unwritable());
    }
    return new Promise((resolve, reject) => {
      stdin.write(JSON.stringify(message) + '\n', (error) => (error ? reject(this.unwritable(error)) : resolve()));
    });
  }

  /** Ends the process and all that it started, in its group or not: end of stdin, then SIGTERM, then SIGKILL. */
  close(): Promise<void> {
    this.closing ??= this.endTree();
    return this.closing;
  }

  private reportClosed(): void {
    if (!this.reported) {
      this.reported = true;
      this.onclose?.();
    }
  }

  private unwritable(cause?: Error): RequestError {
    const reason = this.exitWords || 'the server takes nothing any more';
    return new RequestError('disconnected', `the connection was lost: ${reason}`, undefined, { cause });
  }

  /** A process that hears or says nothing any more is of no use, even if it lives on. */
  private async hangUp(words: string): Promise<void> {
    await Promise.race([this.exited, pause(HANG_UP_MS)]);
    if (!this.exitWords) {
      this.exitWords = words;
      this.reportClosed();
      await this.close();
    }
  }

  private async endTree(): Promise<void> {
    const pid = this.child?.pid;
    if (!this.child || pid === undefined) {
      return;
    }
    if (this.exitWords) {
      // Why it ended by itself may be in what it wrote last.
      await Promise.race([this.drained, pause(DRAIN_MS)]);
    }
    this.exitWords ||= 'it was stopped';
    const escapees = new Escapees(pid);
    await escapees.look();
    this.child.stdin?.end();
    const { stdinMs, termMs } = this.graces;
    const firstMs = this.onTrial ? Math.min(stdinMs, LONGEST_STDIN_MS_ON_TRIAL) : stdinMs;
    let ended = await this.treeEnded(pid, escapees, firstMs);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!ended) {
        signalTree(pid, signal);
        await escapees.signal(signal);
        ended = await this.treeEnded(pid, escapees, termMs);
      }
    }
    if (ended) {
      this.options.groups?.ended(pid);
    } else {
      this.log.warn(`Process ${pid} is still there after it was killed.`);
    }
  }

  /** Waits until the leader has exited and nothing that it started is left, at most `limitMs`. */
  private async treeEnded(pid: number, escapees: Escapees, limitMs: number): Promise<boolean> {
    const deadline = Date.now() + limitMs;
    await Promise.race([this.exited, pause(limitMs)]);
    const leaderGone = this.child?.exitCode !== null || this.child.signalCode !== null;
    // A child left behind by a leader that has exited will not read our stdin: no reason to wait for it politely.
    while (leaderGone && ((await escapees.signal('SIGTERM')) || treeIsAlive(pid))) {
      signalTree(pid, 'SIGTERM');
      if (Date.now() >= deadline) {
        return false;
      }
      await pause(20);
    }
    return leaderGone;
  }

  private readStdout(child: ChildProcess): void {
    const framing = new LineFraming(
      this.maxMessageBytes,
      (line) => this.receive(line),
      (line) => this.refuse(line),
    );
    child.stdout?.on('data', (chunk: Buffer) => framing.push(chunk));
    child.stdout?.on('end', () => {
      // Half a line is no noise of the server's when we ended it ourselves.
      if (!this.closing) {
        framing.end();
      }
      void this.hangUp('it closed its standard output');
    });
  }

  /** A message too long to keep fails the request that it answers; the connection and all other requests live. */
  private refuse({ head, tail, length }: OversizeLine): void {
    const mib = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);
    const words = `The answer is too large: ${mib(length)} MiB, more than the ${mib(this.maxMessageBytes)} MiB that are read.`;
    this.log.error(words);
    const id =
      /^\{"jsonrpc":"2\.0","id":("[^"\\]*"|\d+),/.exec(head)?.[1] ?? /"id":("[^"\\]*"|\d+)[^[\]{}]*\}$/.exec(tail)?.[1];
    if (id !== undefined) {
      this.onmessage?.({
        jsonrpc: '2.0',
        id: JSON.parse(id) as string | number,
        error: { code: TOO_LARGE, message: words },
      });
    }
  }

  private receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      message = undefined;
    }
    if (typeof message === 'object' && message !== null && 'jsonrpc' in message) {
      try {
        this.onmessage?.(message as JSONRPCMessage);
      } catch (error) {
        // One that is nested too deeply, say. Those that came in the same piece are still to be taken in.
        this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
      }
      return;
    }
    if (line.trim() !== '' && !this.reportedNoise) {
      this.reportedNoise = true;
      this.log.warn(
        `The server writes text that is no message to its standard output (told once): ${line.slice(0, 200)}`,
      );
    }
  }

  private readStderr(child: ChildProcess): void {
    const framing = new LineFraming(
      1024 * 1024,
      (line) => this.log.info(stderrMark + line),
      () => this.log.warn(`${stderrMark}a line longer than 1 MiB was left out`),
    );
    child.stderr?.on('data', (chunk: Buffer) => framing.push(chunk));
    child.stderr?.on('end', () => framing.end());
  }

  private startError(error: NodeJS.ErrnoException): HumanError {
    const { command, cwd, env } = this.launch;
    const where = cwd ? ` in the folder ${cwd}` : '';
    if (error.code === 'ENOENT') {
      if (command.includes('/') || command.includes(sep)) {
        const searched = isAbsolute(command) ? '' : where;
        return new HumanError(
          `The command "${command}" was not found${searched}. Check its path, and if it is a script, ` +
            `that the program in its first line is installed.`,
          { cause: error },
        );
      }
      const path = env.PATH ?? env.Path ?? '';
      this.log.error(`PATH was: ${path}`);
      return new HumanError(
        `The command "${command}" was not found on the PATH. Check that it is installed, or write its full path. ` +
          `The PATH that was searched is in the log.`,
        { cause: error },
      );
    }
    return new HumanError(`The command "${command}" could not be started${where}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
