import * as vscode from 'vscode';
import { withoutStop } from '../base/sentence';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  InputField,
  InputValue,
  NumberField,
  TextField,
} from '../connection/inputRequest';
import { inputProblem, typedValue } from '../connection/inputValidation';
import { fieldExample, fieldLabel, fieldPrompt, problemWords } from './inputWords';
import { inertLine } from './plainText';
import { showStep, type StepFrame, type StepResult } from './quickSteps';

/** What is known of a field before its step: what was typed without being accepted, or the value so far. */
export interface FieldDraft {
  typed?: string;
  value?: InputValue;
}

/** Asks for the value of one field; `undefined` where an optional one is left out. What is typed is noted in the draft. */
export function askField(
  field: InputField,
  draft: FieldDraft,
  intro: string,
  frame: StepFrame,
): Promise<StepResult<InputValue | undefined>> {
  switch (field.kind) {
    case 'text':
    case 'number':
      return askTyped(field, draft, intro, frame);
    case 'boolean':
    case 'choice':
      return askChoice(field, draft, intro, frame);
    case 'choices':
      return askChoices(field, draft, intro, frame);
  }
}

function askTyped(
  field: TextField | NumberField,
  draft: FieldDraft,
  intro: string,
  frame: StepFrame,
): Promise<StepResult<InputValue | undefined>> {
  const input = vscode.window.createInputBox();
  const prompt = field.required
    ? fieldPrompt(field)
    : vscode.l10n.t('{0}. Leave it empty to skip.', withoutStop(fieldPrompt(field)));
  input.prompt = intro ? `${intro} ${prompt}` : prompt;
  input.placeholder = fieldExample(field);
  input.value = draft.typed ?? textOf(draft.value ?? field.default);
  const check = (): string | undefined => {
    const problem = inputProblem(field, typedValue(field, input.value));
    // The message takes the place of the prompt, which names the field.
    return problem && `${fieldLabel(field)}: ${problemWords(problem)}`;
  };
  input.onDidChangeValue((typed) => {
    draft.typed = typed;
    input.validationMessage = check();
  });
  return showStep(input, frame, () => {
    input.validationMessage = check();
    return input.validationMessage === undefined ? { value: typedValue(field, input.value) } : undefined;
  });
}

interface ValueItem extends vscode.QuickPickItem {
  readonly value: InputValue | undefined;
}

function askChoice(
  field: BooleanField | ChoiceField,
  draft: FieldDraft,
  intro: string,
  frame: StepFrame,
): Promise<StepResult<InputValue | undefined>> {
  const options: readonly { value: InputValue; title: string }[] =
    field.kind === 'choice'
      ? field.options
      : [
          { value: true, title: vscode.l10n.t('Yes') },
          { value: false, title: vscode.l10n.t('No') },
        ];
  const items: ValueItem[] = options.map(({ value, title }) => ({ label: inertLine(title), value }));
  if (!field.required) {
    items.push({ label: vscode.l10n.t('Leave Out'), description: vscode.l10n.t('optional'), value: undefined });
  }
  const pick = vscode.window.createQuickPick<ValueItem>();
  pick.placeholder = placeholderOf(field, intro);
  pick.items = items;
  const initial = 'value' in draft ? draft.value : field.default;
  const active = items.find(({ value }) => value === initial && (value !== undefined || 'value' in draft));
  if (active) {
    // Set only where there is one: an empty list would leave Enter without an item.
    pick.activeItems = [active];
  }
  return showStep<InputValue | undefined>(
    pick,
    frame,
    () => pick.activeItems[0] && { value: pick.activeItems[0].value },
  );
}

function askChoices(
  field: ChoicesField,
  draft: FieldDraft,
  intro: string,
  frame: StepFrame,
): Promise<StepResult<InputValue | undefined>> {
  const chosen = (draft.value as readonly string[] | undefined) ?? field.default ?? [];
  const items = field.options.map(({ value, title }) => ({ label: inertLine(title), value }));
  const pick = vscode.window.createQuickPick<ValueItem>();
  pick.canSelectMany = true;
  const placeholder = placeholderOf(field, intro);
  pick.placeholder = placeholder;
  pick.items = items;
  pick.selectedItems = items.filter(({ value }) => chosen.includes(value));
  return showStep<InputValue | undefined>(pick, frame, () => {
    const values = pick.selectedItems.flatMap(({ value }) => (typeof value === 'string' ? value : []));
    const value = values.length === 0 && !field.required ? undefined : values;
    const problem = inputProblem(field, value);
    // A quick pick has no place for a message of its own.
    pick.placeholder = problem ? `${problemWords(problem)} ${placeholder}` : placeholder;
    return problem ? undefined : { value };
  });
}

function placeholderOf(field: InputField, intro: string): string {
  return intro ? `${intro} ${fieldPrompt(field)}` : fieldPrompt(field);
}

function textOf(value: InputValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
