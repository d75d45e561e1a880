import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toolNames } from '../../src/ids';
import { until } from '../until';
import { page } from './page';

/** Calls one of our tools as an agent does. `tokens`: its budget, at four characters a token. */
export function invoke(
  name: string,
  input: object,
  { token, tokens }: { token?: vscode.CancellationToken; tokens?: number } = {},
): Thenable<vscode.LanguageModelToolResult> {
  const countTokens = (text: string) => Promise.resolve(Math.ceil(text.length / 4));
  const budget = tokens === undefined ? {} : { tokenizationOptions: { tokenBudget: tokens, countTokens } };
  return vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined, ...budget }, token);
}

/** The text of a tool's answer. */
export function textOf({ content }: vscode.LanguageModelToolResult): string {
  const [first] = content;
  assert.ok(first instanceof vscode.LanguageModelTextPart);
  return first.value;
}

/** The question that a person is asked, once it is there: all that it says, in lines. */
export function question(): Promise<string> {
  return until('the question', async () => {
    const text = await page!.call<string | undefined>('pickerText');
    return text?.includes('Do Not Allow') === true ? text : null;
  });
}

/** Answers the question that comes, and gives what it said. */
export async function answer(choice: string): Promise<string> {
  const text = await question();
  await page!.call('choose', choice);
  await until('no question', async () => (await page!.call('pickerText')) === undefined);
  return text;
}

/** Reads as an agent does, and answers the question that comes. */
export async function readAnd(button: string, input: object) {
  const reading = invoke(toolNames.read, input);
  const outcome = reading.then(
    (result) => ({ text: textOf(result), result }),
    (error: unknown) => ({ text: String(error), result: undefined }),
  );
  const asked = await answer(button);
  return { asked, ...(await outcome) };
}
