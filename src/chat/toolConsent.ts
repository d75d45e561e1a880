import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import { inertLine } from '../ui/plainText';
import { askModal } from '../ui/quickSteps';
import { visible } from './dataFrame';
import type { GrantScope, ToolGrants } from './toolGrants';
import { ToolError } from './toolInput';

/** What a person is asked before a tool does it. */
export interface ConsentRequest {
  readonly ref: ResourceRef;
  readonly question: string;
  /** In words of ours, under the server and the URI. */
  readonly remarks: readonly string[];
  /** For what it may be allowed from now on; once is always possible. */
  readonly scopes: readonly GrantScope[];
  /** It was allowed before. */
  readonly isGranted: () => boolean;
}

/**
 * Asks a person before a tool acts. By a dialog of ours, not by the one that VS Code shows for a tool: what is allowed
 * there "always" is the tool as a whole, for every server and every URI, and nobody tells us that it was.
 */
export class ToolConsent {
  /** One question at a time: an answer may settle the next. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly grants: ToolGrants) {}

  /** Rejects with a ToolError where the person says no. */
  ask(request: ConsentRequest, signal: AbortSignal): Promise<void> {
    const answer = this.last.then(() => this.askNow(request, signal));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async askNow(
    { ref, question, remarks, scopes, isGranted }: ConsentRequest,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted || isGranted()) {
      return;
    }
    const words: Readonly<Record<GrantScope, string>> = {
      resource: vscode.l10n.t('Always This Resource'),
      server: vscode.l10n.t('Always This Server'),
      window: vscode.l10n.t('All in This Window'),
    };
    const once = vscode.l10n.t('Allow Once');
    const detail = [
      vscode.l10n.t('Server: {0}', inertLine(visible(ref.serverId), 200)),
      vscode.l10n.t('URI: {0}', inertLine(visible(ref.uri), 1000)),
      ...(remarks.length > 0 ? ['', ...remarks] : []),
    ].join('\n');
    const answer = await askModal(
      { message: question, detail },
      [once, ...scopes.map((scope) => words[scope])],
      signal,
    );
    const scope = scopes.find((each) => words[each] === answer);
    if (scope) {
      await this.grants.grant(scope, ref);
    } else if (answer !== once) {
      throw new ToolError('The user did not allow it. Do not try again unless the user asks for it.');
    }
  }
}
