import * as vscode from 'vscode';
import { CancelledError } from '../base/errors';
import { inertLine } from '../ui/plainText';

/** How progress is shown: `notification` can be cancelled, `status` only says that something is under way. */
type Place = 'notification' | 'status';

/** Says in words how far the work is; the words may be a server's. */
type Tell = (words: string) => void;

/** Shows progress for what takes longer than a second; cancelling aborts the signal. */
export async function withProgress<T>(
  title: string,
  place: Place,
  work: (signal: AbortSignal, onProgress: Tell) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let latest: string | undefined;
  let show: Tell | undefined;
  const running = work(abort.signal, (words) => {
    latest = inertLine(words);
    show?.(latest);
  });
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<'slow'>((resolve) => {
    timer = setTimeout(() => {
      resolve('slow');
    }, 1000);
  });
  try {
    if ((await Promise.race([running, slow])) !== 'slow') {
      return await running;
    }
  } finally {
    clearTimeout(timer);
  }
  const location = place === 'status' ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: place === 'notification' }, (progress, token) => {
    show = (message) => progress.report({ message });
    if (latest !== undefined) {
      show(latest);
    }
    const cancelled = new Promise<never>((_resolve, reject) => {
      token.onCancellationRequested(() => {
        abort.abort();
        reject(new CancelledError());
      });
    });
    return Promise.race([running, cancelled]);
  });
}
