import { CancelledError } from '../base/errors';
import { Emitter } from '../base/events';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { PacedRun } from '../base/pacedRun';
import { RequestError } from '../connection/requestFailure';
import type { ServerConnection } from '../connection/serverConnection';
import type { Page, ResourceEntry, TemplateEntry } from '../connection/wire';
import { Completer } from './completer';
import { entryCharacters } from './entryCharacters';
import { type ListState, PagedList } from './pagedList';

/** A server that answers every read with "not found" has not lost its whole list each time. */
const RELIST_PAUSE_MS = 5000;
/** A server that says without an end that its list has changed is not listed without an end. Milliseconds. */
const CHANGES_PACE = { shortest: 500, longest: 10_000 };

/** What one server offers: its resources and its templates, each listed once per session and after `list_changed`. */
export class ServerCatalog implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private relistedAt = 0;
  private readonly changes: PacedRun = this.store.add(
    new PacedRun(async () => {
      if (await this.followChange()) {
        this.changes.trigger();
      }
    }, CHANGES_PACE),
  );

  readonly resources: PagedList<ResourceEntry>;
  readonly templates: PagedList<TemplateEntry>;
  readonly completer: Completer;
  readonly onDidChange = this.changeEmitter.event;

  constructor(readonly connection: ServerConnection) {
    this.completer = new Completer(connection);
    this.resources = this.store.add(
      new PagedList(
        (cursor, signal) => this.offered(() => connection.listResources(cursor, signal)),
        (entry) => entry.uri,
        entryCharacters,
      ),
    );
    this.templates = this.store.add(
      new PagedList(
        (cursor, signal) => this.offered(() => connection.listTemplates(cursor, signal)),
        (entry) => entry.uriTemplate,
        entryCharacters,
      ),
    );
    this.store.add(this.resources.onDidChange(() => this.changeEmitter.fire()));
    this.store.add(this.templates.onDidChange(() => this.changeEmitter.fire()));
    this.store.add(connection.onDidChangeLists(() => this.changes.trigger()));
    this.store.add(
      connection.onDidChangeAccount(() => {
        if (connection.state.kind === 'connected') {
          // More rights beside a live session: what is listed stays until the new list is there.
          void this.follow(['loading', 'loaded', 'failed']);
          return;
        }
        this.resources.reset();
        this.templates.reset();
      }),
    );
    this.store.add(
      connection.onDidChangeState((state) => {
        if (state.kind === 'connected') {
          // A walk under way has waited for this.
          void this.follow(['loaded', 'failed']);
        }
      }),
    );
  }

  /** The listed entry of a URI, as far as the list is known. */
  entryOf(uri: string): ResourceEntry | undefined {
    return this.resources.find(uri);
  }

  /** A listed resource was not found: the list may be old. Asked again at most once in a while, whatever is read. */
  async relistAfterLoss(uri: string): Promise<void> {
    const now = Date.now();
    if (this.entryOf(uri) && now - this.relistedAt > RELIST_PAUSE_MS) {
      this.relistedAt = now;
      await this.reload();
    }
  }

  /** Both lists' state in one word: the worse of the two. */
  get state(): ListState {
    const states = [this.resources.state, this.templates.state];
    return (['failed', 'loading', 'idle'] as const).find((state) => states.includes(state)) ?? 'loaded';
  }

  /** Lists everything anew. Failures become the lists' states. */
  async reload(): Promise<void> {
    await Promise.allSettled([this.resources.reload(), this.templates.reload()]);
  }

  /** Gives up listing, also for the changes so far; what was found stays. */
  stop(): void {
    this.changes.drop();
    this.resources.stop();
    this.templates.stop();
  }

  /** Asks again for the pages whose time is over. Failures become the lists' states. */
  async revalidate(): Promise<void> {
    await Promise.allSettled([this.resources.revalidate(), this.templates.revalidate()]);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Lists anew what somebody has asked for before. What nobody looked at is not listed. */
  private async follow(states: readonly ListState[]): Promise<void> {
    const lists = [this.resources, this.templates].filter(({ state }) => states.includes(state));
    await Promise.allSettled(lists.map((list) => list.reload()));
  }

  /** Whether to list once more: a walk that was under way may have failed by what was before the change. */
  private async followChange(): Promise<boolean> {
    const underWay = [this.resources, this.templates].filter(({ state }) => state === 'loading');
    const ends = Promise.allSettled(underWay.map((list) => list.load()));
    await this.follow(['loading', 'loaded', 'failed']);
    const failed = (await ends).some((end) => end.status === 'rejected' && !(end.reason instanceof CancelledError));
    return failed && this.connection.state.kind === 'connected';
  }

  /** No `resources` capability: no request. A method that the server does not know: a list of nothing, not a failure. */
  private async offered<T>(ask: () => Promise<Page<T>>): Promise<Page<T>> {
    const session = await this.connection.connect('background');
    if (!session.info.resources) {
      return { items: [] };
    }
    try {
      return await ask();
    } catch (error) {
      if (error instanceof RequestError && error.kind === 'noSuchMethod') {
        this.connection.log.info(`A list is not offered: ${error.message}`);
        return { items: [] };
      }
      throw error;
    }
  }
}
