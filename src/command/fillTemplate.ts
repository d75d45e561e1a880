import * as vscode from 'vscode';
import type { Completer } from '../catalog/completer';
import { expandTemplate, previewOf } from '../catalog/expandTemplate';
import { listSeparator, textOf, type TypedTexts, typedValues } from '../catalog/typedValues';
import type { TemplateVariable, UriTemplate } from '../catalog/uriTemplate';
import { inertLine } from '../ui/plainText';
import { askParameter } from './askParameter';

/** A template to be filled in. */
export interface FillRequest {
  readonly label: string;
  readonly template: UriTemplate;
  /** What was typed before. */
  readonly texts: TypedTexts;
  readonly completer: Completer | undefined;
}

/** What was typed, and the URI that comes of it. */
export interface Filled {
  readonly texts: TypedTexts;
  readonly uri: string;
}

/** Asks for the parameters of a template, one after the other; `undefined` where the person gave up. */
export async function fillTemplate(request: FillRequest): Promise<Filled | undefined> {
  const { template } = request;
  const { variables } = template;
  const texts = new Map(Object.entries(request.texts));
  for (let step = 0; step < variables.length;) {
    const variable = variables[step]!;
    const result = await askStep(request, step, texts);
    if (result.kind === 'value') {
      texts.set(variable.name, result.value);
      step += 1;
    } else if (result.kind === 'back') {
      step -= 1;
    } else {
      return undefined;
    }
  }
  const typed = Object.fromEntries(texts);
  return { texts: typed, uri: expandTemplate(template, typedValues(template, typed)) };
}

function askStep({ label, template, completer }: FillRequest, step: number, texts: Map<string, string>) {
  const { variables, text: uriTemplate } = template;
  const variable = variables[step]!;
  const { name, optional } = variable;
  const typed = Object.fromEntries(texts);
  const chosen = variables.slice(0, step).flatMap((each) => {
    const value = textOf(typed, each.name);
    return value === '' ? [] : [[each.name, value] as const];
  });
  const context = Object.fromEntries(chosen);
  const titleOf = (text: string): string => {
    const values = typedValues(template, Object.fromEntries([...texts, [name, text]]));
    return `${inertLine(label, 40)}: ${inertLine(previewOf(template, values), 200)}`;
  };
  return askParameter(
    {
      name,
      optional,
      hint: hintOf(template, variable),
      text: textOf(typed, name),
      suggest: async (value, signal) => completer?.suggest({ uriTemplate, argument: name, value, context }, signal),
      titleOf,
      onDraft: (text) => texts.set(name, text),
    },
    {
      title: titleOf(textOf(typed, name)),
      position: variables.length > 1 ? { step: step + 1, of: variables.length } : undefined,
      hasBack: step > 0,
      canDecline: false,
      signal: new AbortController().signal,
    },
  );
}

function hintOf(template: UriTemplate, variable: TemplateVariable): string | undefined {
  if (variable.takesList) {
    return listSeparator(template, variable) === '/'
      ? vscode.l10n.t('a path, its parts separated by slashes')
      : vscode.l10n.t('several values are separated by commas');
  }
  if (variable.maxLength === 1) {
    return vscode.l10n.t('only the first character counts');
  }
  return variable.maxLength === undefined
    ? undefined
    : vscode.l10n.t('the first {0} characters count', variable.maxLength);
}
