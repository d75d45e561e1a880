import * as vscode from 'vscode';
import { CancelledError } from '../base/errors';

/** Shows progress for what takes longer than a second; cancelling aborts the signal. */
export async function withProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const running = work(abort.signal);
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<'slow'>((resolve) => {
    timer = setTimeout(() => resolve('slow'), 1000);
  });
  try {
    if ((await Promise.race([running, slow])) !== 'slow') {
      return await running;
    }
    return await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) => {
        token.onCancellationRequested(() => abort.abort());
        return Promise.race([
          running,
          new Promise<never>((_resolve, reject) => {
            abort.signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
          }),
        ]);
      },
    );
  } finally {
    clearTimeout(timer);
  }
}
