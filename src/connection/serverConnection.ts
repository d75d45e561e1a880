import { CancelledError, HumanError } from '../base/errors';
import { Emitter } from '../base/events';
import type { Disposable } from '../base/lifecycle';
import type { Log } from '../base/log';
import { RecentLines } from '../base/recentLines';
import type { ServerDefinition } from '../config/serverDefinition';
import { humanFailure } from './connectFailure';
import { openSession } from './mcpClient';
import { Backoff } from './backoff';
import type { ConnectionHost } from './connectionHost';
import { PersonNeeded } from './personNeeded';
import type { ConnectionState } from './connectionState';
import { RequestError } from './requestFailure';
import { Secrets } from './secrets';
import { ServerAccess } from './serverAccess';
import { type Challenge, SignInNeeded } from './signInNeeded';
import type { PushState } from './streamWatch';
import { Subscriptions } from './subscriptions';
import type { Initiative, McpSession, Page, ReadAnswer, ReadRequest, ResourceEntry, TemplateEntry } from './wire';

export type { ConnectionState } from './connectionState';
export type { Initiative } from './wire';

/** A session that lasted this long was no crash loop. Milliseconds. */
const STABLE_MS = 30_000;

/** A server and its session: one at most, opened by the first who needs it, shared by all. */
export class ServerConnection implements Disposable {
  private current: ConnectionState = { kind: 'notConnected' };
  private session: McpSession | undefined;
  private opening:
    | { readonly promise: Promise<McpSession>; readonly abort: AbortController; readonly initiative: Initiative }
    | undefined;
  private ending: Promise<void> = Promise.resolve();
  private disposed = false;

  /** What was said of the server lately, without its secrets. */
  readonly recent = new RecentLines();

  readonly secrets = new Secrets();
  private readonly access: ServerAccess;
  private readonly backoff: Backoff;
  /** A request was refused for want of rights, though the session goes on. */
  private missingRights: SignInNeeded | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private connectedAt = 0;

  private readonly stateEmitter = new Emitter<ConnectionState>();
  private readonly updatedEmitter = new Emitter<string>();
  private readonly listChangedEmitter = new Emitter<void>();
  private readonly accountEmitter = new Emitter<void>();

  readonly onDidChangeState = this.stateEmitter.event;
  /** Fires with the URI that the server says has changed. */
  readonly onDidUpdateResource = this.updatedEmitter.event;
  readonly onDidChangeLists = this.listChangedEmitter.event;
  /** A person signed in or out: what the server said before may have been for somebody else. */
  readonly onDidChangeAccount = this.accountEmitter.event;
  readonly subscriptions: Subscriptions;
  readonly log: Log;

  /** May be replaced by one that starts the same thing. */
  definition: ServerDefinition;

