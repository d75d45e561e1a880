import { CancelledError, HumanError, messageOf } from '../base/errors';
import { Emitter } from '../base/events';
import type { Disposable } from '../base/lifecycle';
import type { Log } from '../base/log';
import type { ServerDefinition } from '../config/serverDefinition';
import { type EraVerdict, openSession, type SessionTarget } from './mcpClient';
import { Backoff, type BackoffOptions } from './backoff';
import { RequestError } from './requestFailure';
import { Secrets } from './secrets';
import { Subscriptions } from './subscriptions';
import type { InputHandler } from './inputRequest';
import type {
  Completion,
  CompletionRequest,
  Initiative,
  McpSession,
  Page,
  ReadAnswer,
  ReadRequest,
  ResourceEntry,
  SessionInfo,
  TemplateEntry,
} from './wire';

export type { Initiative } from './wire';

/** What a person sees of a connection. */
export type ConnectionState =
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly info: SessionInfo }
  /** `retryAt` (milliseconds since the epoch): it is tried again by itself then. */
  | { readonly kind: 'failed'; readonly error: HumanError; readonly retryAt?: number }
  | { readonly kind: 'stopped' };

/** What a connection needs from its surroundings. */
export interface ConnectionHost {
  /** Why nothing may start now (an untrusted workspace), or `undefined`. */
  refusal(): string | undefined;
  /** Everything in the definition resolved. Rejects with a HumanError that names what is missing. */
  target(definition: ServerDefinition): Promise<SessionTarget>;
  /** Milliseconds. */
  startTimeoutMs(serverId: string): number;
  /** Milliseconds until a request must be answered. */
  requestTimeoutMs(serverId: string): number;
  /** Asks a person what a server wants to know. */
  readonly input: InputHandler;
  readonly clientVersion: string;
  /** Pauses between attempts to get a lost connection or stream back. */
  readonly backoff?: BackoffOptions;
  logFor(serverId: string): Log;
}

/** A session that lasted this long was no crash loop. Milliseconds. */
const STABLE_MS = 30_000;

/** A server and its session: one at most, opened by the first who needs it, shared by all. */
export class ServerConnection implements Disposable {
  private current: ConnectionState = { kind: 'notConnected' };
  private session: McpSession | undefined;
  private opening: { readonly promise: Promise<McpSession>; readonly abort: AbortController } | undefined;
  private ending: Promise<void> = Promise.resolve();
  private verdict: EraVerdict | undefined;
  private disposed = false;

  private readonly secrets = new Secrets();
  private readonly backoff: Backoff;
  private retryTimer: NodeJS.Timeout | undefined;
  private connectedAt = 0;

  private readonly stateEmitter = new Emitter<ConnectionState>();
  private readonly updatedEmitter = new Emitter<string>();
  private readonly listChangedEmitter = new Emitter<void>();

  readonly onDidChangeState = this.stateEmitter.event;
  /** Fires with the URI that the server says has changed. */
  readonly onDidUpdateResource = this.updatedEmitter.event;
  readonly onDidChangeLists = this.listChangedEmitter.event;
  readonly subscriptions: Subscriptions;
  readonly log: Log;

  /** May be replaced by one that starts the same thing. */
  definition: ServerDefinition;

  constructor(
    definition: ServerDefinition,
    private readonly host: ConnectionHost,
  ) {
    this.definition = definition;
    this.log = this.secrets.masking(host.logFor(definition.id));
    this.subscriptions = new Subscriptions(this.log, host.backoff);
    this.backoff = new Backoff(host.backoff);
    if (definition.error !== undefined || !definition.launch) {
      this.current = { kind: 'failed', error: new HumanError(definition.error ?? 'The definition is incomplete.') };
    }
  }

  get id(): string {
    return this.definition.id;
  }

  get state(): ConnectionState {
    return this.current;
  }

