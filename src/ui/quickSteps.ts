import * as vscode from 'vscode';

/** What came of one step: a value, or what the person did instead. */
export type StepResult<T> =
  { readonly kind: 'value'; readonly value: T } | { readonly kind: 'back' | 'decline' | 'cancel' };

/** What the steps of one dialog have in common. */
export interface StepFrame {
  readonly title: string;
  /** From 1, with the number of steps; absent where there is one only. */
  readonly position?: { readonly step: number; readonly of: number };
  readonly hasBack: boolean;
  /** The question comes from a server, which may be told No. */
  readonly canDecline: boolean;
  readonly signal: AbortSignal;
}

/**
 * Shows a quick input until it gives a value. `accept` gives it, or `undefined` to stay. Escape and an aborted signal
 * cancel; the focus may go elsewhere, to look something up.
 */
export function showStep<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  frame: StepFrame,
  accept: () => { readonly value: T } | undefined,
): Promise<StepResult<T>> {
  if (frame.signal.aborted) {
    input.dispose();
    return Promise.resolve({ kind: 'cancel' });
  }
  const decline: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('circle-slash'),
    tooltip: vscode.l10n.t('Decline: Tell the Server No'),
  };
  input.title = frame.title;
  input.step = frame.position?.step;
  input.totalSteps = frame.position?.of;
  input.ignoreFocusOut = true;
  input.buttons = [...(frame.hasBack ? [vscode.QuickInputButtons.Back] : []), ...(frame.canDecline ? [decline] : [])];
  return new Promise((resolve) => {
    const end = (result: StepResult<T>): void => {
      frame.signal.removeEventListener('abort', onAbort);
      resolve(result);
      input.dispose();
    };
    const onAbort = (): void => end({ kind: 'cancel' });
    input.onDidTriggerButton((button) => end({ kind: button === decline ? 'decline' : 'back' }));
    input.onDidHide(() => end({ kind: 'cancel' }));
    input.onDidAccept(() => {
      const accepted = accept();
      if (accepted) {
        end({ kind: 'value', value: accepted.value });
      }
    });
    frame.signal.addEventListener('abort', onAbort, { once: true });
    input.show();
  });
}

/** A question in a modal dialog, for text that must be seen whole. Once the signal aborts its answer counts no more. */
export async function askModal<T extends string>(
  text: { readonly message: string; readonly detail: string },
  buttons: readonly T[],
  signal: AbortSignal,
): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const options = { modal: true, detail: text.detail };
  return Promise.race([vscode.window.showInformationMessage(text.message, options, ...buttons), aborted]);
}

/** Shows a quick input that is taken back once the signal aborts. */
export async function untilAborted<T>(
  signal: AbortSignal,
  show: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const onAbort = (): void => source.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) {
    source.cancel();
  }
  try {
    return await show(source.token);
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.dispose();
  }
}

/** A question for one line of text; `undefined`: given up. */
export function askText(signal: AbortSignal, options: vscode.InputBoxOptions): Promise<string | undefined> {
  return untilAborted(signal, (token) => vscode.window.showInputBox({ ...options, ignoreFocusOut: true }, token));
}
