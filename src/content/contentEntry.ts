import { CancelledError } from '../base/errors';
import type { Disposable } from '../base/lifecycle';
import type { ResourceRef } from '../connection/connectionPool';
import { failedBy } from '../connection/requestFailure';
import type { Initiative, ServerConnection } from '../connection/serverConnection';
import { PersonNeeded } from '../connection/personNeeded';
import type { ReadRequest } from '../connection/wire';
import type { EntrySurroundings } from './entrySurroundings';
import { patientRead, pause, unlessAskedAnew } from './patientRead';
import { type ResourceContent, resourceContent, sameContent } from './resourceContent';
import type { ReadOptions } from './contentStore';
import { SharedLoad } from './sharedLoad';
import { ResourceInterest } from './resourceInterest';
import type { StoreTimes } from './storeTimes';

/** What a resource said at one time. */
export interface Snapshot {
  readonly content: ResourceContent;
  /** Grows with each accepted change; milliseconds, close to the time of the change. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/** One resource: its last snapshot, who waits for it, and when it has to be read again. */
export class ContentEntry implements Disposable {
  snapshot: Snapshot | undefined;
  failure: Error | undefined;

  private holders = 0;
  /** Counts updates announced by the server: an answer that was asked for before the latest one is worthless. */
  private generation = 0;
  private readGeneration = -1;
  /** A person asked for it anew then: no answer to an earlier question will do, however long that takes. */
  private refreshedGeneration = 0;
  /** The generation that the last read set out for, answered or not. */
  private askedGeneration = -1;
  /** A subscription was answered, or ended, since then. */
  private settledMeanwhile = false;
  /** The snapshot was asked for while its subscription was in force, and it was so until the answer came. */
  private readWhileLive = false;
  private freshUntil = 0;
  /** Until then the editor may take what it was told of, although an update has come meanwhile. */
  private reloadUntil = 0;
  private opening = { until: 0, bytesTaken: false };
  private load: SharedLoad<Snapshot> | undefined;
  /** A person was asked for what the snapshot holds: it is kept for its open document only. */
  private withInput = false;
  private lastAskedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  /** Whether the server's list has it; `undefined` before a list was known. */
  private inList: boolean | undefined;
  private wasListed = false;
  private readonly interest: ResourceInterest;

  constructor(
    readonly ref: ResourceRef,
    private readonly times: StoreTimes,
    private readonly around: EntrySurroundings,
  ) {
    this.interest = new ResourceInterest(ref.uri);
  }

  async read(options: ReadOptions): Promise<Snapshot> {
    const known = this.answerOf(options);
    if (options.purpose === 'bytes') {
      this.reloadUntil = 0;
    }
    if (known) {
      return known;
    }
    const { signal, onProgress } = options;
    signal?.throwIfAborted();
    if (options.purpose === 'refresh') {
      this.around.connectionIfAny()?.subscriptions.revive(this.ref.uri);
      // A read under way may have been answered before that: its answer would be an old one.
      if (this.load) {
        this.refreshedGeneration = this.generation += 1;
      }
    }
    const load = (this.load ??= this.begin(options.initiative));
    try {
      const snapshot = await load.join({ signal, onProgress });
      if (options.purpose === 'bytes') {
        this.opening.bytesTaken = true;
      }
      return snapshot;
    } catch (error) {
      const needsPerson = failedBy(error, 'inputNeeded') || error instanceof PersonNeeded;
      if (needsPerson && load.initiative === 'background' && options.initiative === 'person' && !signal?.aborted) {
        return await this.read(options);
      }
      throw error;
    }
  }

  /** Its size and time are answered without asking the server. */
  get isFresh(): boolean {
    return this.answerOf({ purpose: 'stat', initiative: 'background' }) !== undefined;
  }

  hold(): void {
    this.holders += 1;
    if (this.holders === 1) {
      this.rebind();
    }
    this.interest.endOpening();
  }

  /** An update has come sooner after the last read than the resource is read again. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** The opening begins anew: what was read for it still answers those who belong to it. */
  prolongOpening(): void {
    if (this.snapshot && this.readGeneration === this.generation) {
      this.opening.until = Date.now() + this.times.openingMs;
    }
  }

  /** Returns how many holders are left. */
  release(): number {
    this.holders -= 1;
    if (this.holders === 0) {
      this.interest.bind(undefined);
      clearTimeout(this.timer);
      this.timer = undefined;
      this.opening.until = 0;
      this.inList = undefined;
      this.wasListed = false;
      this.forgetInput();
    }
    return this.holders;
  }

  /** The server was redefined: interest belongs to the connection of now. */
  rebind(): void {
    if (this.holders > 0) {
      this.interest.bind(this.around.connectionIfAny());
    }
  }

