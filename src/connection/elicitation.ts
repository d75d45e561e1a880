import { HumanError } from '../base/errors';
import type { InputField, InputOption, InputRequest, TextFormat } from './inputRequest';

const FORMATS: readonly string[] = ['email', 'uri', 'date', 'date-time'] satisfies TextFormat[];

interface About {
  readonly serverId: string;
  readonly uri?: string;
  /** For addresses: see `UrlRequest`. */
  readonly waitsForVisit: boolean;
  readonly completed?: Promise<void>;
}

/**
 * What the parameters of `elicitation/create` ask for (specification: client/elicitation, all revisions). Read loosely:
 * an unknown keyword or format costs nothing. Throws a HumanError where it cannot be answered at all.
 */
export function inputRequestOf(params: unknown, { waitsForVisit, completed, ...about }: About): InputRequest {
  const { mode = 'form', message, url, requestedSchema } = recordOf(params);
  const base = { ...about, message: textOf(message) ?? '' };
  if (mode === 'url') {
    if (typeof url !== 'string' || !URL.canParse(url)) {
      throw new HumanError('the server asks to visit an address that is none');
    }
    return { ...base, kind: 'url', url, waitsForVisit, completed };
  }
  if (mode !== 'form') {
    throw new HumanError('the server asks for input in a way that is not known');
  }
  const { properties, required } = recordOf(requestedSchema);
  const needed = new Set(Array.isArray(required) ? required : []);
  return {
    ...base,
    kind: 'form',
    fields: Object.entries(recordOf(properties)).flatMap(([name, schema]) => {
      const field = fieldOf(name, recordOf(schema), needed.has(name));
      if (!field && needed.has(name)) {
        throw new HumanError(`the server asks for "${name}" in a form that cannot be filled in here`);
      }
      return field ?? [];
    }),
  };
}

/** The identifier of an address to visit, by which the server tells that the visit is done (2025-11-25). */
export function elicitationIdOf(params: unknown): string | undefined {
  return textOf(recordOf(params).elicitationId);
}

/** The addresses of error -32042 (2025-11-25, URL elicitation required); none where its data is not of that shape. */
export function requiredVisits(data: unknown): readonly unknown[] {
  const { elicitations } = recordOf(data);
  return Array.isArray(elicitations) ? elicitations : [];
}

function fieldOf(name: string, schema: Record<string, unknown>, required: boolean): InputField | undefined {
  const base = { name, title: textOf(schema.title), description: textOf(schema.description), required };
  const { default: initial } = schema;
  const options = optionsOf(schema);
  if (options) {
    const known = options.some(({ value }) => value === initial);
    return { ...base, kind: 'choice', options, default: known ? textOf(initial) : undefined };
  }
  switch (schema.type) {
    case 'string': {
      const format = textOf(schema.format);
      return {
        ...base,
        kind: 'text',
        format: format !== undefined && FORMATS.includes(format) ? (format as TextFormat) : undefined,
        minLength: numberOf(schema.minLength),
        maxLength: numberOf(schema.maxLength),
        pattern: textOf(schema.pattern),
        default: textOf(initial),
      };
    }
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: 'number',
        integer: schema.type === 'integer',
        minimum: numberOf(schema.minimum),
        maximum: numberOf(schema.maximum),
        default: numberOf(initial),
      };
    case 'boolean':
      return { ...base, kind: 'boolean', default: typeof initial === 'boolean' ? initial : undefined };
    case 'array': {
      const choices = optionsOf(recordOf(schema.items));
      const chosen = Array.isArray(initial)
        ? initial.filter((value) => choices?.some((one) => one.value === value))
        : [];
      return (
        choices && {
          ...base,
          kind: 'choices',
          options: choices,
          minItems: numberOf(schema.minItems),
          maxItems: numberOf(schema.maxItems),
          default: chosen as string[],
        }
      );
    }
    default:
      return undefined;
  }
}

/** `enum` (with the older `enumNames`), or titled options in `oneOf` (one) and `anyOf` (several). */
function optionsOf(schema: Record<string, unknown>): readonly InputOption[] | undefined {
  const titled = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(titled)) {
    const options = titled.map(recordOf).flatMap(({ const: value, title }) => {
      return typeof value === 'string' ? { value, title: textOf(title) ?? value } : [];
    });
    return options.length > 0 ? options : undefined;
  }
  if (!Array.isArray(schema.enum)) {
    return undefined;
  }
  const names: readonly unknown[] = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  const options = schema.enum.flatMap((value: unknown, index) =>
    typeof value === 'string' ? { value, title: textOf(names[index]) ?? value } : [],
  );
  return options.length > 0 ? options : undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
