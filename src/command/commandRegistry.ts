import * as vscode from 'vscode';
import { CancelledError, HumanError, messageOf } from '../base/errors';
import { ConsentNeeded } from '../connection/consentNeeded';
import { InputNeeded } from '../connection/inputNeeded';
import { SignInNeeded } from '../connection/signInNeeded';
import { inertLine, plainLine } from '../ui/plainText';
import type { Logs } from '../ui/logs';

/** What a command shows in place of its result, with more than "Show Log": a failure, or `mild` a mere fact. */
export class ActionableError extends HumanError {
  constructor(
    message: string,
    readonly details: {
      serverId?: string;
      mild?: boolean;
      actions?: readonly { title: string; run: () => unknown }[];
      cause?: unknown;
    },
  ) {
    super(message, details);
  }
}

/** The one thing to do about a failure: giving what is missing, a sign-in, an input or a yes, else trying again. */
export function retryAction(error: unknown, run: () => unknown): { title: string; run: () => unknown } {
  const title =
    error instanceof SignInNeeded
      ? vscode.l10n.t('Sign In')
      : error instanceof InputNeeded
        ? vscode.l10n.t('Enter Input')
        : error instanceof ConsentNeeded
          ? vscode.l10n.t('Allow…')
          : vscode.l10n.t('Retry');
  return { title, run };
}

/** Registers commands behind the one boundary that turns errors into messages. */
export class CommandRegistry implements vscode.Disposable {
  private readonly registered: vscode.Disposable[] = [];

  constructor(private readonly logs: Logs) {}

  /** `run` may throw anything: a person sees a message with "Show Log", the log has the rest. */
  add(id: string, run: (...args: never[]) => unknown): void {
    this.registered.push(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          await run(...(args as never[]));
        } catch (error) {
          // Not awaited: a command is done when it is done, not when its message is dismissed.
          void this.report(error);
        }
      }),
    );
  }

  /** Shows an error with its actions. Never rejects. */
  async report(error: unknown): Promise<void> {
    if (error instanceof CancelledError || error instanceof vscode.CancellationError) {
      return;
    }
    const human = error instanceof HumanError;
    if (!human) {
      this.logs.main.error((error as Error | undefined)?.stack ?? messageOf(error));
    } else {
      this.logs.main.warn(plainLine(error.message, 2000));
    }
    const details = error instanceof ActionableError ? error.details : {};
    const showLog = vscode.l10n.t('Show Log');
    const message = human ? messageOf(error) : vscode.l10n.t('Something unexpected happened: {0}', messageOf(error));
    const titles = (details.actions ?? []).map(({ title }) => title);
    const text = inertLine(message, 600);
    const chosen = await (details.mild
      ? vscode.window.showInformationMessage(text, ...titles)
      : vscode.window.showErrorMessage(text, ...titles, showLog));
    if (chosen === showLog) {
      this.logs.show(details.serverId);
      return;
    }
    try {
      await details.actions?.find(({ title }) => title === chosen)?.run();
    } catch (next) {
      await this.report(next);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.registered).dispose();
  }
}
