import { runInNewContext } from 'node:vm';
import type { ChoicesField, InputField, InputValue, NumberField, TextField, TextFormat } from './inputRequest';

/** What is wrong with a value, as data: the words are for those who show it. */
export type InputProblem =
  | { readonly kind: 'required' }
  | { readonly kind: 'tooShort' | 'tooFew'; readonly least: number }
  | { readonly kind: 'tooLong' | 'tooMany'; readonly most: number }
  | { readonly kind: 'format'; readonly format: TextFormat }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'notANumber' | 'notAnInteger' }
  | { readonly kind: 'tooSmall'; readonly least: number }
  | { readonly kind: 'tooLarge'; readonly most: number };

/** Patterns and values longer than this are left to the server to judge. */
const LONGEST_MATCHED = 1000;
/** Milliseconds for the server's own regular expression. */
const MATCH_LIMIT_MS = 150;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** What was typed as the value of a text or number field; nothing typed is no value. */
export function typedValue(field: TextField | NumberField, typed: string): string | number | undefined {
  if (field.kind === 'text') {
    return typed === '' ? undefined : typed;
  }
  return typed.trim() === '' ? undefined : Number(typed.trim());
}

/**
 * What is wrong with a value for a field (specification: client/elicitation, requested schema), or `undefined`. Types are
 * those that the field's inputs give.
 */
export function inputProblem(field: InputField, value: InputValue | undefined): InputProblem | undefined {
  if (value === undefined) {
    return field.required ? { kind: 'required' } : undefined;
  }
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : undefined;
    case 'number':
      return typeof value === 'number' ? numberProblem(field, value) : undefined;
    case 'choices':
      return Array.isArray(value) ? countProblem(field, value.length) : undefined;
    case 'boolean':
    case 'choice':
      return undefined;
  }
}

function textProblem(field: TextField, value: string): InputProblem | undefined {
  const { minLength, maxLength, format, pattern } = field;
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) {
    return { kind: 'tooShort', least: minLength };
  }
  if (maxLength !== undefined && length > maxLength) {
    return { kind: 'tooLong', most: maxLength };
  }
  if (format && !hasFormat(value, format)) {
    return { kind: 'format', format };
  }
  return pattern !== undefined && !mayMatch(value, pattern) ? { kind: 'pattern', pattern } : undefined;
}

function numberProblem({ integer, minimum, maximum }: NumberField, value: number): InputProblem | undefined {
  if (!Number.isFinite(value)) {
    return { kind: 'notANumber' };
  }
  if (integer && !Number.isInteger(value)) {
    return { kind: 'notAnInteger' };
  }
  if (minimum !== undefined && value < minimum) {
    return { kind: 'tooSmall', least: minimum };
  }
  return maximum !== undefined && value > maximum ? { kind: 'tooLarge', most: maximum } : undefined;
}

function countProblem({ minItems, maxItems, required }: ChoicesField, count: number): InputProblem | undefined {
  if (minItems !== undefined && count < minItems && (count > 0 || required)) {
    return { kind: 'tooFew', least: minItems };
  }
  return maxItems !== undefined && count > maxItems ? { kind: 'tooMany', most: maxItems } : undefined;
}

function hasFormat(value: string, format: TextFormat): boolean {
  switch (format) {
    case 'email':
      return isEmail(value);
    case 'uri':
      return SCHEME.test(value) && !/\s/.test(value) && URL.canParse(value);
    case 'date':
      return isDate(value);
    case 'date-time':
      return isDate(DATE_TIME.exec(value)?.[1] ?? '');
  }
}

/** By its parts, not by a regular expression: enough to catch what was mistyped, at a price linear in its length. */
function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  const labels = value.slice(at + 1).split('.');
  return at > 0 && at <= 64 && !/\s/.test(value) && labels.every((label) => /^[^@\s.]+$/.test(label));
}

function isDate(value: string): boolean {
  const [, year, month, day] = DATE.exec(value)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) {
    return false;
  }
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * Whether a value matches the server's pattern, as far as can be told: a pattern that is none, too long or too slow
 * (some take exponential time) decides nothing, since the server checks the value all the same.
 */
function mayMatch(value: string, pattern: string): boolean {
  if (pattern.length > LONGEST_MATCHED || value.length > LONGEST_MATCHED) {
    return true;
  }
  for (const flags of ['u', '']) {
    try {
      const code = 'new RegExp(pattern, flags).test(value)';
      return runInNewContext(code, { pattern, flags, value }, { timeout: MATCH_LIMIT_MS }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        return true;
      }
    }
  }
  return true;
}
