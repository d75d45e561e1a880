import * as vscode from 'vscode';
import { soleSuggestion } from '../catalog/soleSuggestion';
import { type Suggest, TypedCompletion } from '../catalog/typedCompletion';
import type { Completion } from '../connection/wire';
import { inertLine } from '../ui/plainText';
import { showStep, type StepFrame, type StepResult } from '../ui/quickSteps';

/** The question for one parameter of a template. */
export interface ParameterQuestion {
  readonly name: string;
  /** It may be left out. */
  readonly optional: boolean;
  /** More about the value, in words. */
  readonly hint?: string;
  /** What is typed so far. */
  readonly text: string;
  readonly suggest: Suggest;
  /** The step's title with the URI that comes of this text. */
  titleOf(this: void, text: string): string;
  /** Hears what is typed, accepted or not. */
  onDraft(this: void, text: string): void;
}

interface Row extends vscode.QuickPickItem {
  /** The typed text as it is, a suggestion, or words between the two, which cannot be chosen. */
  readonly role: 'typed' | 'suggested' | 'words';
  readonly value: string;
}

/** Asks for the value of one parameter, with suggestions while typing; empty where it is left out. */
export function askParameter(question: ParameterQuestion, frame: StepFrame): Promise<StepResult<string>> {
  const { optional, onDraft, titleOf } = question;
  const pick = vscode.window.createQuickPick<Row>();
  keepOrder(pick);
  pick.placeholder = placeholderOf(question);
  pick.value = question.text;
  const completion = new TypedCompletion(question.suggest);
  let last: string | undefined;
  /** The text was typed, and no answer to it has come yet. */
  let mayLead = false;
  /** The suggestion that was gone to in the person's place, and for which text. */
  let led: { readonly text: string; readonly value: string } | undefined;
  const showTitle = (): void => {
    const [active] = pick.activeItems;
    pick.title = titleOf(active?.role === 'suggested' ? active.value : pick.value);
  };
  const goTo = (value: string): void => {
    const row = pick.items.find((each) => each.role === 'suggested' && each.value === value);
    if (row) {
      pick.activeItems = [row];
    }
  };
  const showRows = (): void => {
    const [active] = pick.activeItems;
    const { busy } = completion;
    pick.busy = busy;
    const answer = completion.completion;
    const rows = [typedRow(pick.value, question), ...suggestedRows(pick.value, answer)];
    const gone = active?.role === 'suggested' && active.value !== led?.value ? active.value : undefined;
    // An answer must not take away what the person has gone to, which may be known here a little later.
    if (wordsOf(rows) !== wordsOf(pick.items)) {
      pick.items = rows;
      if (gone !== undefined) {
        goTo(gone);
      }
    }
    if (mayLead && !busy && answer) {
      mayLead = false;
      const sole = gone === undefined ? soleSuggestion(pick.value, answer) : undefined;
      if (sole !== undefined) {
        led = { text: pick.value, value: sole };
        goTo(sole);
      }
    }
    showTitle();
  };
  const take = (text: string, chosen: boolean): void => {
    if (text !== last) {
      last = text;
      // What was chosen, or was there before, is what it is.
      mayLead = !chosen;
    }
    onDraft(text);
    completion.type(text, chosen);
    showRows();
  };
  completion.onDidChange(showRows);
  pick.onDidChangeValue((text) => take(text, false));
  pick.onDidChangeActive(showTitle);
  take(question.text, true);
  return showStep(pick, { ...frame, title: titleOf(question.text) }, () => {
    const [active] = pick.activeItems;
    // The row may be older than the last key.
    if (active?.role !== 'suggested' || (active.value === led?.value && led.text !== pick.value)) {
      return pick.value === '' && !optional ? undefined : { value: pick.value };
    }
    if (!active.value.endsWith('/') || active.value === pick.value) {
      return { value: active.value };
    }
    pick.value = active.value;
    take(active.value, true);
    return undefined;
  }).finally(() => completion.dispose());
}

function wordsOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(({ role, value, label }) => [role, value, label]));
}

function typedRow(text: string, { name, optional }: ParameterQuestion): Row {
  const label =
    text !== ''
      ? vscode.l10n.t('Use “{0}”', inertLine(text))
      : optional
        ? vscode.l10n.t('Leave Out')
        : vscode.l10n.t('Type a value for {0}', inertLine(name));
  return { role: 'typed', value: text, label, alwaysShow: true };
}

function suggestedRows(text: string, completion: Completion | undefined): Row[] {
  if (!completion) {
    return [];
  }
  const values = [...new Set(completion.values)].filter((value) => value !== '' && value !== text);
  const rows = values.map((value): Row => ({ role: 'suggested', value, label: inertLine(value), alwaysShow: true }));
  const more = moreWords(completion);
  // Before the suggestions: below a hundred of them nobody would see it.
  return more === undefined
    ? rows
    : [{ role: 'words', value: '', label: more, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

function moreWords({ values, total, hasMore }: Completion): string | undefined {
  const count = values.length.toLocaleString(vscode.env.language);
  if (total !== undefined && total > values.length) {
    return vscode.l10n.t('Showing {0} of {1}. Type to narrow.', count, total.toLocaleString(vscode.env.language));
  }
  return hasMore ? vscode.l10n.t('Showing the first {0}. Type to narrow.', count) : undefined;
}

function placeholderOf({ name, optional, hint }: ParameterQuestion): string {
  const wanted = optional
    ? vscode.l10n.t('Value for {0} (optional: leave empty to skip)', inertLine(`{${name}}`))
    : vscode.l10n.t('Value for {0}', inertLine(`{${name}}`));
  return hint === undefined ? wanted : `${wanted} · ${hint}`;
}

/** The order is the server's. Where the editor does not know this property, it sorts by what was typed. */
function keepOrder(pick: vscode.QuickPick<Row>): void {
  (pick as { sortByLabel?: boolean }).sortByLabel = false;
}
