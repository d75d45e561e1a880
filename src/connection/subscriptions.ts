import { messageOf } from '../base/errors';
import { Emitter } from '../base/events';
import { type Disposable, toDisposable } from '../base/lifecycle';
import type { Log } from '../base/log';
import { Backoff, type BackoffOptions } from './backoff';
import { RequestError } from './requestFailure';
import type { ListenEnd, ListenStream, McpSession } from './wire';

/** Whether the server tells us when a resource changes. */
export type Liveness =
  /** An acknowledged subscription is in force. */
  | 'live'
  /** Asked for, not answered yet. */
  | 'pending'
  /** Not offered, refused, or there is no connection. */
  | 'notLive';

/** A session's subscriptions in figures. */
export interface SubscriptionFacts {
  /** Resources that something of ours shows or watches. */
  readonly wanted: number;
  readonly live: number;
  readonly pending: number;
  /** Refused by the server, for the rest of the session. */
  readonly refused: number;
  /** Modern era: the server ended its stream with an answer, and it has not been opened anew. */
  readonly streamEnded: boolean;
}

/** What became of a subscription: `failed` is tried again, `refused` is final for the session. */
type Answer = 'accepted' | 'refused' | 'failed';

/** A stream that lasted this long was no accident of its opening. Milliseconds. */
const STABLE_MS = 30_000;

/**
 * Who is interested in which resource, and what the server was told of it (specification: server/resources,
 * subscriptions; basic/utilities/subscriptions). The first interest in a URI subscribes, the last one to go unsubscribes.
 */
export class Subscriptions implements Disposable {
  private readonly interests = new Map<string, number>();
  private readonly liveUris = new Set<string>();
  private readonly pendingUris = new Set<string>();
  /** URIs that this session's server has refused: not asked again. */
  private readonly refusedUris = new Set<string>();
  private readonly settledEmitter = new Emitter<string>();
  private session: McpSession | undefined;
  private stream: ListenStream | undefined;
  private lastListenAt = 0;
  private endedByServer = false;
  private reconciling = false;
  /** Legacy era: URIs of which the server is being told something. */
  private readonly told = new Set<string>();
  /** Something changed since the last step of reconciling began. */
  private dirty = false;

  /** Fires with a URI whose subscription was answered, or ended without our doing. */
  readonly onDidSettle = this.settledEmitter.event;

