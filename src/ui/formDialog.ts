import * as vscode from 'vscode';
import type { FormRequest, InputAnswer, InputValue } from '../connection/inputRequest';
import { askField, type FieldDraft } from './fieldSteps';
import { fieldLabel, valueWords } from './inputWords';
import { inertLine, plainLine } from './plainText';
import { askModal, showStep, type StepFrame, type StepResult } from './quickSteps';

/** A server's message longer than this would be cut by a quick input. */
const SHORT_MESSAGE = 120;

/**
 * Asks for the values of a form (specification: client/elicitation, form mode): one step per field, and where there are
 * several a last one that shows them all, since nothing may be sent that the person could not review.
 */
export async function askForm(request: FormRequest, signal: AbortSignal): Promise<InputAnswer> {
  const { fields, message } = request;
  if (fields.length === 0 || message.length > SHORT_MESSAGE) {
    const answer = await introduce(request, signal);
    if (answer !== 'accept' || fields.length === 0) {
      return answer === 'accept' ? { action: 'accept', content: {} } : { action: answer };
    }
  }
  const drafts = fields.map((): FieldDraft => ({}));
  const steps = fields.length > 1 ? fields.length + 1 : 1;
  let step = 0;
  /** The last step was reached: a field that is changed from there leads back there. */
  let reviewed = false;
  while (step < fields.length || (steps > 1 && step < steps)) {
    const frame: StepFrame = {
      title: titleOf(request),
      position: steps > 1 ? { step: step + 1, of: steps } : undefined,
      hasBack: step > 0,
      canDecline: true,
      signal,
    };
    const field = fields[step];
    if (field) {
      const intro = step === 0 && message.length <= SHORT_MESSAGE ? inertLine(message, SHORT_MESSAGE) : '';
      const result = await askField(field, drafts[step]!, intro, frame);
      if (result.kind === 'value') {
        drafts[step] = { value: result.value };
        step = reviewed ? fields.length : step + 1;
      } else if (result.kind === 'back') {
        step -= 1;
      } else {
        return { action: result.kind };
      }
      continue;
    }
    reviewed = true;
    const result = await review(request, drafts, frame);
    if (result.kind === 'value') {
      step = result.value ?? steps;
    } else if (result.kind === 'back') {
      step -= 1;
    } else {
      return { action: result.kind };
    }
  }
  const content = fields.flatMap(({ name }, index): [string, InputValue][] => {
    const value = drafts[index]!.value;
    return value === undefined ? [] : [[name, value]];
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

function titleOf({ serverId, uri }: FormRequest): string {
  const server = inertLine(serverId, 40);
  return uri === undefined
    ? vscode.l10n.t('Server "{0}" asks', server)
    : vscode.l10n.t('Server "{0}" asks, to read {1}', server, inertLine(uri, 60));
}

/** The whole message, where a quick input has no room for it. */
async function introduce(request: FormRequest, signal: AbortSignal): Promise<InputAnswer['action']> {
  const yes = request.fields.length === 0 ? vscode.l10n.t('Confirm') : vscode.l10n.t('Continue');
  const no = vscode.l10n.t('Decline');
  const text = { message: titleOf(request), detail: plainLine(request.message, 4000) };
  const chosen = await askModal(text, [yes, no], signal);
  return chosen === yes ? 'accept' : chosen === no ? 'decline' : 'cancel';
}

/** Shows all values; gives the index of the one to change, or `undefined` to send them. */
function review(
  { fields, serverId }: FormRequest,
  drafts: readonly FieldDraft[],
  frame: StepFrame,
): Promise<StepResult<number | undefined>> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { index?: number }>();
  pick.placeholder = vscode.l10n.t('Send these values, or choose one to change it.');
  pick.items = [
    { label: vscode.l10n.t('$(check) Send to "{0}"', inertLine(serverId, 40)) },
    ...fields.map((field, index) => ({
      label: fieldLabel(field),
      description: valueWords(field, drafts[index]!.value),
      index,
    })),
  ];
  return showStep(pick, frame, () => pick.activeItems[0] && { value: pick.activeItems[0].index });
}