  /** The live session, or the one that comes of connecting now. Rejects with a HumanError that says why there is none. */
  connect(initiative: Initiative): Promise<McpSession> {
    if (this.session) {
      return Promise.resolve(this.session);
    }
    if (this.opening) {
      return this.opening.promise;
    }
    const refusal = this.refusal(initiative);
    if (refusal) {
      return Promise.reject(refusal);
    }
    if (initiative === 'person') {
      this.backoff.reset();
    }
    return this.startOpening();
  }

  private startOpening(): Promise<McpSession> {
    clearTimeout(this.retryTimer);
    const abort = new AbortController();
    const promise = this.open(abort.signal);
    this.opening = { promise, abort };
    // Those who wait hear of a failure by their own promise; the state tells everybody else.
    promise.catch(() => undefined);
    this.setState({ kind: 'connecting' });
    return promise;
  }

  /** Ends the session or the attempt, and every process of it. The state becomes `stopped`. */
  async stop(): Promise<void> {
    this.backoff.reset();
    const done = this.endSession();
    if (this.definition.launch && !this.disposed) {
      this.setState({ kind: 'stopped' });
    }
    await done;
  }

  /** Ends a session that has turned out to be dead, unless another one has taken its place, and connects. */
  async renew(dead: McpSession): Promise<void> {
    if (this.session === dead) {
      await this.endSession();
    }
    await this.connect('person');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.connect('person');
  }

  async listResources(cursor: string | undefined, signal?: AbortSignal): Promise<Page<ResourceEntry>> {
    const session = await this.connect('background');
    return this.ask(() => session.listResources(cursor, signal));
  }

  async listTemplates(cursor: string | undefined, signal?: AbortSignal): Promise<Page<TemplateEntry>> {
    const session = await this.connect('background');
    return this.ask(() => session.listTemplates(cursor, signal));
  }

  /** Reads a resource (specification: server/resources, reading). Rejects with a RequestError or HumanError. */
  async read(uri: string, how: ReadRequest, signal?: AbortSignal): Promise<ReadAnswer> {
    const session = await this.connect(how.initiative);
    if (!session.info.resources) {
      throw new RequestError('noSuchMethod', 'this server offers no resources');
    }
    return this.ask(() => session.read(uri, how, signal));
  }

  /** Suggestions for a value of a template; ask `catalog/`'s Completer, which knows whether the server has any. */
  async complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion> {
    const session = await this.connect('background');
    return this.ask(() => session.complete(request, signal));
  }

  /** Resolves once nothing of the server is left. */
  async end(): Promise<void> {
    this.disposed = true;
    await this.endSession();
    this.subscriptions.dispose();
    this.stateEmitter.dispose();
    this.updatedEmitter.dispose();
    this.listChangedEmitter.dispose();
  }

  dispose(): void {
    void this.end();
  }

  private refusal(initiative: Initiative): HumanError | undefined {
    if (this.disposed) {
      return new HumanError('This server is no longer configured.');
    }
    const refused = this.host.refusal();
    if (refused !== undefined) {
      return new HumanError(refused);
    }
    if (!this.definition.launch) {
      return new HumanError(this.definition.error ?? 'The definition is incomplete.');
    }
    if (initiative === 'background') {
      if (this.current.kind === 'failed') {
        return this.current.error;
      }
      if (this.current.kind === 'stopped') {
        return new HumanError('The server is stopped. Start it to read its resources.');
      }
    }
    return undefined;
  }

