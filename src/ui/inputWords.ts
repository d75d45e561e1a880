import * as vscode from 'vscode';
import type { InputField, InputValue } from '../connection/inputRequest';
import type { InputProblem } from '../connection/inputValidation';
import { inertLine } from './plainText';

/** The name of a field as a person reads it. */
export function fieldLabel({ title, name }: InputField): string {
  return inertLine(title ?? name, 80);
}

/** What a field is about, in one line. */
export function fieldPrompt(field: InputField): string {
  const description = field.description ? `: ${inertLine(field.description, 400)}` : '';
  const optional = field.required ? '' : ` (${vscode.l10n.t('optional')})`;
  return `${fieldLabel(field)}${optional}${description}`;
}

/** What a value of a field may look like, for an empty input. */
export function fieldExample(field: InputField): string | undefined {
  if (field.kind === 'number') {
    const { minimum, maximum } = field;
    if (minimum !== undefined && maximum !== undefined) {
      return vscode.l10n.t('{0} to {1}', minimum, maximum);
    }
    return field.integer ? vscode.l10n.t('A whole number') : vscode.l10n.t('A number');
  }
  switch (field.kind === 'text' ? field.format : undefined) {
    case 'email':
      return 'name@example.com';
    case 'uri':
      return 'https://example.com';
    case 'date':
      return '2026-01-31';
    case 'date-time':
      return '2026-01-31T12:00:00Z';
    case undefined:
      return undefined;
  }
}

/** A value as a person reads it. */
export function valueWords(field: InputField, value: InputValue | undefined): string {
  const titleOf = (one: unknown): string => {
    const options = field.kind === 'choice' || field.kind === 'choices' ? field.options : [];
    return inertLine(options.find((option) => option.value === one)?.title ?? String(one));
  };
  if (value === undefined) {
    return vscode.l10n.t('left out');
  }
  if (typeof value === 'boolean') {
    return value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
  }
  return typeof value === 'object' ? value.map(titleOf).join(', ') : titleOf(value);
}

/** What is wrong with a value, in words that say how it would be right. */
export function problemWords(problem: InputProblem): string {
  switch (problem.kind) {
    case 'required':
      return vscode.l10n.t('A value is needed.');
    case 'tooShort':
      return problem.least === 1
        ? vscode.l10n.t('At least 1 character is needed.')
        : vscode.l10n.t('At least {0} characters are needed.', problem.least);
    case 'tooLong':
      return problem.most === 1
        ? vscode.l10n.t('At most 1 character is allowed.')
        : vscode.l10n.t('At most {0} characters are allowed.', problem.most);
    case 'tooFew':
      return vscode.l10n.t('Choose at least {0}.', problem.least);
    case 'tooMany':
      return vscode.l10n.t('Choose at most {0}.', problem.most);
    case 'pattern':
      return vscode.l10n.t('The server asks for this pattern: {0}', inertLine(problem.pattern, 100));
    case 'notANumber':
      return vscode.l10n.t('This is not a number.');
    case 'notAnInteger':
      return vscode.l10n.t('A whole number is needed.');
    case 'tooSmall':
      return vscode.l10n.t('At least {0} is needed.', problem.least);
    case 'tooLarge':
      return vscode.l10n.t('At most {0} is allowed.', problem.most);
    case 'format':
      return formatWords(problem.format);
  }
}

function formatWords(format: Extract<InputProblem, { kind: 'format' }>['format']): string {
  switch (format) {
    case 'email':
      return vscode.l10n.t('This is not an e-mail address.');
    case 'uri':
      return vscode.l10n.t('This is not an address with a scheme, such as https://example.com.');
    case 'date':
      return vscode.l10n.t('A date is needed, such as 2026-01-31.');
    case 'date-time':
      return vscode.l10n.t('A date and time with its zone is needed, such as 2026-01-31T12:00:00Z.');
  }
}