  /** The server says that the resource has changed (specification: notifications/resources/updated). */
  invalidate(): void {
    this.generation += 1;
    this.freshUntil = 0;
    this.opening.until = 0;
    if (this.holders > 0) {
      this.readSoon();
    }
  }

  /** As if it had never been read. */
  forget(): void {
    this.snapshot = undefined;
    this.invalidate();
  }

  /** Reads what was never read; nobody waits for it. */
  prepare(): void {
    if (!this.snapshot && !this.failure) {
      this.readNow();
    }
  }

  /** A new session: what the resource says now is not known. */
  connected(): void {
    if (this.snapshot || this.failure) {
      this.invalidate();
    }
  }

  /** It was listed, and no longer is. */
  get isUnlisted(): boolean {
    return this.inList === false && this.wasListed;
  }

  /** What the server's complete list says: a resource that vanished from it, or came back, is asked for again. */
  listed(inList: boolean): void {
    const changed = this.inList !== undefined && this.inList !== inList;
    this.inList = inList;
    this.wasListed ||= inList;
    if (changed) {
      this.invalidate();
      // Read again or not, what is said above the document is another thing now.
      this.around.accepted();
    }
  }

  /** A subscription that came into force after the read leaves a gap: an update may have fallen into it. */
  subscriptionSettled(): void {
    if (!this.isLive()) {
      this.readWhileLive = false;
    }
    if (this.load) {
      this.settledMeanwhile = true;
      return;
    }
    const known = this.snapshot ?? this.failure;
    // What was read with a person's input cannot be read again behind the person's back.
    if (this.holders > 0 && known && this.isLive() && !this.readWhileLive && !this.withInput) {
      this.readSoon();
    }
  }

  dispose(): void {
    this.disposed = true;
    this.load?.cancel();
    this.interest.dispose();
    clearTimeout(this.timer);
  }

  private isLive(): boolean {
    return this.around.connectionIfAny()?.subscriptions.liveness(this.ref.uri) === 'live';
  }

  /** What can be answered without asking the server. */
  private answerOf({ purpose }: ReadOptions): Snapshot | undefined {
    const { snapshot } = this;
    if (!snapshot || purpose === 'refresh' || this.failure) {
      return undefined;
    }
    const now = Date.now();
    if (this.readGeneration !== this.generation) {
      // What is read again for the update is told as well: a reload that waited for it would never end in a storm.
      const isReload = this.holders > 0 && (this.isWaiting || now < this.reloadUntil) && purpose !== 'open';
      return isReload ? snapshot : undefined;
    }
    const kept = !this.withInput || this.holders > 0;
    if (kept && ((this.readWhileLive && this.isLive()) || now < this.freshUntil)) {
      return snapshot;
    }
    const sameOpening = now < this.opening.until;
    if (purpose === 'stat') {
      return sameOpening || this.holders > 0 ? snapshot : undefined;
    }
    if (purpose === 'bytes' && sameOpening && !this.opening.bytesTaken) {
      this.opening.bytesTaken = true;
      return snapshot;
    }
    return undefined;
  }

  /** Starts the one read that all share. `shownSince` is for reads that nobody waits for: see `readUntilValid`. */
  private begin(initiative: Initiative, shownSince?: number): SharedLoad<Snapshot> {
    const load = new SharedLoad(initiative, (...how) => this.run(shownSince, ...how));
    const ended = (): void => {
      if (this.load === load) {
        this.load = undefined;
      }
      this.endOpening();
      this.catchUp();
    };
    load.promise.then(ended, ended);
    return load;
  }

  /** What came in while a read was under way that could not see it: an update, a subscription. */
  private catchUp(): void {
    if (this.holders === 0 || this.load) {
      return;
    }
    if (this.askedGeneration !== this.generation) {
      this.readSoon();
    } else if (this.settledMeanwhile) {
      this.subscriptionSettled();
    }
  }

