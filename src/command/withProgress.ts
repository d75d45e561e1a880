import * as vscode from 'vscode';
import { CancelledError } from '../base/errors';
import type { ConnectionPool } from '../connection/connectionPool';
import { inertLine } from '../ui/plainText';

/** How long something may take before progress is shown. Milliseconds. */
const SLOW_MS = 1000;

/** What is shown while something is under way. */
export interface ShownProgress {
  readonly title: string;
  /** `notification` can be cancelled, `status` only says that something is under way. */
  readonly place: 'notification' | 'status';
  /** Servers that may have to ask a person first: nothing is shown beside a question. */
  readonly pool?: Pick<ConnectionPool, 'all' | 'onDidChangeState'>;
}

/** Says in words how far the work is; the words may be a server's. */
type Tell = (words: string) => void;

/** Shows progress for what takes longer than a second, not counting questions; cancelling aborts the signal. */
export async function withProgress<T>(
  { title, place, pool }: ShownProgress,
  work: (signal: AbortSignal, onProgress: Tell) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let latest: string | undefined;
  let show: Tell | undefined;
  let hide: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const running = work(abort.signal, (words) => {
    latest = inertLine(words);
    show?.(latest);
  });
  return await new Promise<T>((resolve, reject) => {
    const open = (): void => {
      const shown = new Promise<void>((end) => (hide = end));
      const location = place === 'status' ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
      const options = { location, title, cancellable: place === 'notification' };
      void vscode.window.withProgress(options, (progress, token) => {
        show = (message) => progress.report({ message });
        if (latest !== undefined) {
          show(latest);
        }
        token.onCancellationRequested(() => {
          abort.abort();
          end();
          reject(new CancelledError());
        });
        return shown;
      });
    };
    const close = (): void => {
      clearTimeout(timer);
      hide?.();
      hide = show = undefined;
    };
    const asks = (): boolean => pool?.all.some(({ state }) => state.kind === 'connecting' && state.asks) ?? false;
    let asked = asks();
    const begin = (): void => {
      close();
      timer = asked ? undefined : setTimeout(open, SLOW_MS);
    };
    const following = pool?.onDidChangeState(() => {
      if (asked !== asks()) {
        asked = !asked;
        begin();
      }
    });
    const end = (): void => {
      following?.dispose();
      close();
    };
    begin();
    running.then(resolve, reject).finally(end);
  });
}
