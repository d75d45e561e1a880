import type { TemplateValue, TemplateValues } from './expandTemplate';
import type { TemplateVariable, UriTemplate } from './uriTemplate';

/** What a person typed for the variables of a template, by name. What was left out is absent or empty. */
export type TypedTexts = Readonly<Record<string, string>>;

/** What stands between several values in a text, for a variable that takes a list. */
export function listSeparator(template: UriTemplate, { name }: TemplateVariable): '/' | ',' {
  const isPath = template.parts.some(
    (part) =>
      typeof part !== 'string' &&
      part.operator.first === '/' &&
      part.uses.some((use) => use.name === name && use.explode),
  );
  return isPath ? '/' : ',';
}

/** Typed texts as the values that the template is expanded with: an empty text leaves its variable out. */
export function typedValues(template: UriTemplate, texts: TypedTexts): TemplateValues {
  return Object.fromEntries(
    template.variables.map((variable) => [variable.name, valueOf(template, variable, textOf(texts, variable.name))]),
  );
}

/** What was typed for a variable; empty where it was left out. */
export function textOf(texts: TypedTexts, name: string): string {
  // A variable may be called `constructor`.
  return Object.hasOwn(texts, name) ? (texts[name] ?? '') : '';
}

function valueOf(template: UriTemplate, variable: TemplateVariable, text: string): TemplateValue | undefined {
  if (text === '') {
    return undefined;
  }
  const parts = variable.takesList ? text.split(listSeparator(template, variable)).map((part) => part.trim()) : [text];
  const values = parts.filter((part) => part !== '');
  return parts.length > 1 && values.length > 0 ? values : text;
}
