/* eslint-disable @typescript-eslint/no-deprecated -- servers that predate Streamable HTTP are to be reached too */
import type { Client, McpSubscription, PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import { CancelledError, HumanError, messageOf } from '../base/errors';
import type { Log } from '../base/log';
import { type BackoffOptions, defaultBackoff } from './backoff';
import { answeredFetch, failUnanswered } from './answeredPosts';
import { boundedFetch } from './boundedFetch';
import { maxMessageBytes, type ProcessLaunch, StdioTransport } from './stdioTransport';
import { accessRefused, connectFailure, ProcessEnded, unreachable } from './connectFailure';
import type { Root } from './connectionHost';
import type { Credentials } from './credentials';
import type { EraMemory } from './eraMemory';
import type { InputHandler } from './inputRequest';
import { PersonNeeded } from './personNeeded';
import type { GroupListener } from './processTree';
import { repairAnswers } from './repairAnswers';
import { RequestError, requestFailure } from './requestFailure';
import { limited } from './limited';
import { knownResource, knownTemplate, resourceList, templateList } from './knownEntries';
import { listedEntries } from './reservedMeta';
import { ResourceReads, type SendRead } from './resourceReads';
import type * as Sdk from './sdk';
import { logServerMessage } from './serverMessages';
import { answerServer } from './serverRequests';
import { longestProbeMs, openByEra } from './stdioEras';
import { sessionLost, StreamState } from './streamState';
import { type PushState, watchingFetch } from './streamWatch';
import { describeFailure, signInRefusal } from './sdkFailure';
import { longestCompletionMs, sendComplete } from './sdkComplete';
import { scopeFetch } from './scopeFetch';
import { sendRead } from './sdkRead';
import { sessionInfoOf } from './sessionInfo';
import { traceMessages, tracingFetch } from './wireTrace';
import type {
  Completion,
  CompletionRequest,
  Era,
  ListenStream,
  McpSession,
  Page,
  ReadAnswer,
  ReadRequest,
  ResourceEntry,
  SessionInfo,
  SessionListener,
  TemplateEntry,
} from './wire';

/** The SDK's module, as loaded on the first connection. */
export type SdkModule = typeof Sdk;

/** A server reached over HTTP. `http` is Streamable HTTP with SSE as the fallback. */
export interface HttpTarget {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: { readonly clientId: string };
}

export type SessionTarget = (({ type: 'stdio' } & ProcessLaunch) | HttpTarget) & {
  readonly passwords?: readonly string[];
};

/** What a definition comes to; `digest` is the same for each start of the same thing. `fileVariables` are of an `envFile`. */
export type LaunchedTarget = SessionTarget & {
  readonly digest: string;
  readonly fileVariables?: Readonly<Record<string, string>>;
};

export interface OpenSessionOptions {
  readonly sdk: SdkModule;
  readonly target: LaunchedTarget;
  readonly clientVersion: string;
  readonly listener: SessionListener;
  readonly log: Log;
  /** What was logged since the start, without secrets. */
  readonly logged: () => readonly string[];
  /** Milliseconds until the handshake must be done. */
  readonly startTimeoutMs: number;
  /** Milliseconds until a request must be answered. */
  readonly requestTimeoutMs: () => number;
  /** A person says that the server offers resources, whatever it declares. */
  readonly listsAnyway: boolean;
  readonly serverId: string;
  readonly input: InputHandler;
  /** The folders that the server may know; `undefined` where they are not shared. */
  readonly roots: () => readonly Root[] | undefined;
  /** What signing in gave; absent where the server has a credential in its headers, or is a process. */
  readonly credentials?: Credentials;
  readonly eras: EraMemory;
  /** Hears of the process groups that are started. */
  readonly groups?: GroupListener;
  /** Pauses before a stream that broke is opened anew. */
  readonly backoff?: BackoffOptions;
  readonly signal: AbortSignal;
}

const MODERN_VERSION = '2026-07-28';

/** Connects to a server and finds its era (specification: basic/lifecycle, versioning). Rejects with a HumanError. */
export async function openSession(options: OpenSessionOptions): Promise<McpSession> {
  const { target, eras, log, signal } = options;
  const verdict = eras.verdictOf(target.digest);
  try {
    const session =
      target.type === 'stdio'
        ? await openByEra({ ...options, verdict }, (era, timeoutMs) =>
            connectOver(new StdioTransport(target, log, { groups: options.groups }), era, timeoutMs, options),
          )
        : await openHttp(target, options, verdict).catch((error: unknown) => {
            if (verdict === undefined || signal.aborted || !isOfEra(options.sdk, error)) {
              throw error;
            }
            log.debug(`Not a ${verdict} server any more (${messageOf(error)}); asking it.`);
            return openHttp(target, options, undefined);
          });
    // Not before what waits for the session, as its first list does.
    setImmediate(() => eras.learn(target.digest, session.info, log));
    return session;
  } catch (error) {
    if (signal.aborted) {
      throw new CancelledError();
    }
    const failure = connectFailure(options, error);
    // What the person has to do first says nothing of the era.
    if (!(error instanceof HumanError || failure instanceof PersonNeeded)) {
      eras.forget(target.digest, log);
    }
    throw failure;
  }
}

/** Whether a connection can have failed because the server speaks another version of the protocol than was thought. */
function isOfEra(sdk: SdkModule, error: unknown): boolean {
  const unanswered = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout;
  const refused = error instanceof sdk.SdkHttpError && [401, 403].includes(error.status);
  return !(unanswered || refused || error instanceof HumanError || unreachable(error) !== undefined);
}

async function openHttp(
  target: HttpTarget,
  options: OpenSessionOptions,
  verdict: Era | undefined,
): Promise<McpSession> {
  const { sdk, credentials, listener, startTimeoutMs } = options;
  const url = new URL(target.url);
  const access = credentials?.access((error) => listener.onSignInNeeded(error));
  const shared = { requestInit: { headers: { ...target.headers } }, authProvider: access?.authProvider };
  const watched = (base: typeof fetch): typeof fetch => {
    const traced = tracingFetch(base, options.log);
    return access?.watching(traced) ?? traced;
  };
  const overSse = (): Promise<McpSession> => {
    const older = scopeFetch(sdk, watched(boundedFetch(fetch, maxMessageBytes)));
    const transport = new sdk.SSEClientTransport(url, { ...shared, fetch: older });
    return connectOver(transport, 'legacy', startTimeoutMs, options);
  };
  if (target.type === 'sse') {
    return overSse();
  }
  try {
    const stream = new StreamState(listener);
    const { firstMs, longestMs } = options.backoff ?? defaultBackoff;
    const transport = new sdk.StreamableHTTPClientTransport(url, {
      ...shared,
      fetch: answeredFetch(watched(watchingFetch(stream, { firstMs, longestMs }, maxMessageBytes))),
      // A GET stream that breaks is opened anew by the SDK, practically without an end.
      reconnectionOptions: {
        initialReconnectionDelay: firstMs,
        maxReconnectionDelay: longestMs,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 1000,
      },
      // Not by the SDK: whether a person may be asked is decided where the request came from.
      onInsufficientScope: 'throw',
    });
    failUnanswered(transport);
    return await connectOver(transport, verdict ?? 'auto', startTimeoutMs, options, stream);
  } catch (error) {
    if (!predatesStreamableHttp(sdk, error) || options.signal.aborted) {
      throw error;
    }
    options.log.debug(`Streamable HTTP was refused (${messageOf(error)}); trying SSE.`);
    return overSse();
  }
}

/** Specification, basic/transports, backwards compatibility: a 4xx to the first POST means the older transport. */
function predatesStreamableHttp(sdk: SdkModule, error: unknown): boolean {
  return error instanceof sdk.SdkHttpError && [400, 404, 405, 406, 415, 501].includes(error.status);
}

async function connectOver(
  transport: Transport,
  era: Era | 'auto',
  timeoutMs: number,
  options: OpenSessionOptions,
  stream?: StreamState,
): Promise<McpSession> {
  const { Client, SdkError, SdkErrorCode } = options.sdk;
  const probeMs = Math.min(longestProbeMs, timeoutMs);
  const client = new Client(
    { name: 'mcp-resource-context', title: 'MCP Resources', version: options.clientVersion },
    {
      capabilities: { elicitation: { form: {}, url: {} }, ...(options.roots() && { roots: {} }) },
      versionNegotiation: {
        mode: era === 'modern' ? { pin: MODERN_VERSION } : era,
        probe: { timeoutMs: probeMs },
      },
      // The SDK would ask for everything at once, in the background too, and let the time limit run meanwhile.
      inputRequired: { autoFulfill: false },
    },
  );
  const prior: PriorDiscovery | undefined = era === 'legacy' ? { kind: 'legacy' } : undefined;
  client.onerror = (error) => options.log.debug(`Protocol: ${messageOf(error)}`);
  traceMessages(transport, options.log);
  repairAnswers(transport, options.log);
  const ready = new SdkSession(client, transport, options, stream);
  try {
    // The SDK's limit is for `initialize` alone: neither for the opening of an SSE stream nor for the last notification.
    const limitMs = era === 'auto' ? probeMs + timeoutMs : timeoutMs;
    const late = (): Error => new SdkError(SdkErrorCode.RequestTimeout, 'The handshake took too long');
    await limited(client.connect(transport, { timeout: timeoutMs, prior }), options.signal, { limitMs, late });
  } catch (error) {
    await ready.close();
    const exit = transport instanceof StdioTransport ? transport.exitReason : '';
    const ended = exit !== '' && exit !== 'it was stopped';
    if (error instanceof RequestError && error.kind === 'disconnected') {
      throw new ProcessEnded(ended ? exit : error.message, error);
    }
    throw ended && !(error instanceof HumanError) ? new ProcessEnded(exit, error) : error;
  }
  if (transport instanceof StdioTransport) {
    transport.keep();
  }
  ready.begin();
  return ready;
}

class SdkSession implements McpSession {
  private sessionInfo: SessionInfo | undefined;
  private closing: Promise<void> | undefined;
  private readonly reads: ResourceReads;

  constructor(
    private readonly client: Client,
    private readonly transport: Transport,
    private readonly options: OpenSessionOptions,
    private readonly stream: StreamState | undefined,
  ) {
    const { serverId, input, requestTimeoutMs, roots } = options;
    const send: SendRead = (params, how) => sendRead({ client, sdk: options.sdk, requestTimeoutMs }, params, how);
    this.reads = new ResourceReads({ serverId, input, roots, timeoutMs: requestTimeoutMs, send });
  }

  get info(): SessionInfo {
    if (!this.sessionInfo) {
      throw new Error('The session has not begun.');
    }
    return this.sessionInfo;
  }

  /** Only the legacy era over Streamable HTTP needs a stream of its own to hear from the server. */
  get push(): PushState {
    return this.stream && this.info.era === 'legacy' ? this.stream.state : 'open';
  }

  /** Reads what was negotiated and starts to listen. */
  begin(): void {
    const { client } = this;
    const { listener } = this.options;
    this.sessionInfo = sessionInfoOf(client, this.options.listsAnyway);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      listener.onResourceUpdated(params.uri);
    });
    client.setNotificationHandler('notifications/resources/list_changed', () => listener.onListChanged());
    client.setNotificationHandler('notifications/message', ({ params }) => logServerMessage(this.options.log, params));
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      this.reads.completed(params.elicitationId);
    });
    // Not `setRequestHandler`: the SDK would take a pattern out of the schema, and refuse one with an unknown format.
    const { sdk, roots } = this.options;
    client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
      answerServer({ sdk, reads: this.reads, roots }, { method, params, signal: mcpReq.signal });
    client.onclose = () => {
      if (!this.closing) {
        const reason = this.transport instanceof StdioTransport ? this.transport.exitReason : '';
        listener.onClosed(reason || 'the connection was closed');
        void this.close();
      }
    };
  }

  async listResources(cursor: string | undefined, signal?: AbortSignal): Promise<Page<ResourceEntry>> {
    const request = { method: 'resources/list', params: cursor === undefined ? {} : { cursor } };
    const result = await this.request(this.client.request(request, resourceList, this.with(signal)));
    const { items, failures } = listedEntries(result.resources);
    return { items: items.map(knownResource), failures, nextCursor: result.nextCursor, ttlMs: this.ttlOf(result) };
  }

  async listTemplates(cursor: string | undefined, signal?: AbortSignal): Promise<Page<TemplateEntry>> {
    const request = { method: 'resources/templates/list', params: cursor === undefined ? {} : { cursor } };
    const result = await this.request(this.client.request(request, templateList, this.with(signal)));
    const { items, failures } = listedEntries(result.resourceTemplates);
    return { items: items.map(knownTemplate), failures, nextCursor: result.nextCursor, ttlMs: this.ttlOf(result) };
  }

  async read(uri: string, how: ReadRequest, signal?: AbortSignal): Promise<ReadAnswer> {
    try {
      return await this.reads.read(uri, how, signal);
    } catch (error) {
      throw this.noticed(error instanceof Error ? error.cause : error) ?? error;
    }
  }

  async complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion> {
    const timeout = Math.min(longestCompletionMs, this.options.requestTimeoutMs());
    return this.request(sendComplete(this.client, request, { timeout, signal }), { timeoutMs: timeout });
  }

  async subscribe(uri: string): Promise<void> {
    await this.request(this.client.subscribeResource({ uri }, this.with()), { uri });
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.request(this.client.unsubscribeResource({ uri }, this.with()), { uri });
  }

  async listen(uris: readonly string[]): Promise<ListenStream> {
    const subscription: McpSubscription = await this.request(
      this.client.listen({ resourcesListChanged: true, resourceSubscriptions: [...uris] }, this.with()),
    );
    return {
      honored: new Set(subscription.honoredFilter.resourceSubscriptions ?? []),
      ended: subscription.closed,
      close: () => subscription.close(),
    };
  }

  close(): Promise<void> {
    this.reads.end();
    this.closing ??= this.end();
    return this.closing;
  }

  /** A list's freshness, which the modern era alone gives (specification: server/utilities/caching); 0 means that it has none. */
  private ttlOf({ ttlMs }: { readonly ttlMs?: unknown }): number | undefined {
    return this.info.era === 'modern' && typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : undefined;
  }

  private async end(): Promise<void> {
    const { transport, client } = this;
    if (transport instanceof this.options.sdk.StreamableHTTPClientTransport && transport.sessionId) {
      // Politeness towards the server (specification: basic/transports, session management); it may refuse.
      await Promise.race([
        transport.terminateSession(),
        new Promise((resolve) => setTimeout(resolve, 1000).unref()),
      ]).catch((error: unknown) =>
        this.options.log.debug(`The session was not ended by the server: ${messageOf(error)}`),
      );
    }
    await client.close().catch((error: unknown) => this.options.log.debug(`Closing: ${messageOf(error)}`));
    // A client whose handshake failed has let go of its transport already, and a process must end all the same.
    await transport.close().catch((error: unknown) => this.options.log.debug(`Closing: ${messageOf(error)}`));
  }

  private with(signal?: AbortSignal): { timeout: number; signal?: AbortSignal } {
    return { timeout: this.options.requestTimeoutMs(), signal };
  }

  /** What an answer of HTTP says of the session as a whole. */
  private noticed(error: unknown): HumanError | undefined {
    const { sdk, target } = this.options;
    const refused = error instanceof sdk.SdkHttpError && (error.status === 401 || error.status === 403);
    const refusal = refused
      ? new RequestError('server', accessRefused(error.status, target), undefined, { cause: error })
      : undefined;
    return signInRefusal(this.options, error) ?? this.noticeLoss(error) ?? refusal;
  }

  /** HTTP 404 for a session means that a new one has to be begun (specification: basic/transports, session management). */
  private noticeLoss(error: unknown): RequestError | undefined {
    const { sdk, listener } = this.options;
    const hasSession = this.transport instanceof sdk.StreamableHTTPClientTransport && this.transport.sessionId;
    if (!hasSession || !(error instanceof sdk.SdkHttpError) || error.status !== 404) {
      return undefined;
    }
    if (!this.closing) {
      listener.onClosed(sessionLost);
    }
    return new RequestError('disconnected', sessionLost, undefined, { cause: error });
  }

  private async request<T>(work: Promise<T>, about: { uri?: string; timeoutMs?: number } = {}): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const lost = this.closing ? new RequestError('disconnected', 'the connection was lost') : this.noticed(error);
      const { timeoutMs = this.options.requestTimeoutMs() } = about;
      throw lost ?? requestFailure(describeFailure(this.options.sdk, error), about.uri, timeoutMs);
    }
  }
}