  private readonly backoff: Backoff;
  private retryTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    backoff?: BackoffOptions,
  ) {
    this.backoff = new Backoff(backoff);
  }

  liveness(uri: string): Liveness {
    if (this.liveUris.has(uri)) {
      const push = this.session?.push ?? 'none';
      return push === 'open' ? 'live' : push === 'waiting' ? 'pending' : 'notLive';
    }
    return this.pendingUris.has(uri) ? 'pending' : 'notLive';
  }

  get facts(): SubscriptionFacts {
    const uris = [...this.interests.keys()];
    const count = (liveness: Liveness): number => uris.filter((uri) => this.liveness(uri) === liveness).length;
    return {
      wanted: uris.length,
      live: count('live'),
      pending: count('pending'),
      refused: this.refusedUris.size,
      streamEnded: this.endedByServer,
    };
  }

  /** Notifications can reach us now, or no longer can: what was subscribed to is live now, or was. */
  pushChanged(): void {
    for (const uri of this.liveUris) {
      this.settledEmitter.fire(uri);
    }
  }

  /** A person asked for what is new: a stream that the server has ended is opened again. */
  revive(uri: string): void {
    if (this.interests.has(uri) && this.liveness(uri) === 'notLive' && !this.refusedUris.has(uri)) {
      this.backoff.reset();
      this.reconcileSoon(uri);
    }
  }

  /** Counts one interest in a URI until it is disposed of. */
  acquire(uri: string): Disposable {
    this.interests.set(uri, (this.interests.get(uri) ?? 0) + 1);
    this.reconcileSoon(uri);
    return toDisposable(() => {
      const left = (this.interests.get(uri) ?? 1) - 1;
      if (left > 0) {
        this.interests.set(uri, left);
      } else {
        this.interests.delete(uri);
        this.reconcileSoon(uri);
      }
    });
  }

  /** Resolves when the subscription of a URI has been answered, at the latest after `limitMs` milliseconds. */
  settled(uri: string, limitMs: number): Promise<void> {
    if (this.liveness(uri) !== 'pending') {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      };
      const timer = setTimeout(finish, limitMs);
      const listener = this.onDidSettle((settled) => {
        if (settled === uri) {
          finish();
        }
      });
    });
  }

  /** A session has begun: tells its server of every interest. */
  begin(session: McpSession): void {
    this.end();
    this.session = session;
    if (session.info.resources) {
      for (const uri of this.interests.keys()) {
        this.markPending(uri);
      }
      this.tell(session, this.interests.keys());
    }
  }

  /** The session is over: nothing is live any more. */
  end(): void {
    this.session = undefined;
    this.stream = undefined;
    this.endedByServer = false;
    this.reconciling = false;
    this.told.clear();
    clearTimeout(this.retryTimer);
    this.refusedUris.clear();
    const affected = new Set([...this.liveUris, ...this.pendingUris]);
    this.liveUris.clear();
    this.pendingUris.clear();
    for (const uri of affected) {
      this.settledEmitter.fire(uri);
    }
  }

  dispose(): void {
    this.end();
    this.interests.clear();
    this.settledEmitter.dispose();
  }

  private reconcileSoon(uri: string): void {
    const { session } = this;
    if (!session?.info.resources) {
      return;
    }
    if (this.interests.has(uri)) {
      this.markPending(uri);
    }
    this.tell(session, [uri]);
  }

  private markPending(uri: string): void {
    const offered = this.session?.info.subscribe === true && !this.refusedUris.has(uri);
    if (offered && !this.liveUris.has(uri)) {
      this.pendingUris.add(uri);
    }
  }

  /** Brings what the server was told of these URIs in line with the interests. */
  private tell(session: McpSession, uris: Iterable<string>): void {
    if (session.info.era === 'legacy') {
      for (const uri of uris) {
        void this.follow(session, uri);
      }
      return;
    }
    this.dirty = true;
    if (!this.reconciling) {
      void this.reconcile(session);
    }
  }

  /** Modern era: one step after the other, until nothing differs. */
  private async reconcile(session: McpSession): Promise<void> {
    this.reconciling = true;
    // Interests that come in one go (restored tabs) become one change.
    await Promise.resolve();
    let more: boolean;
    do {
      this.dirty = false;
      more = await this.relisten(session);
    } while (this.session === session && (more || this.dirty));
    if (this.session === session) {
      this.reconciling = false;
    }
  }

  /** Legacy era: one request after the other for a URI, whatever becomes of the others, until nothing differs. */
  private async follow(session: McpSession, uri: string): Promise<void> {
    if (this.told.has(uri)) {
      return;
    }
    this.told.add(uri);
    // What is let go of at once is never asked for.
    await Promise.resolve();
    while (this.session === session) {
      const wanted = this.interests.has(uri);
      if (wanted && this.pendingUris.has(uri)) {
        await this.subscribe(session, uri);
      } else if (!wanted && this.liveUris.has(uri)) {
        await this.unsubscribe(session, uri);
      } else {
        this.told.delete(uri);
        if (!wanted) {
          this.pendingUris.delete(uri);
        }
        return;
      }
    }
  }

  private async subscribe(session: McpSession, uri: string): Promise<void> {
    let answer: Answer = 'accepted';
    try {
      await session.subscribe(uri);
    } catch (error) {
      // Only an error of the server's own refuses: whatever else went wrong may be better the next time.
      answer = error instanceof RequestError && error.code !== undefined ? 'refused' : 'failed';
      this.log.warn(`No live updates for ${uri}: ${messageOf(error)}`);
    }
    if (this.session === session) {
      this.settle(uri, answer);
      if (answer === 'failed') {
        this.tryAgainLater();
      }
    }
  }

  private async unsubscribe(session: McpSession, uri: string): Promise<void> {
    this.liveUris.delete(uri);
    try {
      await session.unsubscribe(uri);
    } catch (error) {
      this.log.debug(`unsubscribe ${uri}: ${messageOf(error)}`);
    }
  }

  /** Modern era: one stream carries the whole set; the new one opens before the old one ends. */
  private async relisten(session: McpSession): Promise<boolean> {
    const offered = session.info.subscribe;
    const wanted = offered ? [...this.interests.keys()].filter((uri) => !this.refusedUris.has(uri)) : [];
    const previous = this.stream;
    const same = wanted.length === this.liveUris.size && wanted.every((uri) => this.liveUris.has(uri));
    if (wanted.length === 0 && !session.info.listChanged) {
      this.stream = undefined;
      this.liveUris.clear();
      await previous?.close();
      return false;
    }
    if (previous && same) {
      this.dropUnwantedPending();
      return false;
    }
    try {
      const stream = await session.listen(wanted);
      if (this.session !== session) {
        await stream.close();
        return false;
      }
      this.stream = stream;
      this.endedByServer = false;
      this.lastListenAt = Date.now();
      void stream.ended.then((end) => this.streamEnded(stream, end));
      // What the old stream told of until now goes on being live, without a gap.
      for (const uri of this.liveUris) {
        if (!wanted.includes(uri)) {
          this.liveUris.delete(uri);
        }
      }
      for (const uri of wanted) {
        this.settle(uri, stream.honored.has(uri) ? 'accepted' : 'refused');
      }
      await previous?.close();
      // One that has ended already is opened anew after a pause, or not at all.
      return this.stream === stream;
    } catch (error) {
      if (this.session !== session) {
        return false;
      }
      this.log.warn(`No live updates: ${messageOf(error)}`);
      for (const uri of wanted) {
        // The stream before may have ended meanwhile.
        this.settle(uri, this.stream?.honored.has(uri) ? 'accepted' : 'failed');
      }
      if (!this.stream || wanted.some((uri) => !this.liveUris.has(uri))) {
        this.tryAgainLater();
      }
      return false;
    }
  }

  private dropUnwantedPending(): void {
    for (const uri of this.pendingUris) {
      if (!this.interests.has(uri)) {
        this.pendingUris.delete(uri);
      }
    }
  }

  private settle(uri: string, answer: Answer): void {
    const wasLive = this.liveUris.has(uri);
    this.pendingUris.delete(uri);
    if (answer === 'accepted') {
      this.liveUris.add(uri);
    } else {
      this.liveUris.delete(uri);
    }
    if (answer === 'refused') {
      this.refusedUris.add(uri);
    }
    if (answer !== 'accepted' || !wasLive) {
      this.settledEmitter.fire(uri);
    }
  }

  private streamEnded(stream: ListenStream, end: ListenEnd): void {
    if (this.stream !== stream) {
      return;
    }
    this.stream = undefined;
    this.endedByServer = end === 'graceful';
    this.log.warn(`The stream of updates ended (${end}).`);
    if (Date.now() - this.lastListenAt > STABLE_MS) {
      this.backoff.reset();
    }
    const affected = [...this.liveUris];
    this.liveUris.clear();
    for (const uri of affected) {
      this.settledEmitter.fire(uri);
    }
    // Ended with an answer, the server has no more to say: asked again only at the next change of interest or Refresh.
    if (end === 'remote') {
      this.tryAgainLater();
    }
  }

  private tryAgainLater(): void {
    const pause = this.backoff.next();
    const { session } = this;
    if (pause === undefined || !session) {
      return;
    }
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => {
      if (this.session === session) {
        for (const uri of this.interests.keys()) {
          this.markPending(uri);
        }
        this.tell(session, this.interests.keys());
      }
    }, pause);
  }
}