  private async open(signal: AbortSignal): Promise<McpSession> {
    try {
      // A process of the same definition must be gone before the next one takes its ports and files.
      await this.ending;
      const target = await this.host.target(this.definition);
      this.secrets.learn(target);
      const sdk = await import('./sdk');
      if (signal.aborted) {
        throw new CancelledError();
      }
      const session = await openSession({
        sdk,
        target,
        clientVersion: this.host.clientVersion,
        listener: {
          onResourceUpdated: (uri) => this.updatedEmitter.fire(uri),
          onListChanged: () => this.listChangedEmitter.fire(),
          onPushChanged: () => this.subscriptions.pushChanged(),
          onClosed: (reason) => this.lose(reason),
        },
        log: this.log,
        startTimeoutMs: this.host.startTimeoutMs(this.id),
        requestTimeoutMs: () => this.host.requestTimeoutMs(this.id),
        serverId: this.id,
        input: this.host.input,
        verdict: this.verdict,
        backoff: this.host.backoff,
        signal,
      });
      if (signal.aborted) {
        await session.close();
        throw new CancelledError();
      }
      this.adopt(session);
      return session;
    } catch (error) {
      if (!signal.aborted) {
        this.fail(error);
      }
      throw error instanceof CancelledError
        ? new HumanError('The connection attempt was stopped.')
        : this.withoutSecrets(error);
    }
  }

  private adopt(session: McpSession): void {
    this.opening = undefined;
    this.session = session;
    this.verdict = session.info.era;
    this.connectedAt = Date.now();
    const { era, protocolVersion, serverName, serverVersion } = session.info;
    this.log.info(`Connected: ${serverName ?? 'unnamed'} ${serverVersion ?? ''}, ${protocolVersion} (${era})`);
    this.subscriptions.begin(session);
    this.setState({ kind: 'connected', info: session.info });
  }

  private async ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw this.withoutSecrets(error);
    }
  }

  /** A server may repeat in its errors what it was sent. */
  private withoutSecrets(error: unknown): unknown {
    const message = messageOf(error);
    const masked = this.secrets.mask(message);
    if (masked === message || !(error instanceof HumanError)) {
      return error;
    }
    return error instanceof RequestError ? new RequestError(error.kind, masked, error.code) : new HumanError(masked);
  }

  private fail(failure: unknown): void {
    const error = this.withoutSecrets(failure);
    this.opening = undefined;
    // What was learnt of the era may be what made it fail.
    this.verdict = undefined;
    const human =
      error instanceof HumanError
        ? error
        : new HumanError(`Something unexpected happened: ${messageOf(error)}`, { cause: error });
    this.log.error(error instanceof HumanError ? human.message : ((error as Error).stack ?? human.message));
    // Only what has worked before is tried again by itself.
    this.setState({ kind: 'failed', error: human, retryAt: this.connectedAt > 0 ? this.retryLater() : undefined });
  }

  private lose(reason: string): void {
    const session = this.session;
    if (!session) {
      return;
    }
    this.session = undefined;
    this.subscriptions.end();
    this.ending = session.close();
    const error = new HumanError(`The connection was lost: ${reason}.`);
    this.log.error(error.message);
    if (Date.now() - this.connectedAt > STABLE_MS) {
      this.backoff.reset();
    }
    this.setState({ kind: 'failed', error, retryAt: this.retryLater() });
  }

  /** Plans the next attempt and gives its time; `undefined` when there were enough, and a person has to decide. */
  private retryLater(): number | undefined {
    const pause = this.backoff.next();
    if (pause === undefined || this.disposed) {
      return undefined;
    }
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => {
      if (this.current.kind === 'failed' && this.refusal('person') === undefined) {
        // Its failure is the state.
        this.startOpening().catch(() => undefined);
      }
    }, pause);
    return Date.now() + pause;
  }

  private endSession(): Promise<void> {
    const { opening, session } = this;
    clearTimeout(this.retryTimer);
    this.opening = undefined;
    this.session = undefined;
    opening?.abort.abort();
    this.subscriptions.end();
    const before = this.ending;
    this.ending = Promise.all([before, session?.close(), opening?.promise.catch(() => undefined)]).then(
      () => undefined,
    );
    return this.ending;
  }

  private setState(state: ConnectionState): void {
    if (this.current.kind === state.kind && state.kind !== 'failed') {
      return;
    }
    this.current = state;
    if (!this.disposed) {
      this.stateEmitter.fire(state);
    }
  }
}