  constructor(
    definition: ServerDefinition,
    private readonly host: ConnectionHost,
  ) {
    this.definition = definition;
    this.log = this.secrets.masking(this.recent.keeping(host.logFor(definition.id)));
    this.subscriptions = new Subscriptions(this.log, host.backoff);
    this.backoff = new Backoff(host.backoff);
    this.access = new ServerAccess({
      serverId: definition.id,
      host: host.signIn,
      secrets: this.secrets,
      log: this.log,
    });
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
      const { promise } = this.opening;
      // What was begun in the background asks nobody; a person can go on from there.
      return initiative === 'person' && this.opening.initiative === 'background'
        ? promise.catch((error: unknown) => {
            if (error instanceof PersonNeeded) {
              return this.connect('person');
            }
            throw error;
          })
        : promise;
    }
    const refusal = this.refusal(initiative);
    if (refusal) {
      return Promise.reject(refusal);
    }
    if (initiative === 'person') {
      this.backoff.reset();
    }
    return this.startOpening(initiative);
  }

  private startOpening(initiative: Initiative): Promise<McpSession> {
    clearTimeout(this.retryTimer);
    this.recent.begin();
    const abort = new AbortController();
    const promise = this.open(initiative, abort.signal);
    this.opening = { promise, abort, initiative };
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
  async renew(dead: McpSession, initiative: Initiative): Promise<void> {
    if (this.session === dead) {
      await this.endSession();
    }
    const refusal = this.refusal('person');
    if (refusal) {
      throw refusal;
    }
    if (!this.session) {
      this.backoff.reset();
      await (this.opening?.promise ?? this.startOpening(initiative));
    }
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
    try {
      return await this.ask(() => session.read(uri, how, signal));
    } catch (error) {
      if (!(error instanceof SignInNeeded) || how.initiative === 'background') {
        throw error;
      }
      const renewed = await this.signIn(signal);
      return this.ask(() => renewed.read(uri, how, signal));
    }
  }

  /** Whether notifications of the server can reach us; `undefined` without a session. */
  get push(): PushState | undefined {
    return this.session?.push;
  }

  /** A sign-in would help: the server refused something for want of it. */
  get signInNeeded(): SignInNeeded | undefined {
    const ofState = this.current.kind === 'failed' ? this.current.error : undefined;
    return ofState instanceof SignInNeeded ? ofState : this.missingRights;
  }

  /** What the session was opened with came of a sign-in. */
  get canSignOut(): boolean {
    return this.access.signedIn;
  }

  /** A person signs in: for more rights beside a live session, else by connecting anew. */
  async signIn(signal?: AbortSignal): Promise<McpSession> {
    if (this.session && this.missingRights) {
      const { challenge } = this.missingRights;
      await this.signInTo(challenge, signal ?? new AbortController().signal);
    }
    return this.connect('person');
  }

  /** Forgets what signing in gave, and ends the session. */
  async signOut(): Promise<void> {
    await this.access.forget(() => this.endSession());
    this.setState({ kind: 'failed', error: new SignInNeeded('signedOut') });
    this.accountEmitter.fire();
  }

  /** Resolves once nothing of the server is left. */
  async end(): Promise<void> {
    this.disposed = true;
    await this.endSession();
    this.subscriptions.dispose();
    const { stateEmitter, updatedEmitter, listChangedEmitter, accountEmitter } = this;
    [stateEmitter, updatedEmitter, listChangedEmitter, accountEmitter].forEach((emitter) => emitter.dispose());
  }

  dispose(): void {
    void this.end();
  }

  private async signInTo(challenge: Challenge, signal: AbortSignal): Promise<void> {
    await this.access.signIn(challenge, signal);
    this.missingRights = undefined;
    this.accountEmitter.fire();
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

  private async open(initiative: Initiative, signal: AbortSignal): Promise<McpSession> {
    try {
      // A process of the same definition must be gone before the next one takes its ports and files.
      await this.ending;
      // Before anything of it runs, is asked for or reaches the network.
      const by = { initiative, signal, asking: (asks: boolean) => this.setState({ kind: 'connecting', asks }) };
      await this.host.consent(this.definition, by);
      const target = await this.host.target(this.definition, by);
      // The settings that it uses may have changed while a person was asked. Of its file that counts which starts.
      await this.host.consent(this.definition, by, target.fileVariables);
      this.secrets.learn(target);
      const sdk = await import('./sdk');
      if (signal.aborted) {
        throw new CancelledError();
      }
      const credentials = this.access.credentials(sdk, target);
      const begin = (): Promise<McpSession> =>
        openSession({
          sdk,
          target,
          credentials,
          clientVersion: this.host.clientVersion,
          listener: {
            onResourceUpdated: (uri) => this.updatedEmitter.fire(uri),
            onListChanged: () => this.listChangedEmitter.fire(),
            onPushChanged: () => this.subscriptions.pushChanged(),
            onClosed: (reason) => this.lose(new HumanError(`The connection was lost: ${reason}.`)),
            onSignInNeeded: (error) => this.lose(error),
          },
          log: this.log,
          logged: () => this.recent.lines,
          startTimeoutMs: this.host.startTimeoutMs(this.id),
          requestTimeoutMs: () => this.host.requestTimeoutMs(this.id),
          listsAnyway: this.host.listsAnyway(this.id),
          serverId: this.id,
          input: this.host.input,
          roots: () => this.host.sharedRoots(this.id),
          eras: this.host.eras,
          groups: this.host.groups,
          backoff: this.host.backoff,
          signal,
        });
      const session = await begin().catch(async (error: unknown) => {
        if (!(error instanceof SignInNeeded) || initiative === 'background') {
          throw error;
        }
        await this.signInTo(error.challenge, signal);
        return begin();
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
        : this.secrets.maskError(error);
    }
  }

  private adopt(session: McpSession): void {
    this.opening = undefined;
    this.session = session;
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
      if (error instanceof SignInNeeded && error.reason === 'scope') {
        this.missingRights = error;
      }
      // A refusal has ended the session before the request could tell.
      const { current } = this;
      throw current.kind === 'failed' && current.error instanceof SignInNeeded
        ? current.error
        : this.secrets.maskError(error);
    }
  }

  private fail(failure: unknown): void {
    const error = this.secrets.maskError(failure);
    this.opening = undefined;
    const human = humanFailure(error, this.secrets);
    // What a person has not said yet is no error.
    const level = human instanceof PersonNeeded ? 'info' : 'error';
    this.log[level](error instanceof HumanError ? human.message : ((error as Error).stack ?? human.message));
    // Only what has worked before is tried again by itself, and what needs no person.
    const retry = this.connectedAt > 0 && !(human instanceof PersonNeeded);
    this.setState({ kind: 'failed', error: human, retryAt: retry ? this.retryLater() : undefined });
  }

  private lose(error: HumanError): void {
    const session = this.session;
    if (!session) {
      return;
    }
    this.session = undefined;
    this.subscriptions.end();
    this.ending = session.close();
    this.log.error(error.message);
    if (Date.now() - this.connectedAt > STABLE_MS) {
      this.backoff.reset();
    }
    const retryAt = error instanceof SignInNeeded ? undefined : this.retryLater();
    this.setState({ kind: 'failed', error, retryAt });
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
        this.startOpening('background').catch(() => undefined);
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
    if (this.current.kind === state.kind && !['failed', 'connecting'].includes(state.kind)) {
      return;
    }
    this.current = state;
    if (!this.disposed) {
      this.stateEmitter.fire(state);
    }
  }
}
