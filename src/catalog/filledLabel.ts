import type { TemplateInstance } from './templateInstances';
import { textOf } from './typedValues';
import { parseTemplate } from './uriTemplate';

/** The person's own name, else the values in the template's order; empty where it has none. */
export function filledLabel({ name, texts, uriTemplate }: TemplateInstance): string {
  const parsed = parseTemplate(uriTemplate);
  const names = parsed.ok ? parsed.template.variables.map((variable) => variable.name) : Object.keys(texts);
  return (
    name ??
    names
      .map((each) => textOf(texts, each))
      .filter((text) => text.trim() !== '')
      .join(', ')
  );
}
