import * as vscode from 'vscode';
import { CancelledError } from '../base/errors';

/** How progress is shown: `notification` can be cancelled, `status` only says that something is under way. */
type Place = 'notification' | 'status';

/** Shows progress for what takes longer than a second; cancelling aborts the signal. */
export async function withProgress<T>(
  title: string,
  place: Place,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const running = work(abort.signal);
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
  return vscode.window.withProgress({ location, title, cancellable: place === 'notification' }, (_progress, token) => {
    const cancelled = new Promise<never>((_resolve, reject) => {
      token.onCancellationRequested(() => {
        abort.abort();
        reject(new CancelledError());
      });
    });
    return Promise.race([running, cancelled]);
  });
}