  private async run(
    shownSince: number | undefined,
    how: ReadRequest,
    signal: AbortSignal,
    hurried: Promise<void>,
  ): Promise<Snapshot> {
    this.askedGeneration = this.generation;
    try {
      const connection = this.around.connection();
      await connection.connect(how.initiative);
      if (this.holders === 0 && shownSince === undefined) {
        this.interest.beginOpening(connection);
      }
      const { settleMs, settleHiddenMs } = this.times;
      const unhurried = shownSince !== undefined && !this.around.isInView();
      const settled = connection.subscriptions.settled(this.ref.uri, unhurried ? settleHiddenMs : settleMs);
      await (unhurried ? Promise.race([settled, hurried]) : settled);
      const read = (): Promise<Snapshot> => this.readUntilValid(connection, how, shownSince, signal);
      const snapshot = await (unhurried ? this.around.turns.run(read, hurried) : read());
      if (this.failure) {
        this.failure = undefined;
        this.around.failed(undefined);
      }
      return snapshot;
    } catch (error) {
      if (signal.aborted || error instanceof CancelledError) {
        // An update of what is shown is still to be read.
        const isKept = signal.aborted && this.snapshot !== undefined && !this.failure;
        this.askedGeneration = isKept ? this.readGeneration : this.askedGeneration;
        throw new CancelledError();
      }
      this.failure = error as Error;
      if (failedBy(error, 'notFound')) {
        this.snapshot = undefined;
      }
      this.around.failed(this.failure);
      throw error;
    }
  }

  /** `shownSince`: nobody waits for the answer, and what the editor shows is from then. */
  private async readUntilValid(
    connection: ServerConnection,
    how: ReadRequest,
    shownSince: number | undefined,
    signal: AbortSignal,
  ): Promise<Snapshot> {
    const discardUntil = (shownSince ?? Date.now()) + this.times.discardForMs;
    for (let again = false; ; again = true) {
      this.lastAskedAt = Date.now();
      const generation = (this.askedGeneration = this.generation);
      const live = this.isLive();
      this.settledMeanwhile = false;
      const refreshed = (): boolean => generation < this.refreshedGeneration;
      const read = patientRead({ connection, uri: this.ref.uri, how, pausesMs: this.times.retryPausesMs }, signal);
      const answer = await unlessAskedAnew(read, refreshed);
      signal.throwIfAborted();
      const overtaken = generation !== this.generation;
      // Who waits gets a second answer at once.
      const pauseMs = refreshed() || (shownSince === undefined && !again) ? 0 : this.pauseMs();
      // A person is not asked a second time for the sake of an update.
      const isLate = overtaken && !answer?.withInput && (refreshed() || Date.now() + pauseMs < discardUntil);
      if (!answer || isLate) {
        await pause(pauseMs, signal);
        continue;
      }
      const content = resourceContent(answer.contents, { uri: this.ref.uri, mimeType: this.around.listedType() });
      const now = Date.now();
      this.readGeneration = generation;
      this.readWhileLive = live && !this.settledMeanwhile;
      this.withInput = answer.withInput === true;
      // Nor would the background ask again for a Refresh.
      this.askedGeneration = answer.withInput && refreshed() ? this.generation : generation;
      this.freshUntil = overtaken ? 0 : now + (answer.ttlMs ?? 0);
      this.opening = { until: now + this.times.openingMs, bytesTaken: false };
      return this.accept(content, now);
    }
  }

  private accept(content: ResourceContent, now: number): Snapshot {
    const previous = this.snapshot;
    const same = previous !== undefined && sameContent(previous.content, content);
    const revision = same ? previous.revision : Math.max(now, (previous?.revision ?? 0) + 1);
    this.snapshot = { content, revision, readAt: now };
    this.around.resized();
    if (previous && !same) {
      this.reloadUntil = now + this.times.openingMs;
      this.around.changed();
    }
    this.around.accepted();
    return this.snapshot;
  }

  /** At once when the last read is long enough ago, else when it will be. */
  private readSoon(): void {
    if (this.timer || this.disposed) {
      return;
    }
    if (this.load) {
      // The read under way sees the new generation and asks again, or is followed by another one.
      return;
    }
    const wait = this.lastAskedAt + this.pauseMs() - Date.now();
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.readNow(this.snapshot?.readAt);
      }, wait);
    } else {
      this.readNow();
    }
  }

  private readNow(shownSince = Date.now()): void {
    if (this.load || this.holders === 0 || this.disposed) {
      return;
    }
    this.load = this.begin('background', shownSince);
    this.around.rereading();
  }

  private pauseMs(): number {
    const { betweenReadsMs, betweenManyReadsMs, betweenHiddenReadsMs } = this.times;
    if (!this.around.isCrowded()) {
      return betweenReadsMs;
    }
    return this.around.isInView() ? betweenManyReadsMs : betweenHiddenReadsMs;
  }

  /** The read of an opening is done: within a while its document holds the resource, or nobody does. */
  private endOpening(): void {
    if (this.holders === 0 && !this.disposed) {
      this.interest.endOpeningIn(this.times.openingMs, () => {
        if (this.holders === 0) {
          this.forgetInput();
        }
      });
    }
  }

  private forgetInput(): void {
    if (this.withInput && !this.load) {
      this.withInput = false;
      this.snapshot = undefined;
      this.around.resized();
    }
  }
}
