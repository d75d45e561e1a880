import * as vscode from 'vscode';
import type { ResourceRef } from '../connection/connectionPool';
import { visibleText } from '../content/visibleText';
import { inertLine } from '../ui/plainText';
import { showStep } from '../ui/quickSteps';
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

type Choice = GrantScope | 'once' | 'no';
type Row = vscode.QuickPickItem & { readonly choice?: Choice };

/** A URI is shown whole, in rows of so many characters. */
const ROW_LENGTH = 80;
const MOST_ROWS = 12;

/**
 * Asks a person before a tool acts. By a question of ours, not by the one that VS Code shows for a tool: what is allowed
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

  private async askNow(request: ConsentRequest, signal: AbortSignal): Promise<void> {
    if (signal.aborted || request.isGranted()) {
      return;
    }
    const choice = await chosen(request, signal);
    if (choice === 'no') {
      throw new ToolError('The user did not allow it. Do not try again unless the user asks for it.');
    }
    if (choice !== 'once') {
      await this.grants.grant(choice, request.ref);
    }
  }
}

async function chosen({ ref, question, remarks, scopes }: ConsentRequest, signal: AbortSignal): Promise<Choice> {
  const words: Readonly<Record<Choice, string>> = {
    no: vscode.l10n.t('Do Not Allow'),
    once: vscode.l10n.t('Allow Once'),
    resource: vscode.l10n.t('Always Allow This Resource'),
    server: vscode.l10n.t('Always Allow This Server'),
    window: vscode.l10n.t('Allow All in This Window'),
  };
  const rows: readonly Row[] = (['no', 'once', ...scopes] as const).map((choice) => ({ label: words[choice], choice }));
  const pick = vscode.window.createQuickPick<Row>();
  pick.items = [...addressRows(ref.uri, remarks.join(' ')), ...rows];
  // Who is typing when the question comes must not have said yes.
  pick.activeItems = rows.slice(0, 1);
  pick.placeholder = vscode.l10n.t('Server: {0}', inertLine(visibleText(ref.serverId), 100));
  const frame = { title: question, hasBack: false, canDecline: false, signal };
  const result = await showStep<Choice>(pick, frame, () => {
    const choice = pick.selectedItems[0]?.choice;
    return choice === undefined ? undefined : { value: choice };
  });
  return result.kind === 'value' ? result.value : 'no';
}

/** The URI in rows that are no answers: as many as it needs to be seen whole. */
function addressRows(uri: string, detail: string): readonly Row[] {
  const shown = Array.from(spacesShown(visibleText(uri)));
  const pieces: string[] = [];
  for (let at = 0; at < shown.length && pieces.length < MOST_ROWS; at += ROW_LENGTH) {
    pieces.push(shown.slice(at, at + ROW_LENGTH).join(''));
  }
  const isCut = shown.length > ROW_LENGTH * MOST_ROWS;
  return pieces.map((piece, index) => {
    const isLast = index === pieces.length - 1;
    const length = isCut && isLast ? vscode.l10n.t('… {0} characters in all', uri.length) : undefined;
    return {
      label: inertLine(spacesShown(piece)),
      description: length,
      detail: isLast ? detail : undefined,
      alwaysShow: true,
    };
  });
}

/** A label has one space for many, and none at its ends: those that would be lost, and white space of other kinds, are written out. */
function spacesShown(piece: string): string {
  return piece.replace(/^ | $|(?<= ) |[^\S ]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16).toUpperCase()}}`);
}
