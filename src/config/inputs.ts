import { type JsonDocument, type JsonProperty, valueOf } from './jsonDocument';
import { isObject, kindOf, quoted } from './launchEntry';
import type { InputDefinition } from './serverDefinition';

/** A sentence without full stop, and its 1-based line. */
export interface InputProblem {
  readonly message: string;
  readonly line: number;
}

/** Levels of an input's value that are read: the arguments of a command may be nested. */
const LEVELS = 6;

/** Reads `inputs` of an `mcp.json`: what `${input:id}` stands for, by id. An input with a fault is left out and named. */
export function parseInputs(
  property: JsonProperty | undefined,
  { lineOf }: JsonDocument,
  problems: InputProblem[],
): Map<string, InputDefinition> {
  const inputs = new Map<string, InputDefinition>();
  const list = property?.value;
  if (list && list.type !== 'array') {
    problems.push({
      message: `"inputs" must be an array, but it is ${kindOf(valueOf(list))}`,
      line: lineOf(property.offset),
    });
    return inputs;
  }
  (list?.children ?? []).forEach((node, index) => {
    const line = lineOf(node.offset);
    const found = parseInput(valueOf(node, LEVELS));
    if (typeof found === 'string') {
      problems.push({ message: `"inputs[${index}]" ${found}`, line });
    } else if (inputs.has(found.id)) {
      problems.push({ message: `The input ${quoted(found.id)} stands twice; the first one counts`, line });
    } else {
      inputs.set(found.id, found);
    }
  });
  return inputs;
}

function parseInput(value: unknown): InputDefinition | string {
  if (!isObject(value)) {
    return `must be an object, but it is ${kindOf(value)}`;
  }
  const { id, type, description, default: preset, password, options, command, args } = value;
  if (typeof id !== 'string' || id === '') {
    return `needs an "id", which is a string, but it is ${id === '' ? 'empty' : kindOf(id)}`;
  }
  for (const [field, text] of Object.entries({ description, default: preset })) {
    if (text !== undefined && typeof text !== 'string') {
      return `(${quoted(id)}) has a "${field}" that must be a string, but it is ${kindOf(text)}`;
    }
  }
  const base = { id, ...(description === undefined ? {} : { description: description as string }) };
  const start = preset === undefined ? {} : { default: preset as string };
  switch (type) {
    case 'promptString':
      return password === undefined || typeof password === 'boolean'
        ? { ...base, ...start, type, password: password === true }
        : `(${quoted(id)}) has a "password" that must be true or false, but it is ${kindOf(password)}`;
    case 'pickString': {
      const choices = choicesOf(options);
      return typeof choices === 'string' ? `(${quoted(id)}) ${choices}` : { ...base, ...start, type, options: choices };
    }
    case 'command':
      return typeof command === 'string' && command !== ''
        ? { ...base, type, command, ...(args === undefined ? {} : { args }) }
        : `(${quoted(id)}) needs a "command", which is a string, but it is ${command === '' ? 'empty' : kindOf(command)}`;
    default:
      return (
        `(${quoted(id)}) has a "type" that must be "promptString", "pickString" or "command", ` +
        `but it is ${typeof type === 'string' ? quoted(type) : kindOf(type)}`
      );
  }
}

function choicesOf(options: unknown): { label: string; value: string }[] | string {
  if (!Array.isArray(options) || options.length === 0) {
    return `needs "options", an array of choices, but it is ${Array.isArray(options) ? 'empty' : kindOf(options)}`;
  }
  const choices: { label: string; value: string }[] = [];
  for (const option of options as unknown[]) {
    const { label, value } = isObject(option) ? option : { label: option, value: option };
    if (typeof value !== 'string' || (label !== undefined && typeof label !== 'string')) {
      return 'has "options" of which one is neither a string nor an object with "value"';
    }
    choices.push({ label: label ?? value, value });
  }
  return choices;
}
