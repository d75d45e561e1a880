// What a test can do to a fixture server while it runs, the same for servers in its own process and in others.
import type { FixtureServer } from './fixtureServer';
import type { LoggedMessage, LogMatch } from './messageLog';
import type { Audience } from './publisher';
import type { Contents, Fault, JsonObject, ResourceSpec, Scenario } from './scenario';
import { storm, type StormPlan } from './storm';

/** Who hears of a change: default those who subscribed; `false` nobody; `everyone` also who did not ask. */
export interface Telling {
  notify?: boolean | 'everyone';
}

export interface ProcessFacts {
  pid: number;
  alive: boolean;
  startedAt: number;
  /** Process that the scenario made it start. */
  grandchild?: number;
  /** HTTP servers only. */
  url?: string;
}

export interface WaitOptions {
  /** Milliseconds, default 10 000. */
  timeout?: number;
  /** Only entries from this index on, as given by `mark()`. */
  after?: number;
  /** How many entries have to match, default 1; the last of them is returned. */
  count?: number;
}

export interface Control {
  /** Everything received so far by all processes of this server, oldest first. */
  log(): Promise<readonly LoggedMessage[]>;
  /** The log's length now: what comes later has this index or a higher one. */
  mark(): Promise<number>;
  requests(method?: string): Promise<readonly LoggedMessage[]>;
  /** Resolves with the matching entry, also when it is there already; rejects with the log when time is up. */
  waitForRequest(match: LogMatch, options?: WaitOptions | number): Promise<LoggedMessage>;

  /** These return how many notifications went out. */
  set(uri: string, contents: string | Contents, telling?: Telling): Promise<number>;
  add(resource: ResourceSpec, telling?: Telling): Promise<number>;
  remove(uri: string, telling?: Telling): Promise<number>;
  /** Any notification to every client (modern: on every open listen stream, stamped with its id). */
  notify(method: string, params?: JsonObject): Promise<number>;
  /** Resolves when it is over, for those who subscribed. */
  storm(plan: StormPlan): Promise<number>;

  /** Replaces fields of the scenario: lists, page size, capabilities, notFound, … */
  change(part: Partial<Scenario>): Promise<void>;
  /** Sets or (null) lifts the fault of one method. */
  fault(method: string, fault: Fault | null): Promise<void>;
  /** Holds back the answers to `method` or `method uri` until `release`; contents are those of the time of asking. */
  hold(key: string): Promise<void>;
  release(key: string): Promise<void>;
  /** Modern, graceful: every listen request is answered; otherwise the connections of all streams break. */
  closeStreams(options?: { graceful?: boolean }): Promise<void>;
  /** HTTP, legacy: all sessions are unknown from now on. */
  forgetSessions(): Promise<void>;
  exit(code?: number): Promise<void>;
  /** How many subscriptions to a resource are in force, of all clients together. */
  subscriptions(): Promise<number>;
  processes(): Promise<readonly ProcessFacts[]>;
}

const COMMANDS = [
  'set',
  'add',
  'remove',
  'notify',
  'storm',
  'change',
  'fault',
  'hold',
  'release',
  'closeStreams',
  'forgetSessions',
  'exit',
  'subscriptions',
] as const;

export type CommandName = (typeof COMMANDS)[number];

/** The part of `Control` that one server process carries out; arguments and results are plain JSON. */
export type Commands = {
  [Name in CommandName]: (
    ...args: Parameters<Control[Name]>
  ) => Awaited<ReturnType<Control[Name]>> | ReturnType<Control[Name]>;
};

export function commandsOf(server: FixtureServer, forgetSessions: () => void = () => undefined): Commands {
  const { content, faults, publisher } = server;
  const tell = ({ notify = true }: Telling = {}, send: (audience: Audience) => number) =>
    notify === false ? 0 : send(notify === true ? 'subscribers' : notify);
  return {
    set: (uri, contents, telling) => {
      content.setContents(uri, contents);
      return tell(telling, (audience) => publisher.updated(uri, audience));
    },
    add: (resource, telling) => {
      content.resources.push(resource);
      return tell(telling, (audience) => publisher.listChanged(audience));
    },
    remove: (uri, telling) => {
      content.remove(uri);
      return tell(telling, (audience) => publisher.listChanged(audience));
    },
    notify: (method, params) => publisher.notify(method, params),
    storm: (plan) => storm(plan, content, publisher),
    change: (part) => {
      content.change(part);
    },
    fault: (method, fault) => {
      const methods = new Map(Object.entries(content.scenario.methods ?? {}));
      if (fault === null) methods.delete(method);
      else methods.set(method, fault);
      content.change({ methods: Object.fromEntries(methods) });
    },
    hold: (key) => {
      faults.hold(key);
    },
    release: (key) => {
      faults.release(key);
    },
    closeStreams: ({ graceful = false } = {}) => {
      publisher.closeStreams(graceful, server.info);
    },
    forgetSessions,
    exit: (code = 0) => {
      server.onExit(code);
    },
    subscriptions: () => publisher.subscriptions,
  };
}

/** The same commands as `Control` has them; each is carried out at once, failures reject. */
export function asPromises(commands: Commands): Pick<Control, CommandName> {
  const wrapped = COMMANDS.map((name) => {
    const command = commands[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => new Promise((resolve) => resolve(command(...args)))];
  });
  return Object.fromEntries(wrapped) as Pick<Control, CommandName>;
}
